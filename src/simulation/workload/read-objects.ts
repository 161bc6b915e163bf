import { isJobFinished, type Job } from '../../api/job.ts';
import type { KubernetesObject } from '../../api/meta.ts';
import type { Pod } from '../../api/pod.ts';
import { isPodFinished } from '../../api/pod-conditions.ts';
import { isObject } from '../../api/validation/check.ts';
import { decodeDocuments } from '../../manifests/decode.ts';
import { expand } from '../../manifests/expand.ts';
import { FILE_MAX_BYTES, type FileSource, shownName } from '../../manifests/file-source.ts';
import { titleOf } from '../../manifests/read.ts';
import { manifestError } from '../../manifests/source-document.ts';
import { removeNulls } from '../../manifests/without-nulls.ts';
import type { NamedObject } from './check-submitted.ts';
import { revisionsOf } from './present-revisions.ts';
import { SUBMITTED_KINDS, submittedObject } from './submitted-object.ts';

export interface ReadObjects {
  readonly objects: readonly NamedObject[];
  /** Things that the owner of the input should know, one sentence each. */
  readonly warnings: readonly string[];
}

/**
 * Reads the objects of a cluster from files, in the same formats as everywhere: the kinds that scheduling reads, and
 * those that make pods. `checkSubmitted` makes the checks that need the API.
 *
 * @throws CodedError with file, object, field and reason
 */
export async function readObjects(files: readonly string[], source: FileSource): Promise<ReadObjects> {
  const objects: NamedObject[] = [];
  const fileByTitle = new Map<string, string>();
  const counts: Record<LeftOut, number> = { finishedPods: 0, finishedJobs: 0, podsOfJobs: 0 };
  for (const name of files) {
    const file = shownName(name);
    const found = [...foundIn(await source.read(name, FILE_MAX_BYTES), file)];
    if (found.length === 0) throw manifestError('InvalidObject', `${file}: holds no Kubernetes object`);
    for (const { object, title, leftOut } of found) {
      const first = fileByTitle.get(title);
      if (first !== undefined) {
        const where = first === file ? 'twice in this file' : `first in ${first}`;
        throw manifestError('DuplicateName', `${file}: ${title}: metadata.name: duplicate name (${where})`);
      }
      fileByTitle.set(title, file);
      if (leftOut === undefined) objects.push(object);
      else counts[leftOut]++;
    }
  }
  const warnings = Object.entries(LEFT_OUT).flatMap(([what, text]) => {
    const count = counts[what as LeftOut];
    return count === 0 ? [] : [`left out ${count} ${text}`];
  });
  return { objects: [...objects, ...revisionsOf(objects)], warnings };
}

/** The objects in the bytes of one file, each with its title. */
function* foundIn(bytes: Uint8Array, file: string) {
  for (const document of decodeDocuments(bytes, file)) {
    for (const found of expand(document, file, SUBMITTED_KINDS)) {
      const title = titleOf(found, (kind) => SUBMITTED_KINDS[kind]?.isNamespaced ?? true);
      yield {
        title,
        object: namedObject(found.kind, found.value, `${file}: ${title}`),
        leftOut: leftOutAs(found),
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

/** What is not submitted, since it would run once more. */
const LEFT_OUT = {
  finishedPods: 'pods that have finished',
  finishedJobs: 'Jobs that have finished',
  podsOfJobs: 'pods of Jobs, which make them again',
} as const;

type LeftOut = keyof typeof LEFT_OUT;

function leftOutAs({ kind, value }: { readonly kind: string; readonly value: KubernetesObject }): LeftOut | undefined {
  if (kind === 'Job' && isJobFinished(value as Job)) return 'finishedJobs';
  if (kind !== 'Pod') return undefined;
  if (isPodFinished(value as Pod)) return 'finishedPods';
  const owners: unknown = value.metadata?.ownerReferences;
  const isOfJob = Array.isArray(owners) && owners.some((owner) => isObject(owner) && owner['kind'] === 'Job');
  return isOfJob ? 'podsOfJobs' : undefined;
}
