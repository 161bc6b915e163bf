import { podGroupNameOf } from '../api/pod-group.ts';
import type { ExtenderCalls } from '../framework/extender-calls.ts';
import { DEFAULT_PREEMPTION } from '../framework/plugin-names.ts';
import type { PodInfo } from '../framework/pod-info.ts';
import { errorStatus, type Status, unresolvable, unschedulable } from '../framework/status.ts';
import { lowerUnits, sortUnits, splitByBudgets, type VictimUnit } from '../plugins/default-preemption/group-victims.ts';
import type { CycleModules } from './attempt.ts';
import type { StartedAttempt } from './cycle-steps.ts';
import { ClusterCopy } from './pod-group-copy.ts';
import { onAllNodes } from './pod-group-placements.ts';
import { GROUP_SCHEDULED } from './pod-group-trial.ts';
import type { Eviction } from './preemption-executor.ts';

/** What preemption for a whole group found. */
export interface GroupPreemption {
  /** Why nothing is evicted; null if the group waits for its victims. */
  readonly status: Status | null;
  /** Null if nobody is left to evict. */
  readonly eviction: Eviction | null;
}

/**
 * Looks for victims for a whole group (upstream's podgrouppreemption.go): in a copy of the cluster all pods of lower
 * priority are removed; if the group then has a place, they are put back one by one, the most important first, as far
 * as the group keeps a place.
 */
export function* preemptForGroup(
  modules: CycleModules,
  pods: readonly StartedAttempt[],
): ExtenderCalls<GroupPreemption> {
  const [{ pod: first, profile }] = pods as readonly [StartedAttempt];
  const { objects } = modules.cluster;
  if (!profile.framework.postFilterPlugins.some(({ name }) => name === DEFAULT_PREEMPTION)) {
    const text = 'default preemption plugin is not registered, workload aware preemption is disabled';
    return none(unschedulable('', text));
  }
  const group = objects.get('PodGroup', podGroupNameOf(first.pod), first.namespace);
  if (group === undefined) {
    const text = `podgroup.scheduling.k8s.io "${podGroupNameOf(first.pod)}" not found`;
    return none(errorStatus('', `failed to get pod group object: ${text}`));
  }
  if ((group.spec?.schedulingConstraints?.topology?.length ?? 0) > 0) {
    const text = 'workload aware preemption is not supported for pod groups with scheduling constraints';
    return none(unschedulable('', text));
  }
  if (pods.some(({ pod }) => pod.pod.spec?.preemptionPolicy === 'Never')) {
    return none(unschedulable('', 'not eligible due to preemptionPolicy=Never.'));
  }
  const potential = lowerUnits(modules.cluster.nodeInfos(), objects, group.spec?.priority ?? 0);
  if (potential.length === 0) return none(unresolvable('', 'No preemption victims found for incoming preemptor'));
  const found = yield* victimsAmong(modules, pods, potential);
  if ('code' in found) return none(found);
  const uid = group.metadata?.uid ?? '';
  return {
    status: null,
    eviction: modules.preemption.prepareForGroup(
      uid,
      pods.map(({ pod }) => pod),
      found,
    ),
  };
}

function none(status: Status): GroupPreemption {
  return { status, eviction: null };
}

/** Returns the pods that have to go, or why the group has no place without them either. */
function* victimsAmong(
  modules: CycleModules,
  pods: readonly StartedAttempt[],
  units: VictimUnit[],
): ExtenderCalls<readonly PodInfo[] | Status> {
  const copy = new ClusterCopy(modules.forkProfiles({ preemption: false }), pods, modules.observer);
  for (const unit of units) copy.remove(unit.pods);
  const { status } = onAllNodes(modules, yield* copy.tryGroup());
  if (status !== GROUP_SCHEDULED) return status;
  sortUnits(units);
  const { violating, nonViolating } = splitByBudgets(units, modules.cluster.objects);
  const victims: VictimUnit[] = [];
  for (const unit of [...violating, ...nonViolating]) {
    copy.putBack(unit.pods);
    const trial = yield* copy.tryGroup();
    if (trial.status === GROUP_SCHEDULED) continue;
    copy.remove(unit.pods);
    victims.push(unit);
  }
  sortUnits(victims);
  return victims.flatMap((unit) => unit.pods);
}
