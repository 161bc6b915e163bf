import { type Node, readyStatus } from '../../api/node.ts';
import { podKey } from '../../api/object-name.ts';
import type { Pod } from '../../api/pod.ts';
import { isPodFinished, isPodReady } from '../../api/pod-conditions.ts';
import type { StatefulSet } from '../../api/stateful-set.ts';
import type { StoreClient } from '../../store/objects/store-client.ts';

/** Pods that do not run for the same reason. */
export interface OpenPodGroup {
  readonly reason: string;
  readonly count: number;
  /** Namespaces and names, in order. */
  readonly pods: readonly string[];
}

/** The pods that are to run and do not, by what they wait for, and then by reason. */
export interface OpenPods {
  readonly notScheduled: readonly OpenPodGroup[];
  /** Pods on a node that has not started them. */
  readonly notStarted: readonly OpenPodGroup[];
  /** Pods that were started, and do not work. */
  readonly notReady: readonly OpenPodGroup[];
  /** Pods whose node does not answer, and that nothing replaces. */
  readonly lost: readonly OpenPodGroup[];
  /** Pods of DaemonSets whose node does not answer: they come back with it. */
  readonly withTheirNode: readonly OpenPodGroup[];
  /** Pods that their controller has not made. */
  readonly missing: readonly OpenPodGroup[];
}

type Kind = keyof OpenPods;

/** Controllers that replace a pod as soon as it is to be deleted. */
const REPLACERS: ReadonlySet<string> = new Set(['ReplicaSet', 'ReplicationController', 'Job']);

/**
 * The pods of a cluster that are to run and do not.
 *
 * @param expands whether controllers make pods; otherwise none are missing
 */
export function openPods(client: Pick<StoreClient, 'list'>, expands: boolean): OpenPods {
  const nodes = new Map(client.list('nodes').items.map((node) => [node.metadata?.name ?? '', node]));
  const found: Record<Kind, Map<string, string[]>> = {
    ...{ notScheduled: new Map(), notStarted: new Map(), notReady: new Map() },
    ...{ lost: new Map(), withTheirNode: new Map(), missing: new Map() },
  };
  const add = (kind: Kind, reason: string, name: string): void => {
    const names = found[kind].get(reason);
    if (names === undefined) found[kind].set(reason, [name]);
    else names.push(name);
  };
  const pods = client.list('pods').items;
  for (const pod of pods) {
    const open = openAs(pod, nodes);
    if (open !== undefined) add(open[0], open[1], podKey(pod));
  }
  for (const set of expands ? client.list('statefulsets').items : []) {
    for (const [name, reason] of missingPods(set, pods)) add('missing', reason, name);
  }
  return Object.fromEntries(
    Object.entries(found).map(([kind, groups]) => [kind, sorted(groups)]),
  ) as unknown as OpenPods;
}

/** The number of pods that do not run, and could: those of a lost node are not counted if they belong to it. */
export function openCount({ notScheduled, notStarted, lost, missing }: OpenPods): number {
  return [notScheduled, notStarted, lost, missing].flat().reduce((sum, { count }) => sum + count, 0);
}

function openAs(pod: Pod, nodes: ReadonlyMap<string, Node>): readonly [Kind, string] | undefined {
  const { metadata, spec, status } = pod;
  if (isPodFinished(pod)) return undefined;
  const owner = metadata?.ownerReferences?.find(({ controller }) => controller === true)?.kind;
  const isGoing = metadata?.deletionTimestamp !== undefined;
  if (!spec?.nodeName) return isGoing ? undefined : ['notScheduled', unscheduledReason(pod)];
  const node = nodes.get(spec.nodeName);
  const isLost = node === undefined || (readyStatus(node) ?? 'True') !== 'True';
  if (isLost) {
    if (owner === 'DaemonSet') return ['withTheirNode', 'their node does not answer'];
    return isGoing && REPLACERS.has(owner ?? '') ? undefined : ['lost', lostReason(owner, isGoing)];
  }
  if (isGoing) return undefined;
  if (status?.phase !== 'Running') return ['notStarted', waitingReason(pod) ?? 'its node has not started it yet'];
  return isPodReady(pod) ? undefined : ['notReady', waitingReason(pod) ?? 'its containers are not ready'];
}

/** The reason of a pod before its first attempt. */
export const NOT_TRIED = 'no scheduler has looked at it yet';

/** Why the pod has no node, without what preemption found. */
export function unscheduledReason({ spec, status }: Pod): string {
  const condition = status?.conditions?.find(({ type, status: value }) => type === 'PodScheduled' && value === 'False');
  if (condition?.message) return shortFitError(condition.message);
  const name = spec?.schedulerName;
  return name && name !== 'default-scheduler' && condition === undefined
    ? `no scheduler has placed it (spec.schedulerName: ${name})`
    : NOT_TRIED;
}

const FIT_ERROR = /^\d+\/\d+ nodes are available: (.+?)\.(?: no new claims to deallocate,)? preemption: /;

/** What the nodes rejected the pod for, without their number and without what preemption found. */
function shortFitError(message: string): string {
  return FIT_ERROR.exec(message)?.[1] ?? message.replace(/\.$/, '');
}

function lostReason(owner: string | undefined, isGoing: boolean): string {
  if (owner === undefined) return 'its node does not answer, and no controller replaces it';
  const why = 'its node does not answer';
  if (owner !== 'StatefulSet' || !isGoing) return why;
  return `${why}, so that nobody confirms its end, and a StatefulSet makes no second pod of its name before`;
}

function waitingReason({ status }: Pod): string | undefined {
  const containers = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  const waiting = containers.find(({ state }) => state?.waiting !== undefined)?.state?.waiting;
  return waiting?.reason;
}

/** The pods of a StatefulSet that do not exist, and why. */
function missingPods({ metadata, spec }: StatefulSet, pods: readonly Pod[]): (readonly [string, string])[] {
  if (spec?.template === undefined || metadata?.deletionTimestamp !== undefined) return [];
  const present = new Map(
    pods.filter((pod) => pod.metadata?.namespace === metadata?.namespace).map((pod) => [pod.metadata?.name, pod]),
  );
  const start = spec.ordinals?.start ?? 0;
  const names = Array.from({ length: spec.replicas ?? 1 }, (_, i) => `${metadata?.name}-${start + i}`);
  const isOrdered = spec.podManagementPolicy !== 'Parallel';
  const first = names.find((name) => !isPodReady(present.get(name) ?? {}));
  return names
    .filter((name) => !present.has(name))
    .map((name) => {
      const isWaiting = isOrdered && first !== undefined && first !== name;
      const reason = isWaiting ? `not made: its StatefulSet waits for ${first}, in order` : 'not made yet';
      return [`${metadata?.namespace}/${name}`, reason];
    });
}

/** The largest groups first. */
function sorted(groups: ReadonlyMap<string, readonly string[]>): readonly OpenPodGroup[] {
  return [...groups]
    .map(([reason, names]): OpenPodGroup => ({ reason, count: names.length, pods: names }))
    .sort((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1));
}
