import { isJobFinished } from '../../../src/api/job.ts';
import type { Pod } from '../../../src/api/pod.ts';
import { objectKey } from '../../../src/client/object-key.ts';
import type { Cluster } from '../../../src/cluster/cluster.ts';
import { controllerOf, isDeleting, isTracked, type Mirror, nameOf, uidOf } from '../mirror.ts';
import { isRelease, type Request } from '../recording-client.ts';
import type { Violated } from '../violation.ts';

const EXPECTED = 'what a controller did is expected';
const DRAINED = 'expectations drain';
/** Upstream: ExpectationsTimeout, and a look at it. */
const EXPIRY_MILLIS = 5 * 60_000 + 5000;

interface Open {
  readonly sinceMillis: number;
  /** The number of gaps of watches when the expectation was first seen open. */
  readonly gaps: number;
}

/** The Job controller's memory of its own writes. */
export class JobExpectations {
  readonly #cluster: Cluster;
  readonly #mirror: Mirror;
  readonly #violated: Violated;
  /** Open expectations by the key of the Job. */
  readonly #open = new Map<string, Open>();
  /** Uids of pods that were taken away from their Job. */
  readonly #orphans = new Set<string>();

  constructor(cluster: Cluster, mirror: Mirror, violated: Violated) {
    this.#cluster = cluster;
    this.#mirror = mirror;
    this.#violated = violated;
  }

  /** Runs after the step in which these requests were made: no watch event has come in between. */
  checkMade(requests: readonly Request[]): void {
    const created = new Map<string, number>();
    for (const request of requests) {
      if (request.outcome !== 'done' || request.resource !== 'pods') continue;
      if (request.verb === 'create') {
        const key = this.#keyOfJob(request.body as Pod);
        if (key !== undefined) created.set(key, (created.get(key) ?? 0) + 1);
      } else if (request.verb === 'patch') {
        this.#checkRelease(request);
        this.#noteOrphan(request);
      }
    }
    for (const [key, count] of created) {
      const expected = this.#memory.expectations.get(key)?.creations ?? 0;
      if (expected < count) {
        this.#violated(EXPECTED, `Job ${key} got ${count} new pods, and expects to see ${expected}`);
      }
    }
    this.#checkDeletions(requests);
  }

  /** Deletions of pods that lost their finalizer just before: nobody wants them, and nobody counts them. */
  #checkDeletions(requests: readonly Request[]): void {
    const released = new Set<string>();
    const deleted = new Map<string, number>();
    for (const { verb, outcome, pod, name, body } of requests) {
      if (verb === 'patch' && isRelease(body)) released.add(name);
      if (verb !== 'delete' || outcome !== 'done' || !released.has(name)) continue;
      const key = pod && this.#keyOfJob(pod);
      if (key !== undefined) deleted.set(key, (deleted.get(key) ?? 0) + 1);
    }
    for (const [key, count] of deleted) {
      const expected = this.#memory.expectations.get(key)?.deletions ?? 0;
      if (expected >= count) continue;
      this.#violated(EXPECTED, `${count} pods of Job ${key} were deleted, and it expects to see ${expected}`);
    }
  }

  /** A pod that was counted must not be counted again while the cache still shows its finalizer. */
  #checkRelease({ pod, body, name }: Request): void {
    if (pod === undefined || !isRelease(body) || !isTracked(pod)) return;
    const job = this.#mirror.jobs.get(controllerOf(pod)?.uid ?? '');
    const cached = this.#cluster.controllerInformers.of('pods').lister.get(pod.metadata?.namespace ?? '', name);
    const hasEnded = cached?.status?.phase === 'Succeeded' || cached?.status?.phase === 'Failed';
    if (job === undefined || isJobFinished(job) || isDeleting(job) || !hasEnded) return;
    const cachedJob = this.#cluster.controllerInformers
      .of('jobs')
      .lister.get(job.metadata?.namespace ?? '', nameOf(job));
    if (cachedJob === undefined || isJobFinished(cachedJob)) return;
    if (this.#memory.finalizerRemovals.get(objectKey(job)).has(uidOf(pod))) return;
    this.#violated(EXPECTED, `pod ${name} lost its finalizer, and Job ${nameOf(job)} does not expect to see that`);
  }

  #noteOrphan({ pod }: Request): void {
    const after = pod && this.#mirror.pods.get(uidOf(pod));
    if (after && controllerOf(pod) !== undefined && controllerOf(after) === undefined) this.#orphans.add(uidOf(pod));
  }

  /**
   * How many of the Job's own pods are still expected to lose their finalizer. The events of a pod that became an
   * orphan meanwhile name no Job, so nobody observes the removal, in upstream's updatePod as here; it goes with the
   * Job.
   */
  #removals(key: string): number {
    return [...this.#memory.finalizerRemovals.get(key)].filter((uid) => !this.#orphans.has(uid)).length;
  }

  /** Runs between two tasks, when the controllers have received all events. `gaps`: of watches, so far. */
  checkDrained(nowMillis: number, gaps: number): void {
    for (const job of this.#mirror.jobs.values()) {
      const key = objectKey(job);
      const { creations = 0, deletions = 0 } = this.#memory.expectations.get(key) ?? {};
      const removals = this.#removals(key);
      const isOpen = !this.#memory.expectations.areSatisfied(key) || removals > 0;
      if (!isOpen || isJobFinished(job)) {
        this.#open.delete(key);
        continue;
      }
      const open = this.#open.get(key) ?? { sinceMillis: nowMillis, gaps };
      this.#open.set(key, open);
      const isExcused = open.gaps > 0 && nowMillis - open.sinceMillis < EXPIRY_MILLIS && removals === 0;
      if (isExcused) continue;
      const what = `${creations} creations, ${deletions} deletions, ${removals} removals of finalizers`;
      this.#violated(DRAINED, `Job ${key} still expects ${what}`);
    }
  }

  get #memory() {
    return this.#cluster.jobController.memory;
  }

  #keyOfJob(pod: Pod): string | undefined {
    const job = this.#mirror.jobs.get(controllerOf(pod)?.uid ?? '');
    return job && objectKey(job);
  }
}
