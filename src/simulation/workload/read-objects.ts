import { isJobFinished, type Job } from '../../api/job.ts';
import type { KubernetesObject } from '../../api/meta.ts';
import type { Pod } from '../../api/pod.ts';
import { isPodFinished } from '../../api/pod-conditions.ts';
import { behaviourProblems } from '../../api/validation/behaviour-settings.ts';
import { isObject } from '../../api/validation/check.ts';
import type { ReplicaSet } from '../../api/workloads.ts';
import { FieldWarnings } from '../../manifests/field-warnings.ts';
import { type FileSource, shownName } from '../../manifests/file-source.ts';
import { findObjects } from '../../manifests/find-objects.ts';
import { LeftOut } from '../../manifests/left-out.ts';
import { titleOf } from '../../manifests/read.ts';
import { manifestError } from '../../manifests/source-document.ts';
import { removeNulls } from '../../manifests/without-nulls.ts';
import { revisionsOf } from './present-revisions.ts';
import { type NamedObject, SUBMITTED_KINDS, type SubmittedObject, submittedObject } from './submitted-object.ts';

export interface ReadObjects {
  readonly objects: readonly NamedObject[];
  /** Things that the owner of the input should know, one sentence each. */
  readonly warnings: readonly string[];
}

/** How manifests are read. */
export interface ReadingOptions {
  /** Refuses what is otherwise left out or warned about: kinds without a meaning here, pods on missing nodes. */
  readonly isStrict?: boolean | undefined;
  /** What happens about unknown fields; absent: `warn`. */
  readonly validate?: 'strict' | 'warn' | 'ignore' | undefined;
  /** Whether controllers make pods, so that those of Jobs are not needed; absent: they do. */
  readonly expands?: boolean | undefined;
  /** Called from time to time; it throws when there is no memory for more. */
  readonly checkMemory?: (() => void) | undefined;
  /** Receives the progress in a file from time to time; `totalBytes` 0: unknown. */
  readonly onProgress?: ((file: string, doneBytes: number, totalBytes: number) => void) | undefined;
}

/**
 * Reads the objects of a cluster from files, in the same formats as everywhere: the kinds that scheduling reads, and
 * those that make pods. Other kinds are left out and counted. `checkSubmitted` makes the checks that need the API.
 *
 * @throws CodedError with file, object, field and reason
 */
export async function readObjects(
  files: readonly string[],
  source: FileSource,
  { isStrict = false, validate = 'warn', expands = true, ...hooks }: ReadingOptions = {},
): Promise<ReadObjects> {
  const objects: NamedObject[] = [];
  const firsts = new Map<string, { readonly file: string; readonly uid: unknown }>();
  const counts: Record<NotSubmitted, number> = { finishedPods: 0, finishedJobs: 0, podsOfJobs: 0 };
  const leftOut = new LeftOut();
  const fields = new FieldWarnings(validate);
  const options = { kinds: SUBMITTED_KINDS, leftOut: isStrict ? null : leftOut, ...hooks };
  await findObjects(files, source, options, (found, file) => {
    const title = titleOf(found, (kind) => SUBMITTED_KINDS[kind]?.isNamespaced ?? true);
    fields.check(found.kind, found.value, file, title);
    const object = namedObject(found.kind, found.value, `${file}: ${title}`);
    const first = firsts.get(title);
    const { uid } = (found.value as KubernetesObject).metadata ?? {};
    if (first !== undefined) {
      // A dump of several kinds may list an object twice, such as that of "kubectl get all,deploy".
      if (uid !== undefined && uid === first.uid) return;
      const where = first.file === file ? 'twice in this file' : `first in ${first.file}`;
      throw manifestError('DuplicateName', `${file}: ${title}: metadata.name: duplicate name (${where})`);
    }
    firsts.set(title, { file, uid });
    const reason = notSubmittedAs(found);
    if (reason === undefined || (reason === 'podsOfJobs' && !expands)) objects.push(object);
    else counts[reason]++;
  });
  const leftOutText = leftOut.text();
  if (firsts.size === 0 && leftOutText !== null) {
    const names = files.map(shownName).join(', ');
    throw manifestError('UnsupportedKind', `${names}: holds no object that a simulation reads (${leftOutText})`);
  }
  const notSubmitted = Object.entries(NOT_SUBMITTED).flatMap(([what, text]) => {
    const count = counts[what as NotSubmitted];
    return count === 0 ? [] : [`left out ${count} ${text}`];
  });
  const idle = expands ? objects.filter(({ submitted }) => makesNoPods(submitted)).length : 0;
  const idleText = `${idle} ${idle === 1 ? 'ReplicationController gets' : 'ReplicationControllers get'} no more pods`;
  const warnings = [
    ...(leftOutText === null ? [] : [leftOutText]),
    ...fields.texts(),
    ...notSubmitted,
    ...(idle === 0 ? [] : [`${idleText}: a simulation has no controller for them`]),
  ];
  return { objects: [...objects, ...revisionsOf(objects)], warnings };
}

/** Whether the object would make pods in a cluster, and makes none here. */
function makesNoPods({ resource, object }: SubmittedObject): boolean {
  if (resource !== 'replicationcontrollers') return false;
  const { replicas = 1, template } = (object as ReplicaSet).spec ?? {};
  return replicas > 0 && template !== undefined;
}

/** @throws CodedError `InvalidObject` */
export function namedObject(kind: string, value: Readonly<Record<string, unknown>>, place: string): NamedObject {
  if (!removeNulls(value)) throw manifestError('InvalidObject', `${place}: is nested too deeply`);
  const submitted = submittedObject(kind, value);
  const problem = 'resource' in submitted ? behaviourProblems(value)[0] : submitted[0];
  const isLive = isObject(value['metadata']) && value['metadata']['uid'] !== undefined;
  if ('resource' in submitted && problem === undefined) return { submitted, place, isLive };
  throw manifestError('InvalidObject', `${place}: ${problem?.field}: ${problem?.reason}`);
}

/** What is not submitted, since it would run once more. */
const NOT_SUBMITTED = {
  finishedPods: 'pods that have finished',
  finishedJobs: 'Jobs that have finished',
  podsOfJobs: 'pods of Jobs, which make them again',
} as const;

type NotSubmitted = keyof typeof NOT_SUBMITTED;

function notSubmittedAs({
  kind,
  value,
}: {
  readonly kind: string;
  readonly value: KubernetesObject;
}): NotSubmitted | undefined {
  if (kind === 'Job' && isJobFinished(value as Job)) return 'finishedJobs';
  if (kind !== 'Pod') return undefined;
  if (isPodFinished(value as Pod)) return 'finishedPods';
  const owners: unknown = value.metadata?.ownerReferences;
  const isOfJob = Array.isArray(owners) && owners.some((owner) => isObject(owner) && owner['kind'] === 'Job');
  return isOfJob ? 'podsOfJobs' : undefined;
}
