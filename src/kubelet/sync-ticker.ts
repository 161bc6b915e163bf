import type { Clock } from '../lib/clock.ts';
import type { EventLoop } from '../lib/event-loop.ts';
import { SmallMap } from '../lib/small-map.ts';
import { type Grid, type TickWheel, tickAfter } from './tick-wheel.ts';

export interface SyncTickerModules {
  readonly loop: EventLoop;
  readonly wheel: TickWheel;
  /** Called with the pods that are to be synced, each once. */
  readonly onDue: (uids: readonly string[]) => void;
}

export interface SyncTickerOptions {
  readonly rank: number;
  readonly grid: Grid;
  /** Ticks every second, even when no pod is due. */
  readonly isEager: boolean;
}

/**
 * Checks once a second which pods are to be synced: those that are due in the work queue, and those whose deadline is
 * over. Ticks that would find none are skipped.
 */
export class SyncTicker {
  readonly #modules: SyncTickerModules;
  readonly #options: SyncTickerOptions;
  readonly #workQueue: PodWorkQueue;
  readonly #deadlines = new SmallMap<string, number>();
  #tickMillis = Number.POSITIVE_INFINITY;
  #isRunning = false;

  constructor(modules: SyncTickerModules, options: SyncTickerOptions) {
    this.#modules = modules;
    this.#options = options;
    this.#workQueue = new PodWorkQueue(modules.loop);
  }

  start(): void {
    this.#isRunning = true;
    if (this.#options.isEager) this.#schedule(this.#modules.loop.nowMillis());
  }

  stop(): void {
    this.#isRunning = false;
  }

  enqueue(uid: string, delayMillis: number): void {
    this.#workQueue.enqueue(uid, delayMillis);
    this.#schedule(this.#modules.loop.nowMillis() + delayMillis);
  }

  /** The pod is due at the first tick after its deadline, whatever the work queue says. */
  setDeadline(uid: string, deadlineMillis: number): void {
    if (this.#deadlines.get(uid) === deadlineMillis) return;
    this.#deadlines.set(uid, deadlineMillis);
    this.#schedule(deadlineMillis);
  }

  /** Removes the pod from the work queue; its deadline stays. */
  dequeue(uid: string): void {
    this.#workQueue.remove(uid);
  }

  forget(uid: string): void {
    this.#workQueue.remove(uid);
    this.#deadlines.delete(uid);
  }

  /** The time at which the sync loop serves a pod that is due at `dueMillis`. */
  servedAtMillis(dueMillis: number): number {
    return Math.ceil(tickAfter(this.#options.grid, dueMillis));
  }

  #schedule(dueMillis: number): void {
    if (!this.#isRunning) return;
    const { loop, wheel } = this.#modules;
    const { grid, rank } = this.#options;
    const tickMillis = tickAfter(grid, Math.max(dueMillis, loop.nowMillis()));
    if (tickMillis >= this.#tickMillis) return;
    this.#tickMillis = tickMillis;
    wheel.at(tickMillis, rank, this.#tick);
  }

  readonly #tick = (millis: number): void => {
    if (this.#tickMillis !== millis) return;
    this.#tickMillis = Number.POSITIVE_INFINITY;
    if (!this.#isRunning) return;
    const nowMillis = this.#modules.loop.nowMillis();
    const due = this.#workQueue.takeDue();
    let nextMillis = this.#workQueue.nextDueMillis;
    if (this.#deadlines.size > 0) nextMillis = Math.min(nextMillis, this.#takeOver(nowMillis, due));
    if (due.length > 0) this.#modules.onDue(due);
    if (this.#options.isEager) this.#schedule(nowMillis);
    else if (nextMillis < Number.POSITIVE_INFINITY) this.#schedule(nextMillis);
  };

  /** Adds the pods whose deadline is over to those that are due. Returns the next deadline, or Infinity. */
  #takeOver(nowMillis: number, due: string[]): number {
    let nextMillis = Number.POSITIVE_INFINITY;
    for (const [uid, deadlineMillis] of this.#deadlines) {
      if (deadlineMillis > nowMillis) {
        nextMillis = Math.min(nextMillis, deadlineMillis);
        continue;
      }
      this.#deadlines.delete(uid);
      if (!due.includes(uid)) due.push(uid);
    }
    return nextMillis;
  }
}

/**
 * The time at which each pod is to be synced again. A pod has one time; a new one replaces it, whether earlier or
 * later.
 *
 * Upstream: pkg/kubelet/util/queue/work_queue.go.
 */
export class PodWorkQueue {
  readonly #clock: Clock;
  readonly #dueMillisByUid = new SmallMap<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  enqueue(uid: string, delayMillis: number): void {
    this.#dueMillisByUid.set(uid, this.#clock.nowMillis() + delayMillis);
  }

  /** Removes the pod: it is not synced again by itself. */
  remove(uid: string): void {
    this.#dueMillisByUid.delete(uid);
  }

  /** The earliest time of any pod; Infinity when the queue is empty. */
  get nextDueMillis(): number {
    let nextMillis = Number.POSITIVE_INFINITY;
    this.#dueMillisByUid.forEach((dueMillis) => {
      if (dueMillis < nextMillis) nextMillis = dueMillis;
    });
    return nextMillis;
  }

  /**
   * Removes and returns the pods whose time lies before now, ordered by time (upstream: in no order). A pod that is due
   * exactly now waits for the next call.
   */
  takeDue(): string[] {
    const nowMillis = this.#clock.nowMillis();
    const due: DuePod[] = [];
    this.#dueMillisByUid.forEach((dueMillis, uid) => {
      if (dueMillis < nowMillis) insert(due, { uid, dueMillis });
    });
    for (const { uid } of due) this.#dueMillisByUid.delete(uid);
    return due.map(({ uid }) => uid);
  }
}

interface DuePod {
  readonly uid: string;
  readonly dueMillis: number;
}

/** Inserts the pod into the list, which is in order. Mostly few pods are due, and sorting would take further lists. */
function insert(due: DuePod[], pod: DuePod): void {
  due.push(pod);
  for (let i = due.length - 1; i > 0 && isBefore(pod, due[i - 1] as DuePod); i--) {
    due[i] = due[i - 1] as DuePod;
    due[i - 1] = pod;
  }
}

/**
 * The order is by time and then by uid. The order of insertion must not count: pods that are never due may come and go
 * in between.
 */
function isBefore(a: DuePod, b: DuePod): boolean {
  return a.dueMillis === b.dueMillis ? a.uid < b.uid : a.dueMillis < b.dueMillis;
}
