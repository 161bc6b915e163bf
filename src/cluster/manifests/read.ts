import { defaultNode, defaultPod } from '../../api/defaults.ts';
import type { Node } from '../../api/node.ts';
import type { Pod } from '../../api/pod.ts';
import { isObject, type UnknownObject } from '../../api/validation/check.ts';
import { validateNode } from '../../api/validation/node.ts';
import { validatePod } from '../../api/validation/pod.ts';
import type { ClusterObjects } from '../cluster-objects.ts';
import { decodeDocuments } from './decode.ts';
import { expand, type FoundObject } from './expand.ts';
import { type FileSource, shownName } from './file-source.ts';
import { References } from './references.ts';
import { manifestError } from './source-document.ts';
import { UnreadFields } from './unread-fields.ts';
import { removeNulls } from './without-nulls.ts';

/** The decoded objects of a larger input do not fit into the heap that Node gives itself. */
export const FILE_MAX_BYTES = 512 * 2 ** 20;

export interface Manifests extends ClusterObjects {
  /** What the input asks for and this version leaves out, one sentence each. */
  readonly warnings: readonly string[];
}

/** Told now and then how far a file is; long files take a while. */
export type ReadProgress = (file: string, doneBytes: number, totalBytes: number) => void;

/**
 * Reads the Nodes and Pods of some files: YAML of many documents, JSON, one JSON object a line, Lists; `-` is standard
 * input. Nothing is handed on before everything is checked; API defaults are applied.
 *
 * @throws CodedError with the first thing that is wrong: file, object, field and reason in one line
 */
export async function readManifests(
  files: readonly string[],
  source: FileSource,
  onProgress: ReadProgress = () => {},
): Promise<Manifests> {
  const nodes: Node[] = [];
  const pods: Pod[] = [];
  const references = new References();
  const unread = new UnreadFields();

  for (const name of files) {
    const file = shownName(name);
    const bytes = await source.read(name, FILE_MAX_BYTES);
    let isEmpty = true;
    for (const document of decodeDocuments(bytes, file)) {
      isEmpty = false;
      for (const found of expand(document, file)) {
        const { value, title } = checked(found, file);
        references.add(found.kind, value, file, title);
        if (found.kind === 'Node') nodes.push(defaultNode(value as Node));
        else {
          unread.note(value);
          pods.push(defaultPod(value as Pod));
        }
      }
      onProgress(file, document.endByte, bytes.length);
    }
    if (isEmpty) throw manifestError('InvalidObject', `${file}: holds no Kubernetes object`);
  }
  references.check();
  return { nodes, pods, warnings: unread.warnings() };
}

/** The object without nulls, and its title in messages; throws when a field is wrong. */
function checked(found: FoundObject, file: string): { readonly value: UnknownObject; readonly title: string } {
  const { kind, value } = found;
  const title = titleOf(found);
  if (!removeNulls(value)) throw manifestError('InvalidObject', `${file}: ${title}: is nested too deeply`);
  const problem = (kind === 'Node' ? validateNode(value) : validatePod(value))[0];
  if (problem !== undefined) {
    throw manifestError('InvalidObject', `${file}: ${title}: ${problem.field}: ${problem.reason}`);
  }
  return { value, title };
}

/** `Pod default/web-1`, `Node n1`, or `Pod (line 12)` when there is no name to go by. */
function titleOf({ kind, value, place }: FoundObject): string {
  const metadata = value['metadata'];
  const name = isObject(metadata) ? metadata['name'] : undefined;
  if (!isObject(metadata) || typeof name !== 'string' || name === '') return `${kind} (${place})`;
  if (kind === 'Node') return `Node ${name}`;
  const namespace = metadata['namespace'];
  return `Pod ${typeof namespace === 'string' && namespace !== '' ? namespace : 'default'}/${name}`;
}
