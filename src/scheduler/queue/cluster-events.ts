import type { Node, NodeCondition } from '../../api/node.ts';
import type { Pod } from '../../api/pod.ts';
import { exactPodRequests, mayBeResized } from '../../api/pod-requests.ts';
import { semanticallyEqual } from '../../api/semantic-equality.ts';
import {
  ActionType,
  type ActionTypes,
  type ClusterEvent,
  clusterEvent,
  type EventResource,
} from '../../framework/events.ts';

/**
 * The cluster events of an update of an object (upstream's framework/events.go): one for each change that matters to
 * scheduling, in the order of these lists.
 */

type ChangeCheck<T> = (before: T, after: T) => boolean;

function checksOf<T>(
  resource: EventResource,
  checks: readonly (readonly [ActionTypes, ChangeCheck<T>])[],
): readonly (readonly [ClusterEvent, ChangeCheck<T>])[] {
  return checks.map(([action, check]) => [clusterEvent(resource, action), check]);
}

const NODE_CHECKS = checksOf<Node>('Node', [
  // Upstream reports a node that becomes schedulable as a removed taint.
  [ActionType.UpdateNodeTaint, (before, after) => !!before.spec?.unschedulable && !after.spec?.unschedulable],
  [ActionType.UpdateNodeAllocatable, (a, b) => !semanticallyEqual(a.status?.allocatable, b.status?.allocatable)],
  [ActionType.UpdateNodeLabel, (a, b) => !semanticallyEqual(a.metadata?.labels, b.metadata?.labels)],
  [ActionType.UpdateNodeTaint, (a, b) => !semanticallyEqual(a.spec?.taints, b.spec?.taints)],
  [ActionType.UpdateNodeCondition, (a, b) => conditionsKey(a) !== conditionsKey(b)],
  [ActionType.UpdateNodeAnnotation, (a, b) => !semanticallyEqual(a.metadata?.annotations, b.metadata?.annotations)],
  [
    ActionType.UpdateNodeDeclaredFeature,
    (a, b) => !semanticallyEqual(a.status?.declaredFeatures, b.status?.declaredFeatures),
  ],
]);

/** Returns the events of a node update; none for heartbeats, images and the like. */
export function nodeSchedulingPropertiesChange(before: Node, after: Node): ClusterEvent[] {
  return NODE_CHECKS.flatMap(([event, hasChanged]) => (hasChanged(before, after) ? event : []));
}

function conditionsKey({ status }: Node): string {
  const words = (status?.conditions ?? []).map((condition: NodeCondition) => `${condition.type}=${condition.status}`);
  return words.sort().join();
}

type PodChecks = readonly (readonly [ActionTypes, ChangeCheck<Pod>])[];

const POD_CHECKS: PodChecks = [
  [ActionType.UpdatePodLabel, (a, b) => !semanticallyEqual(a.metadata?.labels, b.metadata?.labels)],
  [ActionType.UpdatePodScaleDown, isScaledDown],
  [
    ActionType.UpdatePodSchedulingGatesEliminated,
    (a, b) => !!a.spec?.schedulingGates?.length && !b.spec?.schedulingGates?.length,
  ],
  // The API lets tolerations be added, never changed or removed.
  [ActionType.UpdatePodToleration, (a, b) => (a.spec?.tolerations ?? []).length !== (b.spec?.tolerations ?? []).length],
  [ActionType.UpdatePodGeneratedResourceClaim, (a, b) => !semanticallyEqual(claimsIn(a), claimsIn(b))],
];

const ASSIGNED_POD_CHECKS = checksOf('AssignedPod', POD_CHECKS);
const UNSCHEDULABLE_POD_CHECKS = checksOf('UnschedulablePod', POD_CHECKS);
const OTHER_UPDATE_OF_ASSIGNED = [clusterEvent('AssignedPod', ActionType.UpdatePodOther)];
const OTHER_UPDATE_OF_UNSCHEDULABLE = [clusterEvent('UnschedulablePod', ActionType.UpdatePodOther)];

/** Returns the events of a pod update; UpdatePodOther if no change has an event of its own. */
export function podSchedulingPropertiesChange(before: Pod, after: Pod): readonly ClusterEvent[] {
  const isAssigned = !!after.spec?.nodeName;
  const checks = isAssigned ? ASSIGNED_POD_CHECKS : UNSCHEDULABLE_POD_CHECKS;
  let events: ClusterEvent[] | null = null;
  for (const [event, hasChanged] of checks) {
    if (!hasChanged(before, after)) continue;
    events ??= [];
    events.push(event);
  }
  if (events !== null) return events;
  return isAssigned ? OTHER_UPDATE_OF_ASSIGNED : OTHER_UPDATE_OF_UNSCHEDULABLE;
}

/** What the status says of claims, those of templates and the one for extended resources. */
function claimsIn({ status }: Pod): readonly unknown[] {
  return [status?.resourceClaimStatuses, status?.extendedResourceClaimStatus];
}

function isScaledDown(before: Pod, after: Pod): boolean {
  // Without a resize in the status, the requests of a pod follow from its spec.
  if (before.spec === after.spec && !mayBeResized(before.status) && !mayBeResized(after.status)) return false;
  const requests = exactPodRequests(after);
  for (const [name, { milliValue }] of exactPodRequests(before)) {
    const left = requests.get(name);
    // A removed request counts as scaled down, even if it was zero.
    if (left === undefined || left.milliValue < milliValue) return true;
  }
  return false;
}
