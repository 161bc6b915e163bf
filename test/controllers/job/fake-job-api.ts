import type { Job } from '../../../src/api/job.ts';
import type { Pod } from '../../../src/api/pod.ts';
import type { EventRecorder } from '../../../src/client/events/event-recorder.ts';
import { JobMemory } from '../../../src/controllers/job/job-memory.ts';
import type { JobSync } from '../../../src/controllers/job/job-sync.ts';
import { type JobApi, JobWrites, type PodMetadataPatch } from '../../../src/controllers/job/job-writes.ts';
import { JobMetrics } from '../../../src/controllers/job/metrics.ts';
import { observeJob } from '../../../src/controllers/job/observe-job.ts';
import { FakeClock } from '../../../src/lib/clock.ts';
import { internalError } from '../../../src/store/objects/api-error.ts';

export const KEY = 'default/job';
const START_MILLIS = Date.UTC(2026, 0, 1);

/** A Job API that answers every call unless `failing` returns an error, and records it as `verb name`. */
export class FakeJobApi implements JobApi, EventRecorder {
  readonly calls: string[] = [];
  readonly events: string[] = [];
  readonly created: Pod[] = [];
  readonly patches: PodMetadataPatch[] = [];
  readonly statuses: Job['status'][] = [];
  /** What `getJob` finds. */
  live: Job | undefined;
  /** The error of a call, if it is to fail. */
  failing: (call: string) => Error | undefined = () => undefined;

  getJob(_namespace: string, name: string): Job {
    this.#call(`get ${name}`);
    return this.live as Job;
  }

  createPod(pod: Pod): Pod {
    this.#call(`create ${pod.metadata?.generateName}`);
    this.created.push(pod);
    return { ...pod, metadata: { ...pod.metadata, name: `${pod.metadata?.generateName}${this.created.length}` } };
  }

  deletePod(_namespace: string, name: string): void {
    this.#call(`delete ${name}`);
  }

  patchPod(_namespace: string, name: string, patch: PodMetadataPatch): Pod {
    this.#call(`patch ${name}`);
    this.patches.push(patch);
    return { metadata: { name } };
  }

  updateJobStatus(job: Job): Job {
    this.#call('status');
    this.statuses.push(job.status);
    return job;
  }

  event(_subject: object, type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.events.push(`${type} ${reason} ${message}`);
  }

  #call(call: string): void {
    this.calls.push(call);
    const error = this.failing(call);
    if (error !== undefined) throw error;
  }
}

/** Fails the calls whose text matches. */
export function boomOn(pattern: RegExp): (call: string) => Error | undefined {
  return (call) => (pattern.test(call) ? internalError('boom') : undefined);
}

/** Modules around a fake API, for single steps of a sync. */
export class SyncBench {
  readonly api = new FakeJobApi();
  readonly clock = new FakeClock(START_MILLIS);
  readonly memory = new JobMemory(this.clock);
  readonly metrics = new JobMetrics();
  readonly writes = new JobWrites({ api: this.api, recorder: this.api, writtenVersions: undefined });
  /** Seconds after which the Job is to be synced again. */
  readonly resyncs: number[] = [];
  readonly syncAfter = (_key: string, delayMillis: number): void => {
    this.resyncs.push(delayMillis / 1000);
  };

  observe(job: Job, pods: readonly Pod[]): JobSync {
    return observeJob(this.memory, KEY, job, pods, this.clock.nowMillis());
  }

  /** The open creations and deletions. */
  get expected(): readonly [creations: number, deletions: number] {
    const { creations = 0, deletions = 0 } = this.memory.expectations.get(KEY) ?? {};
    return [creations, deletions];
  }
}
