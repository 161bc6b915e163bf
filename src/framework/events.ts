import type { Kinds } from '../api/kinds.ts';
import type { PodInfo } from './pod-info.ts';

/**
 * What happened to one object, as far as scheduling is concerned: one bit each, so that a plugin can register several
 * at once (upstream's framework/events.go). Node and pod updates are told apart by what changed.
 */
export const ActionType = {
  Add: 1 << 0,
  Delete: 1 << 1,
  UpdateNodeAllocatable: 1 << 2,
  UpdateNodeLabel: 1 << 3,
  UpdateNodeTaint: 1 << 4,
  UpdateNodeCondition: 1 << 5,
  UpdateNodeAnnotation: 1 << 6,
  UpdateNodeDeclaredFeature: 1 << 7,
  UpdatePodLabel: 1 << 8,
  /** A request became smaller, or is gone. */
  UpdatePodScaleDown: 1 << 9,
  UpdatePodToleration: 1 << 10,
  UpdatePodSchedulingGatesEliminated: 1 << 11,
  UpdatePodGeneratedResourceClaim: 1 << 12,
  /** An update in which nothing of the above changed. Nobody registers for it alone. */
  UpdatePodOther: 1 << 13,
  /** Any update: what is told of objects other than nodes and pods. */
  Update: ((1 << 14) - 1) & ~0b11,
  All: (1 << 14) - 1,
} as const;

/** A set of bits of `ActionType`. */
export type ActionTypes = number;

/**
 * What kind of object an event is about. A registration for `Pod` also hears of `AssignedPod` (on a node, or nominated)
 * and of `UnschedulablePod` (any other).
 */
export type EventResource =
  | 'Pod'
  | 'AssignedPod'
  | 'UnschedulablePod'
  | 'Node'
  | 'PersistentVolume'
  | 'PersistentVolumeClaim'
  | 'storage.k8s.io/CSINode'
  | 'storage.k8s.io/CSIDriver'
  | 'storage.k8s.io/VolumeAttachment'
  | 'storage.k8s.io/CSIStorageCapacity'
  | 'storage.k8s.io/StorageClass'
  | 'resource.k8s.io/ResourceClaim'
  | 'resource.k8s.io/ResourceSlice'
  | 'resource.k8s.io/DeviceClass'
  | '*';

/** One kind of news about the cluster, or a set of them that a plugin wants to hear of. */
export interface ClusterEvent {
  readonly resource: EventResource;
  readonly actionType: ActionTypes;
  /** For logs and metrics: `NodeAdd`, `AssignedPodUpdatePodLabel`, ... */
  readonly label: string;
}

/** Whether an event may make a pod schedulable that a plugin rejected. */
export type QueueingHint = 'Queue' | 'QueueSkip';

/**
 * Asked about a pod that the plugin rejected, when something happened that the plugin registered for. The object is as
 * it was before (undefined: it was added) and as it is now (undefined: it is gone). Throwing counts as `Queue`.
 */
export type QueueingHintFn = (pod: PodInfo, oldObject: unknown, newObject: unknown) => QueueingHint;

/** Without `hint` every such event is worth another attempt. */
export interface ClusterEventWithHint {
  readonly event: ClusterEvent;
  readonly hint?: QueueingHintFn;
}

/** The type of the objects that events of a resource are about. */
type EventObject<R extends EventResource> = R extends keyof Kinds
  ? Kinds[R]
  : R extends `storage.k8s.io/${infer Kind extends keyof Kinds}`
    ? Kinds[Kind]
    : unknown;

/**
 * Whether the event is worth another attempt for the pod. It is declared as a method, so that a function may state
 * which versions its events have: an added object has none before, a deleted one none after.
 */
type IsWorthRetry<T> = { test(pod: PodInfo, before: T | undefined, after: T): boolean }['test'];

/** A registration of a plugin for events of one resource. Without `isWorthRetry` every such event queues the pod. */
export function eventWithHint<R extends EventResource>(
  resource: R,
  actionType: ActionTypes,
  isWorthRetry?: IsWorthRetry<EventObject<R>>,
): ClusterEventWithHint {
  const event = clusterEvent(resource, actionType);
  if (isWorthRetry === undefined) return { event };
  type Version = EventObject<R>;
  return {
    event,
    hint: (pod, before, after) => (isWorthRetry(pod, before as Version, after as Version) ? 'Queue' : 'QueueSkip'),
  };
}

const ACTION_NAMES: ReadonlyMap<number, string> = new Map(
  Object.entries(ActionType).map(([name, bits]) => [bits, name === 'UpdatePodOther' ? 'Update' : name]),
);

/** `label` for events that are not about an object. */
export function clusterEvent(resource: EventResource, actionType: ActionTypes, label?: string): ClusterEvent {
  return { resource, actionType, label: label ?? `${resource}${actionName(actionType)}` };
}

function actionName(actionType: ActionTypes): string {
  const known = ACTION_NAMES.get(actionType);
  if (known !== undefined) return known;
  const bits = [...ACTION_NAMES].filter(([bit]) => (bit & (bit - 1)) === 0 && (actionType & bit) !== 0);
  return bits.map(([, name]) => name).join('|');
}

export const EVENT_UNSCHEDULED_POD_ADD = clusterEvent('UnschedulablePod', ActionType.Add);
export const EVENT_UNSCHEDULED_POD_UPDATE = clusterEvent('UnschedulablePod', ActionType.UpdatePodOther);
export const EVENT_ASSIGNED_POD_ADD = clusterEvent('AssignedPod', ActionType.Add);
export const EVENT_ASSIGNED_POD_DELETE = clusterEvent('AssignedPod', ActionType.Delete);
/** Somebody wants the pod to be tried now. */
export const EVENT_FORCE_ACTIVATE = clusterEvent('*', ActionType.All, 'ForceActivate');
/** The pod has been unschedulable for very long. */
export const EVENT_UNSCHEDULABLE_TIMEOUT = clusterEvent('*', ActionType.All, 'UnschedulableTimeout');

export function isWildCard({ resource, actionType }: ClusterEvent): boolean {
  return resource === '*' && actionType === ActionType.All;
}

/** Whether what a plugin registered for covers what happened. */
export function matchesEvent(registered: ClusterEvent, incoming: ClusterEvent): boolean {
  if (isWildCard(registered)) return true;
  return (
    coversResource(registered.resource, incoming.resource) &&
    (registered.actionType & incoming.actionType) !== 0 &&
    incoming.actionType <= registered.actionType
  );
}

function coversResource(registered: EventResource, incoming: EventResource): boolean {
  if (registered === '*' || registered === incoming) return true;
  return registered === 'Pod' && (incoming === 'AssignedPod' || incoming === 'UnschedulablePod');
}

const EVERY_RESOURCE: readonly EventResource[] = [
  ...(['Pod', 'Node', 'PersistentVolume', 'PersistentVolumeClaim'] as const),
  ...(['storage.k8s.io/CSINode', 'storage.k8s.io/CSIDriver', 'storage.k8s.io/VolumeAttachment'] as const),
  ...(['storage.k8s.io/CSIStorageCapacity', 'storage.k8s.io/StorageClass'] as const),
  ...(['resource.k8s.io/ResourceClaim', 'resource.k8s.io/ResourceSlice', 'resource.k8s.io/DeviceClass'] as const),
];

/** What a plugin that can reject pods is told of when it does not say what it wants to hear. */
export const EVERY_EVENT: readonly ClusterEventWithHint[] = EVERY_RESOURCE.map((resource) => ({
  event: clusterEvent(resource, ActionType.All),
}));
