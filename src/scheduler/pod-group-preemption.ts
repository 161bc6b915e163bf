import { podGroupNameOf } from '../api/pod-group.ts';
import type { Profiles } from '../core/profiles.ts';
import type { ExtenderCalls } from '../framework/extender-calls.ts';
import { PodInfo } from '../framework/pod-info.ts';
import { errorStatus, type Status, unresolvable, unschedulable } from '../framework/status.ts';
import { lowerUnits, sortUnits, splitByBudgets, type VictimUnit } from '../plugins/default-preemption/group-victims.ts';
import type { CycleModules } from './attempt.ts';
import type { StartedAttempt } from './cycle-steps.ts';
import { GROUP_SCHEDULED, type GroupTrial, type TrialRoom, tryMembers } from './pod-group-trial.ts';
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
  const [{ pod: first }] = pods as readonly [StartedAttempt];
  const { objects } = modules.cluster;
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
  const copy = new ClusterCopy(modules, pods);
  for (const unit of units) copy.remove(unit);
  const { status } = yield* copy.tryGroup();
  if (status !== GROUP_SCHEDULED) return status;
  sortUnits(units);
  const { violating, nonViolating } = splitByBudgets(units, modules.cluster.objects);
  const victims: VictimUnit[] = [];
  for (const unit of [...violating, ...nonViolating]) {
    copy.putBack(unit);
    const trial = yield* copy.tryGroup();
    if (trial.status === GROUP_SCHEDULED) continue;
    copy.remove(unit);
    victims.push(unit);
  }
  sortUnits(victims);
  return victims.flatMap((unit) => unit.pods);
}

/** A copy of the cluster, in which nothing that happens matters. */
class ClusterCopy {
  readonly #profiles: Profiles;
  readonly #room: TrialRoom;
  readonly #pods: readonly StartedAttempt[];

  constructor({ forkProfiles, observer }: CycleModules, pods: readonly StartedAttempt[]) {
    const profiles = forkProfiles();
    this.#profiles = profiles;
    this.#pods = pods.flatMap((started) => startedIn(profiles, started) ?? []);
    this.#room = {
      profiles,
      assume: (pod, node, chargedBy) => {
        profiles.cluster.pods.assume(pod, node, chargedBy);
        return true;
      },
      forget: (pod) => profiles.cluster.pods.forget(pod),
      evictionOf: () => null,
      tried: (pod, nodeName) => observer?.memberTried?.(pod.pod, nodeName),
    };
  }

  remove({ pods }: VictimUnit): void {
    for (const { namespace, name } of pods) this.#profiles.cluster.pods.remove(namespace, name);
  }

  putBack({ pods }: VictimUnit): void {
    for (const { pod, nodeName } of pods) {
      const known = pod.spec?.nodeName === nodeName ? pod : { ...pod, spec: { ...pod.spec, nodeName } };
      this.#profiles.cluster.pods.add(known);
    }
  }

  tryGroup(): ExtenderCalls<GroupTrial> {
    return tryMembers(this.#room, this.#pods);
  }
}

/** The attempt, as if the copy made it. */
function startedIn({ templates }: Profiles, started: StartedAttempt): StartedAttempt | null {
  const { pod } = started.pod;
  const template = templates.of(pod);
  if (template.profile === undefined) return null;
  const info = new PodInfo(pod, template.requirements, '');
  info.template = template;
  return { ...started, pod: info, template, profile: template.profile };
}
