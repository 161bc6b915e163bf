import { CodedError } from '../lib/errors.ts';
import { latePackage } from '../lib/host-modules.ts';
import { isDeepYaml } from '../lib/yaml-depth.ts';
import { type FileSource, shownName } from '../manifests/file-source.ts';
import { decodeUtf8 } from '../manifests/source-document.ts';
import { fieldParameter, type PatchedFile, type Setting, type Settings } from './settings.ts';

/** The name of the configuration that stands in where fields of one are varied and none is given. */
const DEFAULT_CONFIGURATION = 'the default configuration';
const DEFAULT_CONFIGURATION_TEXT =
  'apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nprofiles: [{}]\n';

/** The files of a run by their part in it. */
export type RunFileNames = Readonly<Partial<Record<PatchedFile, string | undefined>>>;

interface Patch {
  readonly name: string;
  readonly path: readonly (string | number)[];
  readonly value: Setting;
}

/**
 * The files of a run, in which fields have the values that the settings give them. The names are those of `given`, and
 * of a default configuration where fields of one are set.
 *
 * @throws CodedError `InvalidSetting`
 */
export function patchedFiles(
  settings: Settings,
  given: RunFileNames,
  files: FileSource,
): { readonly names: RunFileNames; readonly files: FileSource } {
  const patches = new Map<string, Patch[]>();
  let names = given;
  for (const [name, value] of Object.entries(settings)) {
    const field = fieldParameter(name);
    if (field === undefined) continue;
    if (field.file === 'config' && names.config === undefined) names = { ...names, config: DEFAULT_CONFIGURATION };
    const file = names[field.file];
    if (file === undefined) throw invalid(`${name}: there is no ${field.file} file (--${field.file})`);
    patches.set(file, [...(patches.get(file) ?? []), { name, path: field.path, value }]);
  }
  const read = async (name: string, maxBytes: number): Promise<Uint8Array> => {
    const own = patches.get(name);
    if (own === undefined) return files.read(name, maxBytes);
    const text =
      name === DEFAULT_CONFIGURATION
        ? DEFAULT_CONFIGURATION_TEXT
        : decodeUtf8(await files.read(name, maxBytes), shownName(name), 1);
    return Buffer.from(withFields(text, own, shownName(name)));
  };
  return { names, files: { read } };
}

/** The YAML or JSON document with these fields. @throws CodedError `InvalidSetting` */
function withFields(text: string, patches: readonly Patch[], file: string): string {
  if (isDeepYaml(text)) throw invalid(`${file}: is nested too deeply`);
  const { isScalar, parseAllDocuments } = latePackage('yaml');
  const documents = parseAllDocuments(text);
  const [document] = documents;
  if (!Array.isArray(documents) || documents.length !== 1 || document === undefined || document.errors.length > 0) {
    throw invalid(`${file}: fields can be varied in one well-formed document`);
  }
  for (const { name, path, value } of patches) {
    const inside = path.findIndex((_, i) => i > 0 && isScalar(document.getIn(path.slice(0, i), true)));
    if (inside > 0) throw invalid(`${name}: ${file} has no members in ${path.slice(0, inside).join('.')}`);
    document.setIn(path, value);
  }
  return document.toString();
}

function invalid(reason: string): CodedError<'InvalidSetting'> {
  return new CodedError('InvalidSetting', reason);
}
