import type { CronJob } from '../../api/cron-job.ts';
import type { JobSpec } from '../../api/job.ts';
import { CodedError } from '../../lib/errors.ts';
import { plural } from '../../lib/shown-count.ts';
import type { NamedObject, SubmittedObject } from './submitted-object.ts';

/** More pods than any cluster has, and about as many as fit into memory. `berth schedule` has the same limit. */
const PODS_MAX = 1_000_000;

/**
 * Refuses workloads whose controllers would make more pods than fit into memory: what is there at the beginning is
 * taken together, what comes later by itself, since what was before may be gone by then.
 *
 * @throws CodedError `TooManyPods`
 */
export function refuseTooManyPods(objects: readonly NamedObject[], later: readonly NamedObject[]): void {
  let sum = 0;
  for (const { submitted, place } of objects) sum += refused(submitted, place, sum);
  for (const { submitted, place } of later) refused(submitted, place, 0);
}

/** The pods that a workload wants, beside others. */
function refused(submitted: SubmittedObject, place: string, others: number): number {
  const wanted = wantedPods(submitted);
  if (others + wanted <= PODS_MAX) return wanted;
  const limit = `workloads want more than ${plural(PODS_MAX, 'pod')} in all (--no-expand: make none)`;
  throw new CodedError('TooManyPods', `${place}: wants ${plural(wanted, 'pod')}: ${limit}`);
}

/** How many pods a workload has at once. A patch of one says it as well; what is absent or no number counts as 0. */
function wantedPods({ resource, object }: SubmittedObject): number {
  const { spec } = object as { readonly spec?: { readonly replicas?: unknown } };
  if (resource === 'jobs') return podsOfJob(spec as JobSpec | undefined);
  if (resource === 'cronjobs') return podsOfJob((object as CronJob).spec?.jobTemplate?.spec);
  return REPLICATED.has(resource) ? countOf(spec?.replicas) : 0;
}

const REPLICATED: ReadonlySet<string> = new Set([
  ...['deployments', 'replicasets', 'statefulsets', 'replicationcontrollers'],
]);

function podsOfJob(spec: JobSpec | undefined): number {
  if (spec?.suspend === true) return 0;
  return Math.min(countOf(spec?.parallelism), countOf(spec?.completions ?? Number.POSITIVE_INFINITY));
}

function countOf(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}
