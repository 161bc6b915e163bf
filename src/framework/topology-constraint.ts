import type { Selector } from '../api/label-selector.ts';

/** A TopologySpreadConstraint as one pod brings it, ready to be used. */
export interface SpreadConstraint {
  readonly topologyKey: string;
  readonly maxSkew: number;
  readonly minDomains: number;
  readonly selector: Selector;
  /** Equal for selectors that say the same: who counts pods, counts once for all of them. */
  readonly selectorKey: string;
  readonly honorsNodeAffinity: boolean;
  readonly honorsNodeTaints: boolean;
}
