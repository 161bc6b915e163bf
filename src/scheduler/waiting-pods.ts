import type { WaitingPod } from '../framework/handle.ts';
import type { PodInfo } from '../framework/pod-info.ts';
import type { PermitWaits } from '../framework/runtime/binding-framework.ts';
import { errorStatus, type Status, unschedulable } from '../framework/status.ts';
import type { EventLoop, Timer } from '../lib/event-loop.ts';
import { formatDuration } from '../lib/go-duration.ts';

/** The end of a wait; the status is null if all plugins allowed the pod. */
type Verdict = { readonly status: Status | null };

const NANOSECONDS_PER_MILLI = 1_000_000;

/** The pods that wait for Permit plugins, by uid (upstream's waiting_pods_map.go). */
export class WaitingPods {
  readonly #loop: EventLoop;
  readonly #byUid = new Map<string, WaitingPodEntry>();

  constructor(loop: EventLoop) {
    this.#loop = loop;
  }

  get size(): number {
    return this.#byUid.size;
  }

  /** Adds a waiting pod; each plugin rejects it after its time in `waits`. */
  add(pod: PodInfo, waits: PermitWaits): void {
    this.#byUid.set(pod.uid, new WaitingPodEntry(pod, waits, this.#loop));
  }

  get(uid: string): WaitingPodEntry | undefined {
    return this.#byUid.get(uid);
  }

  all(): Iterable<WaitingPodEntry> {
    return this.#byUid.values();
  }

  /** Rejects a waiting pod. Returns false if the pod does not wait, or was decided before. */
  reject(uid: string): boolean {
    return this.#byUid.get(uid)?.reject('', 'removed') ?? false;
  }

  /** Calls `done` when the pod's wait is over, or at once if it does not wait; with null if the pod was allowed. */
  whenDecided(pod: PodInfo, done: (status: Status | null) => void): void {
    const { uid } = pod;
    const entry = this.#byUid.get(uid);
    if (entry === undefined) {
      done(null);
      return;
    }
    const { verdict } = entry;
    if (verdict === null) {
      entry.onVerdict((status) => {
        this.#byUid.delete(uid);
        done(status);
      });
      return;
    }
    this.#byUid.delete(uid);
    done(verdict.status);
  }
}

/** A pod that waits for Permit plugins. The first verdict counts. */
export class WaitingPodEntry implements WaitingPod {
  readonly pod: PodInfo;
  readonly #loop: EventLoop;
  /** The plugins that hold the pod, mostly one. */
  readonly #waits: { readonly plugin: string; readonly timer: Timer }[] = [];
  #verdict: Verdict | null = null;
  #onVerdict: ((status: Status | null) => void) | null = null;

  constructor(pod: PodInfo, waits: PermitWaits, loop: EventLoop) {
    this.pod = pod;
    this.#loop = loop;
    for (const [plugin, millis] of waits) {
      this.#waits.push({ plugin, timer: loop.after(millis, () => this.#timeOut(plugin, millis)) });
    }
  }

  pendingPlugins(): readonly string[] {
    return this.#waits.map(({ plugin }) => plugin);
  }

  allow(plugin: string): void {
    for (let at = this.#waits.length - 1; at >= 0; at--) {
      if (this.#waits[at]?.plugin !== plugin) continue;
      this.#waits[at]?.timer.cancel();
      this.#waits.splice(at, 1);
    }
    if (this.#waits.length === 0) this.#decide(null);
  }

  /** Returns false if the pod was decided before. */
  reject(plugin: string, message: string): boolean {
    return this.#decide(unschedulable(plugin, message));
  }

  /** Rejects the pod for one of higher priority. Returns false if the pod was decided before. */
  preempt(plugin: string): boolean {
    return this.#decide(errorStatus(plugin, 'preempted'));
  }

  /** The end of the wait; null while it lasts. */
  get verdict(): Verdict | null {
    return this.#verdict;
  }

  /** `done` is called when the wait is over. Nobody may have decided yet. */
  onVerdict(done: (status: Status | null) => void): void {
    this.#onVerdict = done;
  }

  /**
   * Decides now, but continues in a later task, because the caller may be in the middle of an attempt. Pods of a group
   * are mostly decided before their binding cycles have begun, which will read the verdict.
   */
  #decide(status: Status | null): boolean {
    if (!this.#conclude(status)) return false;
    const onVerdict = this.#onVerdict;
    if (onVerdict !== null) this.#loop.soon(() => onVerdict(status));
    return true;
  }

  #timeOut(plugin: string, millis: number): void {
    const status = unschedulable(plugin, timeoutMessage(plugin, millis));
    if (this.#conclude(status)) this.#onVerdict?.(status);
  }

  #conclude(status: Status | null): boolean {
    if (this.#verdict !== null) return false;
    this.#verdict = { status };
    for (const { timer } of this.#waits) timer.cancel();
    return true;
  }
}

function timeoutMessage(plugin: string, millis: number): string {
  const waited = formatDuration(BigInt(Math.round(millis * NANOSECONDS_PER_MILLI)));
  return `rejected due to timeout after waiting ${waited} at plugin ${plugin}`;
}
