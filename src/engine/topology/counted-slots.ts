import type { PodInfo } from '../../framework/pod-info.ts';
import type { PodsBySlot } from '../../memory/domain-counter.ts';
import type { CountedPods } from './counted-pods.ts';

/** The pods that a counter counts on each slot, as its groups have them: a column of them need not be kept. */
export class CountedSlots implements PodsBySlot {
  readonly groups = new Set<CountedPods>();
  readonly #multiplicity: (pod: PodInfo) => number;

  /** `multiplicity`: the number of times that a pod counts. */
  constructor(multiplicity: (pod: PodInfo) => number) {
    this.#multiplicity = multiplicity;
  }

  on(slot: number): number {
    let pods = 0;
    for (const group of this.groups) pods += group.perSlot.on(slot) * this.#multiplicity(group.pod);
    return pods;
  }

  forEach(visit: (slot: number, pods: number) => void): void {
    for (const group of this.groups) {
      const times = this.#multiplicity(group.pod);
      for (const [slot, pods] of group.perSlot.entries()) visit(slot, pods * times);
    }
  }
}
