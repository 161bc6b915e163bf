import { schedulerNameOf } from '../api/defaults.ts';
import type { Pod } from '../api/pod.ts';
import { podGroupNameOf } from '../api/pod-group.ts';
import type { SchedulerProfile } from '../config/configuration.ts';
import type { ClusterRecord } from '../framework/cluster/cluster-record.ts';
import { recordsOfParts } from '../framework/cluster/restricted-record.ts';
import type { ResourceSpec } from '../framework/column-forms.ts';
import type { ExtenderCalls } from '../framework/extender-calls.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import { MAX_NODE_SCORE } from '../framework/plugin.ts';
import { errorStatus, isRejection, type Status, unschedulable } from '../framework/status.ts';
import { isAddedByGate } from '../plugins/make-plugins.ts';
import { NODE_RESOURCES_FIT } from '../plugins/node-resources/fit.ts';
import type { NodeResourcesFitArgs } from '../plugins/node-resources/fit-args.ts';
import { placementFullness } from '../plugins/node-resources/placement-score.ts';
import { POD_GROUP_PODS_COUNT } from '../plugins/registry.ts';
import type { CycleModules, ForkOptions } from './attempt.ts';
import type { StartedAttempt } from './cycle-steps.ts';
import { ClusterCopy } from './pod-group-copy.ts';
import { GROUP_SCHEDULED, type GroupTrial, type MemberTrial } from './pod-group-trial.ts';

/** The label in which the nodes of the group's pods have to agree; null if there is none. */
export function topologyKeyOf({ cluster, profiles }: CycleModules, { pod }: StartedAttempt): string | null {
  if (!profiles.environment.gates.TopologyAwareWorkloadScheduling) return null;
  const group = cluster.objects.get('PodGroup', podGroupNameOf(pod.pod), pod.namespace);
  return group?.spec?.schedulingConstraints?.topology?.[0]?.key ?? null;
}

/** All nodes are the one placement of a group without a topology constraint, where groups have placements at all. */
export function onAllNodes({ profiles }: CycleModules, trial: GroupTrial): GroupTrial {
  const { TopologyAwareWorkloadScheduling } = profiles.environment.gates;
  const isRejected = isRejection(trial.status) && !trial.waitsForPreemption;
  return TopologyAwareWorkloadScheduling && isRejected ? rejectedOn(1, trial) : trial;
}

/** The trial of the first placement, for all of them. */
function rejectedOn(placementCount: number, first: GroupTrial): GroupTrial {
  const why = `first placement status: ${first.status.reasons.join(', ')}`;
  return { ...first, status: unschedulable('', `0/${placementCount} placements are available, ${why}`) };
}

/**
 * Tries the group on each set of nodes that agree in the label (upstream's podGroupSchedulingPlacementAlgorithm), as if
 * there were no other nodes. Placements of many pods and full nodes are preferred, and of equal ones the first. If the
 * group has no place on any of them, the outcome of the first is reported.
 */
export function* tryPlacements(
  modules: CycleModules,
  pods: readonly StartedAttempt[],
  key: string,
): ExtenderCalls<PlacementTrials> {
  const pinned = pinnedValue(modules, pods[0] as StartedAttempt, key);
  if (pinned instanceof Error) return { tried: [], reported: null, trial: without(errorStatus('', pinned.message)) };
  const placements = placementsOf(modules, key, pinned);
  const tried: Placement[] = [];
  for (const [value, part] of recordsOfParts(modules.cluster.record(), placements)) {
    const names = placements.get(value) as ReadonlySet<string>;
    const fork = modules.forkProfiles({ part, ...engineFor(names.size * pods.length) });
    const copy = new ClusterCopy(fork, pods, modules.observer);
    const placement = { value, names, part, trial: inCluster(modules, pods, yield* copy.tryGroup()) };
    tried.push(placement);
    if (placement.trial.status.code === 'Error') return { tried, reported: placement, trial: placement.trial };
  }
  const feasible = tried.filter(({ trial }) => trial.status === GROUP_SCHEDULED || trial.waitsForPreemption);
  const [first] = tried;
  if (feasible.length > 0) {
    const reported = bestOf(modules, pods[0] as StartedAttempt, feasible);
    return { tried, reported, trial: reported.trial };
  }
  if (first === undefined)
    return { tried, reported: null, trial: without(unschedulable('', 'no feasible placements found')) };
  return { tried, reported: first, trial: rejectedOn(placements.size, first.trial) };
}

/** Columns take longer to make than so many looks at a node. */
const FEW_LOOKS = 512;

/** Who computes where pods look so often at a node: few looks are done before other engines have begun. */
function engineFor(looks: number): Pick<ForkOptions, 'engine'> {
  return looks <= FEW_LOOKS ? { engine: 'reference' } : {};
}

/** What was found about a group that has a topology constraint. */
export interface PlacementTrials {
  /** The outcome for the group. */
  readonly trial: GroupTrial;
  /** The placement whose outcome it is; null if there is none at all. */
  readonly reported: Placement | null;
  readonly tried: readonly Placement[];
}

/** A set of nodes on which the group was tried. */
interface Placement {
  /** The value of the label. */
  readonly value: string;
  readonly names: ReadonlySet<string>;
  /** The cluster with these nodes alone. */
  readonly part: ClusterRecord;
  readonly trial: GroupTrial;
}

/** The names of the nodes of each placement by value: of all, or of the one that is pinned. */
function placementsOf(
  { cluster }: CycleModules,
  key: string,
  pinned: string | null,
): ReadonlyMap<string, ReadonlySet<string>> {
  const byValue = new Map<string, Set<string>>();
  for (const { node, name } of cluster.nodeInfos()) {
    const value = node.metadata?.labels?.[key];
    if (value === undefined || (pinned !== null && value !== pinned)) continue;
    const names = byValue.get(value) ?? new Set();
    byValue.set(value, names.add(name));
  }
  return byValue;
}

/** The value on which pods of the group that have a node pin it; null if there are none. They have to agree. */
function pinnedValue({ cluster }: CycleModules, { pod }: StartedAttempt, key: string): string | null | Error {
  let pinned: string | null = null;
  for (const { metadata } of cluster.podGroupState(pod.namespace, podGroupNameOf(pod.pod)).scheduledPods()) {
    const { namespace = 'default', name = '' } = metadata ?? {};
    const nodeName = cluster.pods.get(namespace, name)?.nodeName ?? '';
    const node = cluster.node(nodeName)?.node;
    if (node === undefined) {
      const why = `nodeinfo not found for node name ${JSON.stringify(nodeName)}`;
      return unpinned(`getting node for pod ${namespace}/${name}: ${why}`);
    }
    const value = node.metadata?.labels?.[key];
    if (value === undefined) return unpinned(`no topology domain found for pod ${namespace}/${name}`);
    if (pinned !== null && pinned !== value) {
      return unpinned(`more than 1 domain found for pod group: ${pinned}, ${value}`);
    }
    pinned = value;
  }
  return pinned;
}

function unpinned(why: string): Error {
  return new Error(`cannot determine domain for already scheduled pods: ${why}`);
}

/** What was found in the copy, about the nodes of the cluster. */
function inCluster(
  { cluster }: CycleModules,
  pods: readonly StartedAttempt[],
  { members, ...trial }: GroupTrial,
): GroupTrial {
  const mapped = members.map((member, i): MemberTrial => {
    const { place } = member;
    const node = place === null ? undefined : (cluster.node(place.node.name) as NodeInfo);
    const started = pods[i] as StartedAttempt;
    return { ...member, started, place: place === null || node === undefined ? null : { ...place, node } };
  });
  return { ...trial, members: mapped };
}

/** The placement with the best sum of PodGroupPodsCount, which counts the group's pods, and NodeResourcesFit. */
function bestOf(modules: CycleModules, { pod }: StartedAttempt, placements: readonly Placement[]): Placement {
  const { cluster } = modules;
  const { countWeight, fitWeight, resources } = scoringOf(modules, pod.pod);
  const { scheduledCount } = cluster.podGroupState(pod.namespace, podGroupNameOf(pod.pod));
  const placed = placements.map(({ trial }) => trial.members.filter(({ place }) => place !== null));
  const counts = placed.map(({ length }) => scheduledCount + length);
  const most = Math.max(...counts);
  const totals = placements.map(({ names }, i) => {
    const nodes = [...names].flatMap((name) => cluster.node(name) ?? []);
    const pods = (placed[i] as readonly MemberTrial[]).map(({ started }) => started.pod);
    const share = Math.floor(((counts[i] as number) * MAX_NODE_SCORE) / most);
    return share * countWeight + placementFullness(nodes, pods, resources) * fitWeight;
  });
  return placements[totals.indexOf(Math.max(...totals))] as Placement;
}

/** How the pod's profile weighs the scores of placements, and resources in them. */
function scoringOf({ profiles }: CycleModules, pod: Pod): PlacementScoring {
  const all = profiles.configuration.profiles;
  const own = all.find(({ schedulerName }) => schedulerName === schedulerNameOf(pod)) ?? all[0];
  const { plugins, placementScoreWeights, args } = own as SchedulerProfile;
  const { scoringStrategy } = (args[NODE_RESOURCES_FIT] ?? {}) as Partial<NodeResourcesFitArgs>;
  const weightOf = (name: string): number =>
    plugins.placementScore.includes(name) ? (placementScoreWeights.get(name) ?? 1) : 0;
  const isAdded = isAddedByGate(own as SchedulerProfile, 'placementScore', POD_GROUP_PODS_COUNT);
  return {
    countWeight: isAdded ? 1 : weightOf(POD_GROUP_PODS_COUNT),
    fitWeight: weightOf(NODE_RESOURCES_FIT),
    resources: scoringStrategy?.resources,
  };
}

interface PlacementScoring {
  readonly countWeight: number;
  readonly fitWeight: number;
  readonly resources: readonly ResourceSpec[] | undefined;
}

function without(status: Status): GroupTrial {
  return { members: [], status, waitsForPreemption: false };
}
