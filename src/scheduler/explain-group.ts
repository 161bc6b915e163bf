import { podKey } from '../api/object-name.ts';
import type { Pod } from '../api/pod.ts';
import { podGroupKeyOf, podGroupNameOf } from '../api/pod-group.ts';
import { explainPod } from '../core/decision/explain-pod.ts';
import type { Explanation } from '../core/decision/result.ts';
import type { ClusterRecord } from '../framework/cluster/cluster-record.ts';
import { withoutExtenderCalls } from '../framework/extender-calls.ts';
import type { CycleModules } from './attempt.ts';
import type { StartedAttempt } from './cycle-steps.ts';
import { ClusterCopy } from './pod-group-copy.ts';
import { onAllNodes, topologyKeyOf, tryPlacements } from './pod-group-placements.ts';
import { GROUP_SCHEDULED, type GroupTrial } from './pod-group-trial.ts';
import type { QueuedPodInfo } from './queue/queued-pod-info.ts';

/** What a trial of a group found for one of its pods. */
export interface MemberVerdict {
  /** Namespace and name. */
  readonly pod: string;
  /** Where it would go, beside the pods that were tried before it; null: it has no place there. */
  readonly node: string | null;
  /** Why it has no place. */
  readonly message: string;
}

/** What a trial of a group found on the nodes that agree in a label. */
export interface PlacementVerdict {
  /** Such as `rack=r1`. */
  readonly placement: string;
  readonly nodeCount: number;
  /** How many of the pods that wait have a place there. */
  readonly placedCount: number;
  readonly hasPlace: boolean;
  /** Why the first pod without a place has none; empty if all have one. */
  readonly message: string;
}

/** How it stands with a group of pods. */
export interface GroupExplanation {
  /** Namespace and name. */
  readonly group: string;
  /** The number of pods that a gang needs; null for a group that is none, or is not there. */
  readonly minCount: number | null;
  /** How many of its pods there are. */
  readonly podCount: number;
  /** How many of them are on nodes. */
  readonly scheduledCount: number;
  /** Whether the pods that wait would be scheduled now; null if none of them waits to be tried. */
  readonly hasPlace: boolean | null;
  /** What the group's condition would say. */
  readonly message: string;
  /** What was found on the nodes of each value of the label that a topology constraint names; absent without one. */
  readonly placements?: readonly PlacementVerdict[];
  /** The pods that wait to be tried, in the order in which that is done; of several placements on the one reported. */
  readonly members: readonly MemberVerdict[];
  /** The pod that is explained: the one asked about, or the first without a place if that one has a place. */
  readonly explained: string;
}

/** What is found about a pod and its group. */
export interface InGroup {
  /** Null for a pod of no group. */
  readonly group: GroupExplanation | null;
  /** Null for a pod that is tried by itself, or not at all. */
  readonly explanation: Explanation | null;
}

/** How pods are changed before they are tried. */
export type PodChange = (pod: Pod) => Pod;

/** Tries the group of a pod in a copy of the cluster, where nothing matters. A pod on a node is explained anew. */
export function explainInGroup(modules: CycleModules, asked: Pod, change: PodChange | null = null): InGroup {
  const name = podGroupNameOf(asked);
  const anew = asked.spec?.nodeName ? explanationAnew(modules, asked) : null;
  if (name === '') return { group: null, explanation: anew };
  const { cluster, queue } = modules;
  const namespace = asked.metadata?.namespace || 'default';
  const { podCount, scheduledCount } = cluster.podGroupState(namespace, name);
  const { spec } = cluster.objects.get('PodGroup', name, namespace) ?? {};
  const counts = { minCount: spec?.schedulingPolicy?.gang?.minCount ?? null, podCount, scheduledCount };
  const waiting = [...queue.pendingPods()].filter(
    ({ podInfo, gatingPlugin }) => gatingPlugin === '' && podGroupKeyOf(podInfo.pod) === podGroupKeyOf(asked),
  );
  const pods = queue.orderMembers(waiting).flatMap((queued) => startedOf(modules, queued, change) ?? []);
  const group = { group: `${namespace}/${name}`, ...counts, members: [], explained: podKey(asked) };
  if (!pods.some(({ pod }) => pod.key === podKey(asked))) {
    return { group: { ...group, hasPlace: null, message: '' }, explanation: anew };
  }
  const { trial, placements, ...where } = tried(modules, pods);
  const members = trial.members.map(({ started, place, failure }) => ({
    pod: started.pod.key,
    node: place?.node.name ?? null,
    message: failure?.message ?? '',
  }));
  const index = explainedIndex(members, podKey(asked));
  const { status } = trial;
  const hasPlace = status === GROUP_SCHEDULED;
  const explained = members[index]?.pod ?? podKey(asked);
  return {
    group: { ...group, hasPlace, message: status.reasons.join(', '), ...placements, members, explained },
    explanation: index < 0 ? null : explanationBeside(modules, pods, { index, ...where }),
  };
}

function startedOf(
  { profiles, loop, podInfoOf }: CycleModules,
  queued: QueuedPodInfo,
  change: PodChange | null,
): StartedAttempt | null {
  const pod = change === null ? queued.podInfo : podInfoOf(change(queued.podInfo.pod));
  const template = profiles.templates.of(pod.pod);
  const { profile } = template;
  return profile === undefined ? null : { queued, pod, template, profile, startMillis: loop.nowMillis() };
}

interface Tried extends ExplainedPlace {
  readonly trial: GroupTrial;
  readonly placements: Pick<GroupExplanation, 'placements'>;
}

function tried(modules: CycleModules, pods: readonly StartedAttempt[]): Tried {
  const silent = { ...modules, observer: null };
  const key = topologyKeyOf(silent, pods[0] as StartedAttempt);
  if (key === null) {
    const copy = new ClusterCopy(modules.forkProfiles({ preemption: false }), pods, null);
    return { trial: onAllNodes(silent, withoutExtenderCalls(copy.tryGroup())), placements: {} };
  }
  const found = withoutExtenderCalls(tryPlacements(silent, pods, key));
  const placements = found.tried.map(({ value, names, trial }): PlacementVerdict => {
    const placedCount = trial.members.filter(({ place }) => place !== null).length;
    const message = trial.members.find(({ place }) => place === null)?.failure?.message ?? '';
    const hasPlace = trial.status === GROUP_SCHEDULED;
    return { placement: `${key}=${value}`, nodeCount: names.size, placedCount, hasPlace, message };
  });
  const { trial, reported } = found;
  return { trial, ...(reported !== null && { part: reported.part }), placements: { placements } };
}

/** The place of the pod to explain among the members: one without a node tells more. */
function explainedIndex(members: readonly MemberVerdict[], asked: string): number {
  const own = members.findIndex(({ pod }) => pod === asked);
  if (own < 0 || members[own]?.node === null) return own;
  const rejected = members.findIndex(({ node }) => node === null);
  return rejected < 0 ? own : rejected;
}

/** Where members are explained. */
interface ExplainedPlace {
  /** The part of the cluster in which the group was tried; absent: all of it. */
  readonly part?: ClusterRecord;
}

/** The explanation of a member, by its place among them, beside those that are tried before it. */
function explanationBeside(
  modules: CycleModules,
  pods: readonly StartedAttempt[],
  { index, ...where }: ExplainedPlace & { readonly index: number },
): Explanation | null {
  const profiles = modules.forkProfiles(where);
  const copy = new ClusterCopy(profiles, pods, null);
  const { pod } = pods[index] as StartedAttempt;
  let explanation: Explanation | null = null;
  const explain = (triedCount: number): void => {
    const profile = profiles.of(pod.pod);
    if (triedCount !== index || profile === undefined) return;
    explanation = withoutExtenderCalls(explainPod(profile, profiles.cluster.pods.toSchedule(pod.pod)));
  };
  explain(0);
  withoutExtenderCalls(copy.tryGroup(explain));
  return explanation;
}

/** The explanation of a pod that is on a node, as if it were not. */
function explanationAnew(modules: CycleModules, placed: Pod): Explanation | null {
  const profiles = modules.forkProfiles({});
  const { pods } = profiles.cluster;
  pods.remove(placed.metadata?.namespace || 'default', placed.metadata?.name ?? '');
  const { nodeName: _, ...spec } = placed.spec ?? { containers: [] };
  const pod = { ...placed, spec };
  // The gang has as many pods as before.
  pods.groups?.add(pod);
  const profile = profiles.of(pod);
  return profile === undefined ? null : withoutExtenderCalls(explainPod(profile, pods.toSchedule(pod)));
}
