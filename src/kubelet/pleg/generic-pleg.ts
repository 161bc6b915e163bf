import type { Clock } from '../../lib/clock.ts';
import { formatDuration } from '../../lib/go-duration.ts';
import { computeEvents, isUnchanged } from './compute-events.ts';
import type { EventChannel } from './event-channel.ts';
import type { PodCache } from './pod-cache.ts';
import { type KnownPods, type PodRecord, PodRecords } from './pod-records.ts';
import { askRuntime, type Runtime, type RuntimePod, type RuntimePodStatus } from './runtime.ts';

/** Whether a PLEG can be trusted, or why not. */
export type PlegHealth = { readonly ok: true } | { readonly ok: false; readonly error: string };

/**
 * Tracks whether the PLEG can be trusted: when its last successful relist began too long ago, the kubelet stops syncing
 * pods.
 *
 * Upstream: Healthy in pkg/kubelet/pleg/generic.go.
 */
export class RelistHealth {
  readonly #clock: Clock;
  readonly #thresholdMillis: number;
  #relistMillis: number | undefined;

  constructor(clock: Clock, thresholdMillis: number) {
    this.#clock = clock;
    this.#thresholdMillis = thresholdMillis;
  }

  /** The start of the last relist whose listing succeeded; undefined before the first. */
  get relistMillis(): number | undefined {
    return this.#relistMillis;
  }

  relistSucceeded(startMillis: number): void {
    this.#relistMillis = startMillis;
  }

  check(): PlegHealth {
    if (this.#relistMillis === undefined) return { ok: false, error: 'pleg has yet to be successful' };
    const elapsedMillis = this.#clock.nowMillis() - this.#relistMillis;
    if (elapsedMillis <= this.#thresholdMillis) return { ok: true };
    const durationOf = (millis: number): string => formatDuration(BigInt(Math.round(millis * 1e6)));
    const [elapsed, threshold] = [elapsedMillis, this.#thresholdMillis].map(durationOf);
    return { ok: false, error: `pleg was last seen active ${elapsed} ago; threshold is ${threshold}` };
  }
}

/**
 * Fetches the pod's status into the cache, under the time at which the pod was listed, since the events do not cover
 * what happened later. A failure is cached too, so that nobody acts on the old status.
 *
 * Upstream: updateCache in pkg/kubelet/pleg/generic.go.
 *
 * @returns whether the status could be fetched
 */
function inspectPod(runtime: Runtime, cache: PodCache, pod: RuntimePod): boolean {
  const answer = askRuntime(() => runtime.getPodStatus(pod));
  if ('error' in answer) {
    cache.set(pod.uid, { error: answer.error }, pod.listedAtMillis);
    return false;
  }
  cache.set(pod.uid, { status: withKeptIps(answer.value, cache) }, pod.listedAtMillis);
  return true;
}

/** Keeps the last IPs of a pod that has lost its last sandbox, since its status still shows them. */
function withKeptIps(status: RuntimePodStatus, cache: PodCache): RuntimePodStatus {
  if (status.ips.length > 0 || status.sandboxStatuses.some(({ state }) => state === 'ready')) return status;
  const cached = cache.get(status.uid);
  return cached.error === undefined && cached.status !== undefined ? { ...status, ips: cached.status.ips } : status;
}

const NO_PODS: ReadonlySet<string> = new Set();

/** What a PLEG is made of, and when it counts as unhealthy. */
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
 * Upstream: pkg/kubelet/pleg/generic.go.
 */
export class GenericPleg {
  //   list ─▶ records ─▶ events of a pod, or the pod is flagged?
  //                        │ yes                        │ no: next pod
  //                        ▼
  //                      fetch its status into the cache ─ failed ─▶ flag it; the record stays, the events come again
  //                        │
  //                        ▼
  //                      commit the record, send the events ─▶ … all pods ─▶ the cache's global time

  readonly #options: GenericPlegOptions;
  readonly #health: RelistHealth;
  readonly #records = new PodRecords();
  #podsToReinspect: ReadonlySet<string> = NO_PODS;

  constructor(options: GenericPlegOptions) {
    const { clock, relistThresholdMillis = DEFAULT_RELIST_THRESHOLD_MILLIS } = options;
    this.#options = options;
    this.#health = new RelistHealth(clock, relistThresholdMillis);
  }

  /** Inspects all pods. When they cannot be listed nothing is known, so nothing happens. */
  relist(): void {
    const startMillis = this.#options.clock.nowMillis();
    const listing = askRuntime(() => this.#options.runtime.listPods());
    if ('error' in listing) return;
    this.#health.relistSucceeded(startMillis);
    this.#records.setCurrent(listing.value);
    for (const [uid, record] of this.#records.entries()) this.#updatePod(uid, record);
    // The global time is raised last: only now is every pod in the cache at least as new as this.
    this.#options.cache.updateTime(startMillis);
  }

  /**
   * A full relist of a healthy runtime, without the pods that cannot have changed since the last one. `uids`: the
   * others, without duplicates.
   */
  relistChanged(uids: readonly string[]): void {
    const startMillis = this.#options.clock.nowMillis();
    const listed = this.#podsToReinspect.size === 0 ? uids : [...new Set([...uids, ...this.#podsToReinspect])];
    const inOrder = listed.length > 1 ? this.#records.inOrder(listed) : listed;
    const listing = askRuntime(() => inOrder.map((uid) => this.#options.runtime.getPod(uid)));
    if ('error' in listing) return;
    this.#health.relistSucceeded(startMillis);
    for (let i = 0; i < inOrder.length; i++) {
      const pod = listing.value[i];
      if (pod === undefined) this.#records.setGone(inOrder[i] as string);
      else this.#records.setCurrentPod(pod);
    }
    for (const uid of inOrder) if (this.#records.has(uid)) this.#updatePod(uid, this.#records.get(uid));
    this.#options.cache.updateTime(startMillis);
  }

  /** Records a full relist that was skipped because it would have listed the same pods and sent no events. */
  skipRelist(startMillis: number): void {
    this.#health.relistSucceeded(startMillis);
    this.#options.cache.updateTime(startMillis);
  }

  /** Inspects one pod. Returns false for one that is gone or cannot be listed: the next full relist handles it. */
  relistPod(uid: string): boolean {
    const answer = askRuntime(() => this.#options.runtime.getPod(uid));
    if ('error' in answer || answer.value === undefined) return false;
    const pod = answer.value;
    this.#records.setCurrentPod(pod);
    this.#updatePod(uid, this.#records.get(uid));
    this.#options.cache.setObservedTime(uid, pod.listedAtMillis);
    return true;
  }

  /** Makes the next relist fetch the pod's status, whether the pod changed or not. */
  requestReinspect(uid: string): void {
    this.#reinspect(uid);
  }

  healthy(): PlegHealth {
    return this.#health.check();
  }

  /** The start of the last relist whose listing succeeded. */
  get relistMillis(): number | undefined {
    return this.#health.relistMillis;
  }

  get records(): KnownPods {
    return this.#records;
  }

  get podsToReinspect(): ReadonlySet<string> {
    return this.#podsToReinspect;
  }

  /** The set is replaced, and mostly is the empty one that all agents share. */
  #reinspect(uid: string): void {
    this.#podsToReinspect = new Set([...this.#podsToReinspect, uid]);
  }

  #reinspected(uid: string): void {
    if (!this.#podsToReinspect.has(uid)) return;
    const others = [...this.#podsToReinspect].filter((each) => each !== uid);
    this.#podsToReinspect = others.length === 0 ? NO_PODS : new Set(others);
  }

  #updatePod(uid: string, { old, current }: PodRecord): void {
    // Most pods of most listings take this way.
    if (old !== undefined && current !== undefined && isUnchanged(old, current) && !this.#podsToReinspect.has(uid))
      return;
    const events = computeEvents(uid, old, current);
    if (events.length === 0 && !this.#podsToReinspect.has(uid)) return;
    if (current === undefined) {
      this.#options.cache.delete(uid);
    } else if (!inspectPod(this.#options.runtime, this.#options.cache, current)) {
      this.#reinspect(uid);
      return;
    }
    this.#reinspected(uid);
    this.#records.commit(uid);
    if (events.length === 0) events.push({ podUid: uid, type: 'PodSync' });
    for (const event of events) {
      if (event.type !== 'ContainerChanged') this.#options.channel.send(event);
    }
  }
}
