import type { Engine } from '../../engine/cycle/engine.ts';
import type { ClusterState } from '../../framework/cluster/cluster-state.ts';
import type { NodeSearch, SearchWindow } from '../../framework/node-search.ts';
import type { Framework } from '../../framework/runtime/framework.ts';
import type { DrawTie, TieBreak } from '../../framework/tie-break.ts';
import type { Extender } from '../extenders/extender.ts';

/** The framework, the engine and the options for decisions about the pods of one scheduler name. */
export interface Profile {
  readonly framework: Framework;
  readonly engine: Engine;
  readonly cluster: ClusterState;
  readonly search: NodeSearch;
  /** 0 adapts to the size of the cluster, and 100 means every node. */
  readonly percentageOfNodesToScore: number;
  readonly tieBreak: TieBreak;
  readonly draw: DrawTie;
  /** Whether PostFilter runs for a pod that fits nowhere. */
  readonly preemption: boolean;
  /** Whether a decision calls the PreEnqueue plugins; a queue has called them otherwise. */
  readonly asksGates: boolean;
  /** All extenders, in the order in which they are called. */
  readonly extenders: readonly Extender[];
}

/**
 * The window of the next search. If nothing scores nodes, and no extender filters them, it ends at one feasible node.
 */
export function searchWindow(profile: Profile): SearchWindow {
  const { search, framework, percentageOfNodesToScore, cluster, extenders } = profile;
  const window = search.window(percentageOfNodesToScore, cluster.nodeCount);
  const isScored = framework.scorePlugins.length > 0 || extenders.some((each) => each.has('prioritize'));
  return isScored || extenders.some((each) => each.has('filter')) ? window : { ...window, wanted: 1 };
}
