import { SmallMap } from '../../lib/small-map.ts';
import type { RuntimePod } from './runtime.ts';

/** A pod as it was when its last events were sent, and as the latest listing showed it. */
export interface PodRecord {
  readonly old?: RuntimePod | undefined;
  readonly current?: RuntimePod | undefined;
}

/** What others may read of the records. */
export interface KnownPods {
  get(uid: string): PodRecord;
  /** The uids in the order in which the pods were first seen. */
  uids(): string[];
}

/** A record is changed in place, since there is one for each pod at each relist. */
interface KeptRecord {
  /** The position of the pod in the order in which pods were first seen. */
  readonly number: number;
  old: RuntimePod | undefined;
  current: RuntimePod | undefined;
}

/**
 * The listings of every pod that the PLEG compares. `old` is replaced only when the pod's status has been fetched:
 * until then every relist finds the same events again.
 *
 * ```
 *   setCurrent                      commit
 *   { old: A, current: B }   ─────▶ { old: B }
 *   { old: A }  (not listed) ─────▶ forgotten
 *   { current: B }  without a container: there is no event, nothing is committed, and the empty record stays
 * ```
 *
 * Upstream: podRecords in pkg/kubelet/pleg/generic.go.
 */
export class PodRecords implements KnownPods {
  readonly #records = new SmallMap<string, KeptRecord>();
  #nextNumber = 0;

  /** Sets the current state of every pod from a full listing; a pod that is not listed has no current state. */
  setCurrent(pods: readonly RuntimePod[]): void {
    for (const record of this.#records.values()) record.current = undefined;
    for (const pod of pods) this.setCurrentPod(pod);
  }

  setCurrentPod(pod: RuntimePod): void {
    const record = this.#records.get(pod.uid);
    if (record === undefined) this.#records.set(pod.uid, { number: this.#nextNumber++, old: undefined, current: pod });
    else record.current = pod;
  }

  /** Clears the current state of a pod that is no longer listed. */
  setGone(uid: string): void {
    const record = this.#records.get(uid);
    if (record !== undefined) record.current = undefined;
  }

  /** The pods in the order in which they were first seen; unknown pods come last. */
  inOrder(uids: readonly string[]): readonly string[] {
    const numbers = uids.map((uid) => this.#records.get(uid)?.number ?? Number.POSITIVE_INFINITY);
    // Pods often change in the order in which they came.
    if (numbers.every((number, i) => i === 0 || (numbers[i - 1] as number) <= number)) return uids;
    const places = numbers.map((_, i) => i);
    places.sort((a, b) => {
      const [first, second] = [numbers[a] as number, numbers[b] as number];
      return first === second ? a - b : first - second;
    });
    return places.map((place) => uids[place] as string);
  }

  has(uid: string): boolean {
    return this.#records.has(uid);
  }

  get(uid: string): PodRecord {
    const record = this.#records.get(uid);
    return { old: record?.old, current: record?.current };
  }

  /**
   * The records of all pods, in the order in which the pods were first seen. Records may be committed, and so removed,
   * meanwhile.
   */
  entries(): Iterable<readonly [uid: string, record: PodRecord]> {
    return this.#records;
  }

  commit(uid: string): void {
    const record = this.#records.get(uid);
    if (record?.current === undefined) {
      this.#records.delete(uid);
      return;
    }
    record.old = record.current;
    record.current = undefined;
  }

  uids(): string[] {
    return [...this.#records.keys()];
  }
}
