import type { KubernetesObject } from '../../api/meta.ts';
import type { Pod } from '../../api/pod.ts';
import { isPodFinished } from '../../api/pod-conditions.ts';
import { decodeDocuments } from '../../manifests/decode.ts';
import { expand } from '../../manifests/expand.ts';
import { FILE_MAX_BYTES, type FileSource, shownName } from '../../manifests/file-source.ts';
import { titleOf } from '../../manifests/read.ts';
import { manifestError } from '../../manifests/source-document.ts';
import { removeNulls } from '../../manifests/without-nulls.ts';
import type { NamedObject } from './check-submitted.ts';
import { SUBMITTED_KINDS, submittedObject } from './submitted-object.ts';

export interface ReadObjects {
  readonly objects: readonly NamedObject[];
  /** Things that the owner of the input should know, one sentence each. */
  readonly warnings: readonly string[];
}

/**
 * Reads the objects of a cluster from files, in the same formats as everywhere. Besides the kinds that scheduling
 * reads, they may be Jobs and Deployments. `checkSubmitted` makes the checks that need the API.
 *
 * @throws CodedError with file, object, field and reason
 */
export async function readObjects(files: readonly string[], source: FileSource): Promise<ReadObjects> {
  const objects: NamedObject[] = [];
  const fileByTitle = new Map<string, string>();
  let finishedPods = 0;
  for (const name of files) {
    const file = shownName(name);
    const found = [...foundIn(await source.read(name, FILE_MAX_BYTES), file)];
    if (found.length === 0) throw manifestError('InvalidObject', `${file}: holds no Kubernetes object`);
    for (const { object, title, isFinished } of found) {
      const first = fileByTitle.get(title);
      if (first !== undefined) {
        const where = first === file ? 'twice in this file' : `first in ${first}`;
        throw manifestError('DuplicateName', `${file}: ${title}: metadata.name: duplicate name (${where})`);
      }
      fileByTitle.set(title, file);
      if (isFinished) finishedPods++;
      else objects.push(object);
    }
  }
  const warnings = finishedPods === 0 ? [] : [`left out ${finishedPods} pods that have finished`];
  return { objects, warnings };
}

/** The objects in the bytes of one file, each with its title. */
function* foundIn(bytes: Uint8Array, file: string) {
  for (const document of decodeDocuments(bytes, file)) {
    for (const found of expand(document, file, SUBMITTED_KINDS)) {
      const title = titleOf(found, (kind) => SUBMITTED_KINDS[kind]?.isNamespaced ?? true);
      yield {
        title,
        object: namedObject(found.kind, found.value, `${file}: ${title}`),
        isFinished: isFinishedPod(found),
      };
    }
  }
}

/** @throws CodedError `InvalidObject` */
export function namedObject(kind: string, value: Readonly<Record<string, unknown>>, place: string): NamedObject {
  if (!removeNulls(value)) throw manifestError('InvalidObject', `${place}: is nested too deeply`);
  const submitted = submittedObject(kind, value);
  if ('resource' in submitted) return { submitted, place };
  const [problem] = submitted;
  throw manifestError('InvalidObject', `${place}: ${problem?.field}: ${problem?.reason}`);
}

function isFinishedPod({ kind, value }: { readonly kind: string; readonly value: KubernetesObject }): boolean {
  return kind === 'Pod' && isPodFinished(value as Pod);
}
