import { podKey } from '../../api/object-name.ts';
import type { PodHistory } from './cluster-trace.ts';

/** A pod that has another node than in the recording; null for none. */
export interface PlacementDifference {
  readonly pod: string;
  readonly there: string | null;
  readonly here: string | null;
}

/** How the nodes that a simulation gave to recorded pods compare with those of the recording. */
export interface Placements {
  /** Pods that got their recorded node. */
  readonly same: number;
  /** Pods that got another one. */
  readonly elsewhere: number;
  /** Pods that have a node only in the recording, or only here. */
  readonly onlyThere: number;
  readonly onlyHere: number;
  /** Pods that got a node nowhere. */
  readonly nowhere: number;
  /** The first differences, in the order in which the pods arrived. */
  readonly differences: readonly PlacementDifference[];
}

const DIFFERENCES_MAX = 100;

interface DecidedPod {
  readonly history: PodHistory;
  readonly node: string | null;
}

export function comparePlacements(pods: Iterable<DecidedPod>): Placements {
  const counts = { same: 0, elsewhere: 0, onlyThere: 0, onlyHere: 0, nowhere: 0 };
  const differences: PlacementDifference[] = [];
  for (const { history, node: here } of pods) {
    const there = history.bound?.node ?? null;
    counts[kindOf(there, here)]++;
    if (there !== here && differences.length < DIFFERENCES_MAX) {
      differences.push({ pod: podKey(history.first), there, here });
    }
  }
  return { ...counts, differences };
}

function kindOf(there: string | null, here: string | null): Exclude<keyof Placements, 'differences'> {
  if (there === here) return there === null ? 'nowhere' : 'same';
  if (there === null) return 'onlyHere';
  return here === null ? 'onlyThere' : 'elsewhere';
}
