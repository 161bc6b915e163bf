import type { RuntimePod } from './runtime.ts';

/** A pod as it was when its last events went out, and as the latest listing showed it. */
export interface PodRecord {
  readonly old?: RuntimePod | undefined;
  readonly current?: RuntimePod | undefined;
}

/**
 * What the PLEG remembers of every pod. `old` moves on only when the pod's status has been fetched: until then every
 * relist finds the same events again.
 *
 * ```
 *   setCurrent                      commit
 *   { old: A, current: B }   ─────▶ { old: B }
 *   { old: A }  (not listed) ─────▶ forgotten
 *   { current: B }  without a container: nothing to tell, nothing is committed, and the empty record stays
 * ```
 *
 * Upstream: podRecords in pkg/kubelet/pleg/generic.go.
 */
export class PodRecords {
  readonly #records = new Map<string, PodRecord>();

  /** Every pod of a full listing; a pod that is missing there has no current state. */
  setCurrent(pods: readonly RuntimePod[]): void {
    for (const [uid, { old }] of this.#records) this.#records.set(uid, { old });
    for (const pod of pods) this.setCurrentPod(pod);
  }

  setCurrentPod(pod: RuntimePod): void {
    this.#records.set(pod.uid, { old: this.#records.get(pod.uid)?.old, current: pod });
  }

  get(uid: string): PodRecord {
    return this.#records.get(uid) ?? {};
  }

  commit(uid: string): void {
    const current = this.#records.get(uid)?.current;
    if (current === undefined) this.#records.delete(uid);
    else this.#records.set(uid, { old: current });
  }

  /** In the order in which the pods were first seen. */
  uids(): string[] {
    return [...this.#records.keys()];
  }
}
