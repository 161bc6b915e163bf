import type { Job } from '../../../src/api/job.ts';
import { defaultJob, prepareJobUpdate, prepareNewJob } from '../../../src/api/job-defaults.ts';
import type { Pod } from '../../../src/api/pod.ts';
import { isPodFinished } from '../../../src/api/pod-conditions.ts';
import { millisOfTime, timeAtMillis } from '../../../src/api/time.ts';
import type { Problem } from '../../../src/api/validation/check.ts';
import { validateJob } from '../../../src/api/validation/job.ts';
import { validateJobStatusUpdate } from '../../../src/api/validation/job-status.ts';
import { validateJobUpdate } from '../../../src/api/validation/job-update.ts';
import type { JobApi, PodMetadataPatch } from '../../../src/controllers/job/job-writes.ts';
import { controllerOf } from '../../../src/controllers/job/pod-indexes.ts';
import { completionIndexOf, isTracked } from '../../../src/controllers/job/pod-state.ts';
import type { Clock } from '../../../src/lib/clock.ts';
import { conflict, invalid, notFound } from '../../../src/store/objects/api-error.ts';
import { frozenCopy } from '../../../src/store/objects/frozen-copy.ts';
import type { PropagationPolicy } from '../../../src/store/objects/store-client.ts';
import { mergePatch } from '../../../src/store/patch/merge-patch.ts';
import { strategicMerge } from '../../../src/store/patch/strategic-merge.ts';
import { ApiCalls } from './job-calls.ts';
import { JobFaults } from './job-faults.ts';

export type WatchNews =
  | { readonly kind: 'pods'; readonly type: NewsType; readonly object: Pod }
  | { readonly kind: 'jobs'; readonly type: NewsType; readonly object: Job };
type NewsType = 'ADDED' | 'MODIFIED' | 'DELETED';

const NAMESPACE = 'default';
const DEFAULT_GRACE_PERIOD_SECONDS = 30;
const GENERATE_NAME_MAX = 58;
const COUNTER_DIGITS = 5;
const STALE = 'the object has been modified; please apply your changes to the latest version and try again';

/** The API server of the recordings: the truth, what became of it, and what the controller called. */
export class JobApiStub implements JobApi {
  readonly faults = new JobFaults();
  readonly pods = new Map<string, Pod>();
  readonly jobs = new Map<string, Job>();
  /** What the controller called since it was last taken. */
  calls = new ApiCalls();
  readonly #clock: Clock;
  readonly #validatesStatus: boolean;
  readonly #onNews: (news: WatchNews) => void;
  readonly #podCounters = new Map<string, number>();
  #version = 1;

  constructor(clock: Clock, validatesStatus: boolean, onNews: (news: WatchNews) => void) {
    this.#clock = clock;
    this.#validatesStatus = validatesStatus;
    this.#onNews = onNews;
  }

  get version(): string {
    return String(this.#version);
  }

  // What the controller calls.

  getJob(_namespace: string, name: string): Job {
    this.faults.check({ verb: 'getJob' });
    const job = this.jobs.get(name);
    if (job === undefined) throw notFound('jobs', name);
    return job;
  }

  createPod(pod: Pod): Pod {
    try {
      this.faults.check({ verb: 'create', index: completionIndexOf(pod) });
    } catch (error) {
      this.calls.createFailed++;
      throw error;
    }
    const prefix = (pod.metadata?.generateName ?? '').slice(0, GENERATE_NAME_MAX);
    const name = prefix + String(this.#next(this.#podCounters, prefix)).padStart(COUNTER_DIGITS, '0');
    const metadata = { ...pod.metadata, name, uid: `uid-${name}`, creationTimestamp: this.#now() };
    const created = this.#putPod({ ...pod, metadata, status: { phase: 'Pending' } });
    this.calls.created.push(created);
    return created;
  }

  deletePod(_namespace: string, name: string): void {
    try {
      this.faults.check({ verb: 'delete', pod: name });
      this.terminatePod(name);
    } catch (error) {
      this.calls.deleteFailed.push(name);
      throw error;
    }
    this.calls.deleted.push(name);
  }

  patchPod(_namespace: string, name: string, patch: PodMetadataPatch): Pod {
    const before = this.pods.get(name);
    try {
      this.faults.check({ verb: 'patch', pod: name });
      if (before === undefined) throw notFound('pods', name);
    } catch (error) {
      this.calls.patchFailed.push(name);
      throw error;
    }
    const after = this.#putPod(strategicMerge('pods', before as never, patch as never) as Pod);
    const [was, is] = [controllerOf(before), controllerOf(after)];
    if (was === undefined && is !== undefined) this.calls.adopted.push(name);
    else if (was !== undefined && is === undefined) this.calls.released.push(name);
    else if (isTracked(before) && !isTracked(after)) this.calls.finalizerRemoved.push(name);
    return after;
  }

  updateJobStatus(job: Job): Job {
    const { status = {} } = frozenCopy(job);
    try {
      this.faults.check({ verb: 'updateStatus' });
      const { name = '', uid, resourceVersion } = job.metadata ?? {};
      const stored = this.jobs.get(name);
      if (stored === undefined) throw notFound('jobs', name);
      const isSame = stored.metadata?.uid === uid && stored.metadata?.resourceVersion === resourceVersion;
      if (!isSame) throw conflict('jobs', name, STALE);
      const next = { ...stored, status };
      if (this.#validatesStatus) refuse(next, validateJobStatusUpdate(next, stored));
      const updated = this.#putJob(next);
      this.calls.statusWrites.push({ status });
      return updated;
    } catch (error) {
      this.calls.statusWrites.push({ status, error });
      throw error;
    }
  }

  // What users, node agents and other controllers do.

  /** @throws ApiError */
  createJob(submitted: Job, uid: string | undefined): Job {
    const { kind: _kind, apiVersion: _apiVersion, ...job } = submitted;
    const metadata = { ...job.metadata, uid, creationTimestamp: this.#now() };
    const prepared = prepareNewJob(defaultJob({ ...job, metadata }));
    refuse(prepared, validateJob(prepared));
    return this.#putJob(prepared);
  }

  /** @throws ApiError Invalid */
  patchJob(name: string, patch: unknown): void {
    const stored = this.jobs.get(name);
    if (stored === undefined) return;
    const prepared = prepareJobUpdate(defaultJob(mergePatch(stored, patch) as Job), stored);
    refuse(prepared, validateJobUpdate(prepared, stored));
    this.#putJob(prepared);
  }

  /** Past preparation and validation. */
  patchJobUnvalidated(name: string, patch: unknown, part: 'status' | 'whole'): void {
    const stored = this.jobs.get(name);
    if (stored === undefined) return;
    if (part === 'status') {
      this.#putJob({ ...stored, status: mergePatch(stored.status, patch) as NonNullable<Job['status']> });
      return;
    }
    const patched = mergePatch(stored, patch) as Job;
    this.#putJob({ ...patched, metadata: { ...patched.metadata, generation: (stored.metadata?.generation ?? 0) + 1 } });
  }

  deleteJob(name: string, policy: PropagationPolicy): void {
    const job = this.jobs.get(name);
    if (job === undefined || job.metadata?.deletionTimestamp !== undefined) return;
    const { finalizers = [], generation = 0 } = job.metadata ?? {};
    const added = { Foreground: ['foregroundDeletion'], Orphan: ['orphan'], Background: [] }[policy];
    const deletion = { deletionTimestamp: this.#now(), deletionGracePeriodSeconds: 0, generation: generation + 1 };
    this.#putJob({ ...job, metadata: { ...job.metadata, ...deletion, finalizers: [...finalizers, ...added] } });
  }

  removeJobFinalizers(name: string): void {
    const job = this.jobs.get(name);
    if (job !== undefined) this.#putJob({ ...job, metadata: { ...job.metadata, finalizers: [] } });
  }

  changePod(name: string, change: (pod: Pod) => Pod): void {
    const pod = this.pods.get(name);
    if (pod !== undefined) this.#putPod(change(pod));
  }

  addPod(pod: Pod): void {
    const status = { ...pod.status, phase: pod.status?.phase || 'Pending' };
    this.#putPod({ ...pod, metadata: { ...pod.metadata, creationTimestamp: this.#now() }, status });
  }

  /** The period is the pod's own by default, and 0 for a pod without a node. @throws ApiError NotFound */
  terminatePod(name: string, gracePeriodSeconds?: number): void {
    const pod = this.pods.get(name);
    if (pod === undefined) throw notFound('pods', name);
    const isIdle = !pod.spec?.nodeName || isPodFinished(pod);
    const own = isIdle ? 0 : (pod.spec?.terminationGracePeriodSeconds ?? DEFAULT_GRACE_PERIOD_SECONDS);
    const seconds = gracePeriodSeconds ?? own;
    const nowMillis = this.#clock.nowMillis();
    const { deletionTimestamp } = pod.metadata ?? {};
    if (deletionTimestamp !== undefined && seconds > 0) return;
    const endMillis = Math.min(
      nowMillis + seconds * 1000,
      deletionTimestamp ? millisOfTime(deletionTimestamp) : Infinity,
    );
    const deletion = { deletionTimestamp: timeAtMillis(endMillis), deletionGracePeriodSeconds: seconds };
    this.#putPod({ ...pod, metadata: { ...pod.metadata, ...deletion } });
  }

  vanishPod(name: string): void {
    const pod = this.pods.get(name);
    if (pod !== undefined) this.#removePod(name, pod);
  }

  podNames(): string[] {
    return [...this.pods.keys()].toSorted();
  }

  #putPod(pod: Pod): Pod {
    const name = pod.metadata?.name ?? '';
    const stored = this.pods.get(name);
    const next = frozenCopy(pod, stored);
    if (next === stored) return stored;
    const { deletionTimestamp, finalizers = [], deletionGracePeriodSeconds } = next.metadata ?? {};
    if (deletionTimestamp !== undefined && finalizers.length === 0 && deletionGracePeriodSeconds === 0) {
      return this.#removePod(name, next);
    }
    const versioned = this.#versioned(next);
    this.pods.set(name, versioned);
    this.#onNews({ kind: 'pods', type: stored === undefined ? 'ADDED' : 'MODIFIED', object: versioned });
    return versioned;
  }

  #removePod(name: string, pod: Pod): Pod {
    const gone = this.#versioned(pod);
    this.pods.delete(name);
    this.#onNews({ kind: 'pods', type: 'DELETED', object: gone });
    return gone;
  }

  #putJob(job: Job): Job {
    const name = job.metadata?.name ?? '';
    const stored = this.jobs.get(name);
    const next = frozenCopy(job, stored);
    if (next === stored) return stored;
    const versioned = this.#versioned(next);
    const isGone = next.metadata?.deletionTimestamp !== undefined && !next.metadata.finalizers?.length;
    if (isGone) this.jobs.delete(name);
    else this.jobs.set(name, versioned);
    const type = isGone ? 'DELETED' : stored === undefined ? 'ADDED' : 'MODIFIED';
    this.#onNews({ kind: 'jobs', type, object: versioned });
    return versioned;
  }

  #versioned<T extends Pod | Job>(object: T): T {
    this.#version++;
    const metadata = { ...object.metadata, namespace: NAMESPACE, resourceVersion: this.version };
    return frozenCopy({ ...object, metadata }, object);
  }

  #next(counters: Map<string, number>, key: string): number {
    const next = (counters.get(key) ?? 0) + 1;
    counters.set(key, next);
    return next;
  }

  #now(): string {
    return timeAtMillis(this.#clock.nowMillis());
  }
}

function refuse(job: Job, problems: readonly Problem[]): void {
  if (problems.length > 0) throw invalid('jobs', job.metadata?.name ?? '', problems);
}
