import { type CycleState, stateKey } from '../../framework/cycle-state.ts';
import type { ClusterEventWithHint } from '../../framework/events.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import type {
  FilterPlugin,
  PostFilterPlugin,
  PreBindPlugin,
  PreFilterPlugin,
  ReservePlugin,
  ScorePlugin,
} from '../../framework/plugin.ts';
import { LOOKS_AT_NOTHING, type NodeParts } from '../../framework/plugin.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { notHelped, type PostFilterContext, type PostFilterOutcome } from '../../framework/post-filter.ts';
import { errorStatus, type Status, skip, unschedulable } from '../../framework/status.ts';

export const DYNAMIC_RESOURCES = 'DynamicResources';

type Points = PreFilterPlugin & FilterPlugin & PostFilterPlugin & ScorePlugin & ReservePlugin & PreBindPlugin;

const PRE_FILTERED = stateKey<true>('DynamicResources');

/**
 * Upstream allocates resource claims here, which Berth does not have. For a pod without claims the plugin still takes
 * part in scoring, with 0 for every node, and adds its reason if no node fits.
 */
export class DynamicResources implements Points {
  readonly name = DYNAMIC_RESOURCES;
  readonly filterReads = 'node';
  readonly scoreReads = 'node';
  readonly normalize = { reverse: false };

  dependsOn(): null {
    return null;
  }

  looksAt(): NodeParts {
    return LOOKS_AT_NOTHING;
  }

  /** The plugin rejects no pod, so no event can help one. */
  eventsToRegister(): readonly ClusterEventWithHint[] {
    return [];
  }

  preFilter(state: CycleState, _pod: PodInfo): Status {
    state.write(PRE_FILTERED, true);
    return skip(this.name);
  }

  /** As upstream, this fails if an earlier plugin has ended PreFilter, so that the plugin's state was not written. */
  postFilter({ podState }: PostFilterContext): PostFilterOutcome {
    if (podState.read(PRE_FILTERED) === undefined) return notHelped(errorStatus(this.name, 'not found'));
    return notHelped(unschedulable(this.name, 'no new claims to deallocate'));
  }

  /** This runs only in profiles without PreFilter, which always returns Skip. */
  filter(): Status {
    return errorStatus(this.name, 'not found');
  }

  scoreFailure(state: CycleState): string | null {
    return state.read(PRE_FILTERED) === undefined ? 'not found' : null;
  }

  score(_state: CycleState, _pod: PodInfo, _node: NodeInfo): number {
    return 0;
  }

  reserves(): boolean {
    return false;
  }

  reserve(): null {
    return null;
  }

  unreserve(): void {}

  preBinds(): boolean {
    return false;
  }

  preBindPreFlight(): Status {
    return skip(this.name);
  }

  preBind(): null {
    return null;
  }
}
