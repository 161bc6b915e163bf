import type { CycleState } from '../../framework/cycle-state.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import type { ScorePlugin } from '../../framework/plugin.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { DYNAMIC_RESOURCES } from '../names.ts';

/**
 * Upstream allocates resource claims here. Berth knows no claims, and for a pod without claims all that remains of the
 * plugin is that it takes part in scoring, with 0 for every node.
 */
export class DynamicResources implements ScorePlugin {
  readonly name = DYNAMIC_RESOURCES;
  readonly scoreReads = 'node';

  score(_state: CycleState, _pod: PodInfo, _node: NodeInfo): number {
    return 0;
  }
}
