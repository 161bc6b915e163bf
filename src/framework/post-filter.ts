import type { Extender } from '../core/extenders/extender.ts';
import type { Asking } from '../core/extenders/transport.ts';
import type { PreemptionReport } from '../core/result.ts';
import type { CycleState } from './cycle-state.ts';
import type { NodeInfo } from './node-info.ts';
import type { PostFilterPlugin } from './plugin.ts';
import type { PodInfo } from './pod-info.ts';
import type { Framework } from './runtime/framework.ts';
import { type Code, errorStatus, type Status, unschedulable } from './status.ts';

/** What filtering said of the nodes when none was feasible (upstream's NodeToStatus). */
export interface NodeToStatus {
  /** In snapshot order. */
  nodesWithCode(code: Code): readonly NodeInfo[];
  /** null for a node that is not known. */
  statusOf(nodeName: string): Status | null;
  /** Every different rejection. */
  distinct(): Iterable<Status>;
}

/** What a PostFilter plugin is told of the failed attempt. */
export interface PostFilterContext {
  readonly framework: Framework;
  /** As PreFilter left it; to be cloned before pods are moved. */
  readonly state: CycleState;
  readonly pod: PodInfo;
  readonly statuses: NodeToStatus;
  /** Picks one of n: where upstream draws at random. */
  readonly draw: (n: number) => number;
  /** Somebody asks why: look at every node and report. */
  readonly explain: boolean;
  /** Evictions may be tried out by sums of requests where that is exact; false: always with every plugin. */
  readonly numeric: boolean;
  /** Have a word about preemption, if they are interested in the pod. */
  readonly extenders: readonly Extender[];
}

export interface PostFilterOutcome {
  /** Success: the pod will fit on `nominatedNodeName` once the victims are gone. */
  readonly status: Status;
  /** '' takes the pod's earlier nomination back, null leaves it. */
  readonly nominatedNodeName: string | null;
  /** To be evicted by the caller; most important first. */
  readonly victims: readonly PodInfo[];
  /** Only when it was asked for, and only from a plugin that preempts. */
  readonly preemption: PreemptionReport | null;
}

export function notHelped(status: Status): PostFilterOutcome {
  return { status, nominatedNodeName: null, victims: [], preemption: null };
}

/**
 * Runs the plugins until one succeeds or gives up for good; otherwise all reasons together (upstream's framework.go).
 */
export function* runPostFilter(
  plugins: readonly PostFilterPlugin[],
  context: PostFilterContext,
): Asking<PostFilterOutcome> {
  const { trace } = context.framework.watch;
  const reasons: string[] = [];
  let nominatedNodeName: string | null = null;
  let preemption: PreemptionReport | null = null;
  let rejectedBy = '';
  for (const plugin of plugins) {
    trace?.startPlugin('postFilter', plugin.name);
    const outcome = plugin.askingPostFilter ? yield* plugin.askingPostFilter(context) : plugin.postFilter(context);
    trace?.end(outcome.status.code);
    const { code } = outcome.status;
    if (code === 'Success' || code === 'UnschedulableAndUnresolvable') return outcome;
    preemption ??= outcome.preemption;
    if (code !== 'Unschedulable') {
      return { ...notHelped(errorStatus(plugin.name, outcome.status.reasons.join(', '))), preemption };
    }
    nominatedNodeName = outcome.nominatedNodeName ?? nominatedNodeName;
    rejectedBy ||= plugin.name;
    reasons.push(...outcome.status.reasons);
  }
  return { status: unschedulable(rejectedBy, ...reasons), nominatedNodeName, victims: [], preemption };
}
