import type { Clock } from '../../lib/clock.ts';
import { computeEvents, isUnchanged } from './compute-events.ts';
import type { EventChannel } from './event-channel.ts';
import { type PlegHealth, RelistHealth } from './health.ts';
import { inspectPod } from './inspect-pod.ts';
import type { PodCache } from './pod-cache.ts';
import { type PodRecord, PodRecords } from './pod-records.ts';
import { askRuntime, type Runtime } from './runtime.ts';

export interface GenericPlegOptions {
  readonly runtime: Runtime;
  readonly cache: PodCache;
  readonly channel: EventChannel;
  readonly clock: Clock;
  /** The PLEG is unhealthy when its last successful relist began longer ago than this. */
  readonly relistThresholdMillis?: number;
}

const DEFAULT_RELIST_THRESHOLD_MILLIS = 3 * 60 * 1000;

/**
 * The pod lifecycle event generator (PLEG): it lists all pods periodically and reports what happened in between.
 *
 * ```
 *   list ─▶ records ─▶ events of a pod, or the pod is flagged?
 *                        │ yes                        │ no: next pod
 *                        ▼
 *                      fetch its status into the cache ─ failed ─▶ flag it; the record stays, the events come again
 *                        │
 *                        ▼
 *                      commit the record, send the events ─▶ … all pods ─▶ the cache's global time
 * ```
 *
 * Upstream: pkg/kubelet/pleg/generic.go.
 */
export class GenericPleg {
  readonly #runtime: Runtime;
  readonly #cache: PodCache;
  readonly #channel: EventChannel;
  readonly #clock: Clock;
  readonly #health: RelistHealth;
  readonly #records = new PodRecords();
  readonly #podsToReinspect = new Set<string>();

  constructor({ runtime, cache, channel, clock, relistThresholdMillis }: GenericPlegOptions) {
    this.#runtime = runtime;
    this.#cache = cache;
    this.#channel = channel;
    this.#clock = clock;
    this.#health = new RelistHealth(clock, relistThresholdMillis ?? DEFAULT_RELIST_THRESHOLD_MILLIS);
  }

  /** Inspects all pods. When they cannot be listed nothing is known, so nothing happens. */
  relist(): void {
    const startMillis = this.#clock.nowMillis();
    const listing = askRuntime(() => this.#runtime.listPods());
    if ('error' in listing) return;
    this.#health.relistSucceeded(startMillis);
    this.#records.setCurrent(listing.value);
    for (const [uid, record] of this.#records.entries()) this.#updatePod(uid, record);
    // The global time is raised last: only now is every pod in the cache at least as new as this.
    this.#cache.updateTime(startMillis);
  }

  /**
   * A full relist of a healthy runtime when only these pods can have changed since the last one. The others are
   * skipped, since nothing would be found about them.
   */
  relistChanged(uids: Iterable<string>): void {
    const startMillis = this.#clock.nowMillis();
    const listing = askRuntime(() =>
      this.#records
        .inOrder(new Set([...uids, ...this.#podsToReinspect]))
        .map((uid) => [uid, this.#runtime.getPod(uid)] as const),
    );
    if ('error' in listing) return;
    this.#health.relistSucceeded(startMillis);
    for (const [uid, pod] of listing.value) {
      if (pod === undefined) this.#records.setGone(uid);
      else this.#records.setCurrentPod(pod);
    }
    for (const [uid] of listing.value) if (this.#records.has(uid)) this.#updatePod(uid, this.#records.get(uid));
    this.#cache.updateTime(startMillis);
  }

  /** Records a full relist that was skipped because it would have listed the same pods and sent no events. */
  skipRelist(startMillis: number): void {
    this.#health.relistSucceeded(startMillis);
    this.#cache.updateTime(startMillis);
  }

  /**
   * Inspects one pod. Returns false for a pod that is gone or cannot be listed, which is left to the next full relist.
   */
  relistPod(uid: string): boolean {
    const answer = askRuntime(() => this.#runtime.getPod(uid));
    if ('error' in answer || answer.value === undefined) return false;
    const pod = answer.value;
    this.#records.setCurrentPod(pod);
    this.#updatePod(uid, this.#records.get(uid));
    this.#cache.setObservedTime(uid, pod.listedAtMillis);
    return true;
  }

  /** Makes the next relist fetch the pod's status, whether the pod changed or not. */
  requestReinspect(uid: string): void {
    this.#podsToReinspect.add(uid);
  }

  healthy(): PlegHealth {
    return this.#health.check();
  }

  /** The start of the last relist whose listing succeeded. */
  get relistMillis(): number | undefined {
    return this.#health.relistMillis;
  }

  get records(): Pick<PodRecords, 'get' | 'uids'> {
    return this.#records;
  }

  get podsToReinspect(): ReadonlySet<string> {
    return this.#podsToReinspect;
  }

  #updatePod(uid: string, { old, current }: PodRecord): void {
    // Most pods of most listings take this way.
    if (old !== undefined && current !== undefined && isUnchanged(old, current) && !this.#podsToReinspect.has(uid))
      return;
    const events = computeEvents(uid, old, current);
    if (events.length === 0 && !this.#podsToReinspect.has(uid)) return;
    if (current === undefined) {
      this.#cache.delete(uid);
    } else if (!inspectPod(this.#runtime, this.#cache, current)) {
      this.#podsToReinspect.add(uid);
      return;
    }
    this.#podsToReinspect.delete(uid);
    this.#records.commit(uid);
    if (events.length === 0) events.push({ podUid: uid, type: 'PodSync' });
    for (const event of events) {
      if (event.type !== 'ContainerChanged') this.#channel.send(event);
    }
  }
}
