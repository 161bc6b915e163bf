import { podGroupNameOf } from '../../api/pod-group.ts';
import type { FeatureGates } from '../../config/feature-gates.ts';
import { ActionType, type ClusterEventWithHint, eventWithHint } from '../../framework/events.ts';
import { type ExtenderCalls, withoutExtenderCalls } from '../../framework/extender-calls.ts';
import type { Handle } from '../../framework/handle.ts';
import type { PostFilterPlugin, PreEnqueuePlugin } from '../../framework/plugin.ts';
import { DEFAULT_ENVIRONMENT, type PluginCluster, type PluginEnvironment } from '../../framework/plugin-definition.ts';
import { DEFAULT_PREEMPTION } from '../../framework/plugin-names.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import {
  notHelped,
  PostFilterAttempt,
  type PostFilterContext,
  type PostFilterOutcome,
} from '../../framework/post-filter.ts';
import { type Status, unresolvable, unschedulable } from '../../framework/status.ts';
import { DEFAULT_PREEMPTION_ARGS, type DefaultPreemptionArgs } from './args.ts';
import { Evaluator } from './evaluator.ts';

const WAITS_FOR_PREEMPTION = 'waiting for the preemption for this pod to be finished';

/** Makes room for a pod that fits on no node, by evicting pods of lower priority from one node. */
export class DefaultPreemption implements PostFilterPlugin {
  readonly name = DEFAULT_PREEMPTION;
  readonly #snapshot: PluginCluster;
  readonly #evaluator: Evaluator;
  readonly #gates: FeatureGates;

  constructor(
    snapshot: PluginCluster,
    args: DefaultPreemptionArgs = DEFAULT_PREEMPTION_ARGS,
    { gates }: Pick<PluginEnvironment, 'gates'> = DEFAULT_ENVIRONMENT,
  ) {
    this.#snapshot = snapshot;
    this.#gates = gates;
    this.#evaluator = new Evaluator(this.name, snapshot, args);
  }

  /**
   * Deletions of pods are registered so that the pod is looked at while its victims are evicted: then the plugins that
   * rejected it are asked. By itself a deletion is not worth another attempt.
   */
  eventsToRegister(): readonly ClusterEventWithHint[] {
    return [eventWithHint('Pod', ActionType.Delete, () => false)];
  }

  postFilter(context: PostFilterContext): PostFilterOutcome {
    const { framework, pod, statuses, draw, explain } = context;
    const alone = new PostFilterAttempt(context, { framework, pod, statuses, draw, explain });
    return withoutExtenderCalls(this.postFilterWithExtenders(alone));
  }

  *postFilterWithExtenders(context: PostFilterContext): ExtenderCalls<PostFilterOutcome> {
    const reason = this.#ineligible(context);
    if (reason !== null) return notHelped(unschedulable(this.name, `preemption: ${reason}`));
    const outcome = yield* this.#evaluator.preempt(context);
    const { code, plugin, reasons } = outcome.status;
    if (reasons.length === 0) return outcome;
    return { ...outcome, status: { code, plugin, reasons: [`preemption: ${reasons.join(', ')}`] } };
  }

  /** Returns why the pod may not preempt (upstream's PodEligibleToPreemptOthers); null if it may. */
  #ineligible({ pod, statuses }: PostFilterContext): string | null {
    const groupReason = this.#groupReason(pod);
    if (groupReason !== null) return groupReason;
    if (pod.pod.spec?.preemptionPolicy === 'Never') return 'not eligible due to preemptionPolicy=Never.';
    const { nominatedNodeName } = pod;
    const node = nominatedNodeName === '' ? undefined : this.#snapshot.node(nominatedNodeName);
    if (node === undefined) return null;
    // Evictions cannot help on the nominated node any more, so the pod may preempt on another one.
    if (statuses.statusOf(nominatedNodeName)?.code === 'UnschedulableAndUnresolvable') return null;
    const isVictim = (other: PodInfo): boolean => other.priority < pod.priority && isTerminatingByPreemption(other);
    return node.pods.some(isVictim) ? 'not eligible due to a terminating pod on the nominated node.' : null;
  }

  /** Returns why a pod of a group may not preempt by itself; null if it may. */
  #groupReason({ pod, namespace }: PodInfo): string | null {
    const { GenericWorkload, WorkloadAwarePreemption, TopologyAwareWorkloadScheduling } = this.#gates;
    const name = podGroupNameOf(pod);
    if (!GenericWorkload || name === '') return null;
    const { schedulingConstraints } = this.#snapshot.objects.get('PodGroup', name, namespace)?.spec ?? {};
    if (TopologyAwareWorkloadScheduling && (schedulingConstraints?.topology?.length ?? 0) > 0) {
      return 'not eligible due to placement-based pod group scheduling limitation';
    }
    return WorkloadAwarePreemption ? 'not eligible due to workload aware preemption enabled' : null;
  }
}

function isTerminatingByPreemption({ pod }: PodInfo): boolean {
  if (!pod.metadata?.deletionTimestamp) return false;
  const target = pod.status?.conditions?.find(({ type }) => type === 'DisruptionTarget');
  return target?.status === 'True' && target.reason === 'PreemptionByScheduler';
}

/**
 * DefaultPreemption where evictions take time: until the last victim is being deleted, the pod waits, because another
 * attempt would only find other victims.
 */
export class AsynchronousPreemption extends DefaultPreemption implements PreEnqueuePlugin {
  readonly #handle: Handle;

  constructor(
    handle: Handle,
    cluster: PluginCluster,
    args: DefaultPreemptionArgs | undefined,
    environment?: PluginEnvironment,
  ) {
    super(cluster, args, environment);
    this.#handle = handle;
  }

  preEnqueue({ uid }: PodInfo): Status | null {
    return this.#handle.isPreempting(uid) ? unresolvable(this.name, WAITS_FOR_PREEMPTION) : null;
  }
}
