import { defaultNode, defaultPod } from '../api/defaults.ts';
import { KINDS } from '../api/kinds.ts';
import type { Node } from '../api/node.ts';
import { defaultObject } from '../api/object-defaults.ts';
import type { Pod } from '../api/pod.ts';
import type { PriorityClass } from '../api/priority-class.ts';
import { isObject, type UnknownObject } from '../api/validation/check.ts';
import { validateObject } from '../api/validation/objects.ts';
import { admit } from './admit.ts';
import type { ClusterManifest, OtherObject } from './cluster-manifest.ts';
import { decodeDocuments } from './decode.ts';
import { expand, type FoundObject } from './expand.ts';
import { type FileSource, shownName } from './file-source.ts';
import { References } from './references.ts';
import { manifestError } from './source-document.ts';
import { Warnings } from './warnings.ts';
import { removeNulls } from './without-nulls.ts';

/** The decoded objects of a larger file do not fit into Node's default heap. */
export const FILE_MAX_BYTES = 512 * 2 ** 20;

export interface Manifests extends Required<ClusterManifest> {
  /** Things that the owner of the input should know, one sentence each. */
  readonly warnings: readonly string[];
}

/** Receives the progress in a file from time to time, since long files take a while. */
export type ReadProgress = (file: string, doneBytes: number, totalBytes: number) => void;

/**
 * Reads the objects of some files: YAML with several documents, JSON, one JSON object a line, Lists; `-` is standard
 * input. Nothing is returned before everything is checked; API defaults are applied, and what admission adds.
 *
 * @throws CodedError with the first problem: file, object, field and reason in one line
 */
export async function readManifests(
  files: readonly string[],
  source: FileSource,
  onProgress: ReadProgress = () => {},
): Promise<Manifests> {
  const sorted = new SortedObjects();
  const references = new References();
  const warnings = new Warnings();

  for (const name of files) {
    const file = shownName(name);
    const bytes = await source.read(name, FILE_MAX_BYTES);
    let isEmpty = true;
    for (const document of decodeDocuments(bytes, file)) {
      isEmpty = false;
      for (const found of expand(document, file, KINDS)) {
        const { value, title } = checked(found, file);
        references.add(found.kind, value, file, title);
        warnings.note(found.kind, value);
        sorted.add({ ...found, value });
      }
      onProgress(file, document.endByte, bytes.length);
    }
    if (isEmpty) throw manifestError('InvalidObject', `${file}: holds no Kubernetes object`);
  }
  references.check();
  return { ...admit(sorted, sorted.priorityClasses), warnings: warnings.texts() };
}

/** Checked objects by what they are used for, with the defaults that need no other object. */
class SortedObjects implements Required<ClusterManifest> {
  readonly nodes: Node[] = [];
  readonly pods: Pod[] = [];
  readonly others: OtherObject[] = [];
  readonly priorityClasses: PriorityClass[] = [];

  add({ kind, value }: Pick<FoundObject, 'kind' | 'value'>): void {
    if (kind === 'Node') this.nodes.push(defaultNode(value as Node));
    else if (kind === 'Pod') this.pods.push(defaultPod(value as Pod));
    else if (kind === 'PriorityClass') this.priorityClasses.push(value as unknown as PriorityClass);
    else this.others.push({ kind, object: defaultObject(kind, value) } as OtherObject);
  }
}

/** The object without nulls, and its title in messages. Throws when a field is wrong. */
function checked(found: FoundObject, file: string): { readonly value: UnknownObject; readonly title: string } {
  const { kind, value } = found;
  const title = titleOf(found, () => KINDS[kind].isNamespaced);
  if (!removeNulls(value)) throw manifestError('InvalidObject', `${file}: ${title}: is nested too deeply`);
  const problem = validateObject(kind, value)[0];
  if (problem !== undefined) {
    throw manifestError('InvalidObject', `${file}: ${title}: ${problem.field}: ${problem.reason}`);
  }
  return { value, title };
}

/** The title of an object: `Pod default/web-1`, `Node n1`, or `Pod (line 12)` when it has no name. */
export function titleOf({ kind, value, place }: FoundObject<string>, isNamespaced: (kind: string) => boolean): string {
  const metadata = value['metadata'];
  const name = isObject(metadata) ? metadata['name'] : undefined;
  if (!isObject(metadata) || typeof name !== 'string' || name === '') return `${kind} (${place})`;
  if (!isNamespaced(kind)) return `${kind} ${name}`;
  const namespace = metadata['namespace'];
  return `${kind} ${typeof namespace === 'string' && namespace !== '' ? namespace : 'default'}/${name}`;
}
