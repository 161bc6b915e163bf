import type { ClusterEventWithHint } from '../../framework/events.ts';
import { type ExtenderCalls, withoutExtenderCalls } from '../../framework/extender-calls.ts';
import type { PodNominator, PostFilterPlugin, Snapshot } from '../../framework/plugin.ts';
import { DEFAULT_PREEMPTION } from '../../framework/plugin-names.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { notHelped, type PostFilterContext, type PostFilterOutcome } from '../../framework/post-filter.ts';
import { unschedulable } from '../../framework/status.ts';
import type { CandidateLimits } from './candidates.ts';
import { Evaluator } from './evaluator.ts';
import { DEFAULT_PREEMPTION_EVENTS } from './hints.ts';

export type DefaultPreemptionArgs = CandidateLimits;

const DEFAULT_PREEMPTION_ARGS: DefaultPreemptionArgs = {
  minCandidateNodesPercentage: 10,
  minCandidateNodesAbsolute: 100,
};

/** Makes room for a pod that fits nowhere by evicting pods of lower priority from one node. */
export class DefaultPreemption implements PostFilterPlugin {
  readonly name = DEFAULT_PREEMPTION;
  readonly #snapshot: Snapshot & PodNominator;
  readonly #evaluator: Evaluator;

  constructor(snapshot: Snapshot & PodNominator, args: DefaultPreemptionArgs = DEFAULT_PREEMPTION_ARGS) {
    this.#snapshot = snapshot;
    this.#evaluator = new Evaluator(this.name, snapshot, args);
  }

  eventsToRegister(): readonly ClusterEventWithHint[] {
    return DEFAULT_PREEMPTION_EVENTS;
  }

  postFilter(context: PostFilterContext): PostFilterOutcome {
    const { processPreemption: _none, ...rest } = context;
    return withoutExtenderCalls(this.postFilterWithExtenders(rest));
  }

  *postFilterWithExtenders(context: PostFilterContext): ExtenderCalls<PostFilterOutcome> {
    const reason = this.#ineligible(context);
    if (reason !== null) return notHelped(unschedulable(this.name, `preemption: ${reason}`));
    const outcome = yield* this.#evaluator.preempt(context);
    const { code, plugin, reasons } = outcome.status;
    if (reasons.length === 0) return outcome;
    return { ...outcome, status: { code, plugin, reasons: [`preemption: ${reasons.join(', ')}`] } };
  }

  /** Why the pod may not preempt (upstream's PodEligibleToPreemptOthers); null when it may. */
  #ineligible({ pod, statuses }: PostFilterContext): string | null {
    if (pod.pod.spec?.preemptionPolicy === 'Never') return 'not eligible due to preemptionPolicy=Never.';
    const { nominatedNodeName } = pod;
    const node = nominatedNodeName === '' ? undefined : this.#snapshot.node(nominatedNodeName);
    if (node === undefined) return null;
    // Evictions cannot help on the nominated node any more: the pod looks for another one.
    if (statuses.statusOf(nominatedNodeName)?.code === 'UnschedulableAndUnresolvable') return null;
    const isLeaving = (other: PodInfo): boolean => other.priority < pod.priority && isTerminatingByPreemption(other);
    return node.pods.some(isLeaving) ? 'not eligible due to a terminating pod on the nominated node.' : null;
  }
}

function isTerminatingByPreemption({ pod }: PodInfo): boolean {
  if (!pod.metadata?.deletionTimestamp) return false;
  const target = pod.status?.conditions?.find(({ type }) => type === 'DisruptionTarget');
  return target?.status === 'True' && target.reason === 'PreemptionByScheduler';
}
