import { SmallMap } from '../../lib/small-map.ts';
import type { RuntimeError, RuntimePodStatus } from './runtime.ts';

/** A cached answer: the pod's status, the error of fetching it, or both. */
export interface PodCacheAnswer {
  readonly status?: RuntimePodStatus | undefined;
  readonly error?: RuntimeError | undefined;
}

export interface PodCacheEntry extends PodCacheAnswer {
  /** When the pod was listed with this status. */
  readonly modifiedMillis: number;
  /** When the pod was last inspected; later than `modifiedMillis` when it was found unchanged. */
  readonly observedMillis: number;
}

interface NumberedEntry extends PodCacheEntry {
  /** How often entries were set before, which tells two fetches of one status apart. */
  readonly setNumber: number;
}

/** Takes an answer. `isOutdated`: whether the pod's entry has changed since the answer was made. */
export type OnPodCacheAnswer = (answer: PodCacheAnswer, isOutdated: boolean) => void;

interface Waiter {
  readonly minMillis: number;
  readonly onAnswer: OnPodCacheAnswer;
}

/**
 * The pods' statuses as the PLEG last saw them, and the pod workers that wait for newer ones. Pod workers read the
 * cache; only the PLEG writes it. Its global time means that every pod without a newer entry was unchanged at that
 * time.
 *
 * Upstream: pkg/kubelet/container/cache.go.
 */
export class PodCache {
  //   getNewerThan(t) ─▶ entry modified or observed, or global time, after t?  ─yes─▶ answered at once
  //                          │ no
  //                          ▼
  //                       waits  ─▶ set, setObservedTime or updateTime of a time not before t ─▶ answered

  readonly #entries = new SmallMap<string, NumberedEntry>();
  readonly #waiters = new SmallMap<string, Waiter[]>();
  readonly #defer: (task: () => void) => void;
  #globalMillis: number | undefined;
  #setCount = 0;

  /** @param defer runs answers later, so that the receiver may call the cache and the PLEG */
  constructor(defer: (task: () => void) => void) {
    this.#defer = defer;
  }

  /** The cached answer; a pod without an entry has an empty status, as before its start. */
  get(uid: string): PodCacheAnswer {
    return this.#entries.get(uid) ?? { status: emptyStatus(uid) };
  }

  getNewerThan(uid: string, minMillis: number, onAnswer: OnPodCacheAnswer): void {
    const entry = this.#entries.get(uid);
    const isEntryNewer = entry !== undefined && (entry.modifiedMillis > minMillis || entry.observedMillis > minMillis);
    if (isEntryNewer || (this.#globalMillis !== undefined && this.#globalMillis > minMillis)) {
      this.#answer(uid, onAnswer);
      return;
    }
    const waiter = { minMillis, onAnswer };
    const waiters = this.#waiters.get(uid);
    // Nearly always nobody else waits, and a list that grew by `push` would keep room for 16 more.
    if (waiters === undefined) this.#waiters.set(uid, [waiter]);
    else waiters.push(waiter);
  }

  /** Sets the entry, even when the cache has a newer one. */
  set(uid: string, answer: PodCacheAnswer, modifiedMillis: number): void {
    const { status, error } = answer;
    const setNumber = this.#setCount++;
    this.#entries.set(uid, { status, error, modifiedMillis, observedMillis: modifiedMillis, setNumber });
    this.#release(uid, modifiedMillis);
  }

  /** Records that the pod was inspected and is unchanged. Does nothing for a pod without an entry. */
  setObservedTime(uid: string, observedMillis: number): void {
    const entry = this.#entries.get(uid);
    if (entry !== undefined) {
      const { status, error, modifiedMillis, setNumber } = entry;
      this.#entries.set(uid, { status, error, modifiedMillis, observedMillis, setNumber });
    }
    this.#release(uid, observedMillis);
  }

  /** Removes the entry. Waiters are not answered: the next update of the global time does that. */
  delete(uid: string): void {
    this.#entries.delete(uid);
  }

  updateTime(globalMillis: number): void {
    this.#globalMillis = globalMillis;
    if (this.#waiters.size === 0) return;
    if (this.#waiters.size > 1) {
      for (const uid of [...this.#waiters.keys()]) this.#release(uid, globalMillis);
      return;
    }
    this.#waiters.forEach((_, uid) => {
      this.#release(uid, globalMillis);
    });
  }

  get globalMillis(): number | undefined {
    return this.#globalMillis;
  }

  /** Whether a pod worker waits for a status newer than the cached one. */
  get hasWaiters(): boolean {
    return this.#waiters.size > 0;
  }

  entries(): ReadonlyMap<string, PodCacheEntry> {
    return new Map(this.#entries);
  }

  #release(uid: string, millis: number): void {
    const waiters = this.#waiters.get(uid);
    if (waiters === undefined) return;
    const [first] = waiters;
    if (waiters.length === 1 && first !== undefined) {
      // Nearly always one worker waits, that of the pod.
      if (millis < first.minMillis) return;
      this.#waiters.delete(uid);
      this.#answer(uid, first.onAnswer);
      return;
    }
    const stillWaiting = waiters.filter(({ minMillis }) => millis < minMillis);
    if (stillWaiting.length === 0) this.#waiters.delete(uid);
    else this.#waiters.set(uid, stillWaiting);
    for (const { minMillis, onAnswer } of waiters) {
      if (millis >= minMillis) this.#answer(uid, onAnswer);
    }
  }

  /** Answers with the current entry, even if the entry changes before the answer arrives. */
  #answer(uid: string, onAnswer: OnPodCacheAnswer): void {
    const entry = this.#entries.get(uid);
    const answer = entry ?? { status: emptyStatus(uid) };
    this.#defer(() => {
      const latest = this.#entries.get(uid);
      onAnswer(answer, latest?.setNumber !== entry?.setNumber);
    });
  }
}

function emptyStatus(uid: string): RuntimePodStatus {
  return { uid, name: '', ips: [], containerStatuses: [], sandboxStatuses: [] };
}
