import type { Job } from '../../../src/api/job.ts';

const LISTS = ['succeeded', 'failed'] as const;

/** Which pods a Job has counted, known from the uids that its status lists as uncounted; each is to be listed once. */
export class CountedPods {
  readonly #counted = new Set<string>();
  readonly #forgotten = new Set<string>();
  /** How often a pod was counted again as the controller may, by list. */
  readonly again = { succeeded: 0, failed: 0 };

  /**
   * Records that the API found no such pod when its finalizer was to be removed, while the controller's cache still
   * shows the finalizer. The controller may count this pod once more: upstream's removeTrackingFinalizerFromPods takes
   * NotFound for a removal, so that the pod is counted, and no longer waits until the cache shows the removal, as after
   * every error. The next sync sees a pod that has its finalizer and is in no list. The guard against old caches does
   * not hold it back, since it knows only versions of writes that were answered.
   */
  foundNone(uid: string): void {
    if (this.#counted.has(uid)) this.#forgotten.add(uid);
  }

  /** Follows a write of the Job. Returns the uids of pods that it should not have counted again. */
  follow(before: Job | undefined, after: Job): readonly string[] {
    const wrong: string[] = [];
    for (const list of LISTS) {
      const listedBefore = new Set(before?.status?.uncountedTerminatedPods?.[list]);
      for (const uid of after.status?.uncountedTerminatedPods?.[list] ?? []) {
        if (listedBefore.has(uid)) continue;
        if (!this.#counted.has(uid)) this.#counted.add(uid);
        else if (this.#forgotten.delete(uid)) this.again[list]++;
        else wrong.push(uid);
      }
    }
    return wrong;
  }
}
