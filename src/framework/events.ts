import type { Kinds } from '../api/kinds.ts';
import type { PodInfo } from './pod-info.ts';

/**
 * The kinds of changes of one object that matter for scheduling, one bit each, so that a plugin can register several at
 * once (upstream's framework/events.go). Updates of nodes and pods are distinguished by what changed.
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
  /** A request was reduced or removed. */
  UpdatePodScaleDown: 1 << 9,
  UpdatePodToleration: 1 << 10,
  UpdatePodSchedulingGatesEliminated: 1 << 11,
  UpdatePodGeneratedResourceClaim: 1 << 12,
  /** An update without any of the changes above. No plugin registers for it alone. */
  UpdatePodOther: 1 << 13,
  /** Any update, which is the event for objects other than nodes and pods. */
  Update: ((1 << 14) - 1) & ~0b11,
  All: (1 << 14) - 1,
} as const;

/** A set of bits of `ActionType`. */
export type ActionTypes = number;

/**
 * The kind of object that an event is about. A registration for `Pod` includes `AssignedPod` (on a node, or nominated)
 * and `UnschedulablePod` (any other).
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
  | 'scheduling.k8s.io/PodGroup'
  | '*';

/** One kind of event in the cluster, or a set of kinds for which a plugin registers. */
export interface ClusterEvent {
  readonly resource: EventResource;
  readonly actionType: ActionTypes;
  /** The name in logs and metrics: `NodeAdd`, `AssignedPodUpdatePodLabel`, ... */
  readonly label: string;
}

/** Whether an event may make a pod schedulable that a plugin rejected. */
export type QueueingHint = 'Queue' | 'QueueSkip';

/**
 * Called for a pod that the plugin rejected, on an event that the plugin registered. `oldObject` is undefined if the
 * object was added, `newObject` if it was deleted. If the hint throws, the pod is queued.
 */
export type QueueingHintFn = (pod: PodInfo, oldObject: unknown, newObject: unknown) => QueueingHint;

/** An event for which a plugin registers. Without `hint` every such event queues the pod. */
export interface ClusterEventWithHint {
  readonly event: ClusterEvent;
  readonly hint?: QueueingHintFn;
  /** The parts of the rejected pod that the hint reads. Default: `pod`. */
  readonly reads?: HintReads;
  /** Keys that say which pods an event may help. Without them the hint is called for every pod. */
  readonly keys?: HintKeys;
}

/**
 * Keys by which the pods are found that an event may help. If a pod and an event have no key in common, the hint would
 * return QueueSkip, unless the event is about the pod itself. Null instead of keys: any pod, or any event.
 */
export interface HintKeys {
  ofPod(pod: PodInfo): readonly string[] | null;
  ofEvent(oldObject: unknown, newObject: unknown): readonly string[] | null;
}

/**
 * Keys of what decides whether a gated pod is let in. An event without one of the pod's keys leaves the pod gated, also
 * an event about the pod itself. Null instead of keys: any event, or any pod.
 */
export interface GateKeys {
  /** Whether no two pods have the same keys, so that they need not be compared. Absent: some have. */
  readonly differ?: true;
  ofPod(pod: PodInfo): readonly string[] | null;
  ofEvent(event: ClusterEvent, oldObject: unknown, newObject: unknown): readonly string[] | null;
}

/**
 * The parts of a pod that a hint reads. `template`: the parts that equal pods share, which are the spec without the
 * names of volumes, the namespace, the labels and the owners, and whether the event is about the pod itself. The hint
 * is then called once for all equal pods. `pod`: any part.
 */
export type HintReads = 'template' | 'pod';

type HintOptions = Pick<ClusterEventWithHint, 'reads' | 'keys'>;

const READS_TEMPLATE: HintOptions = { reads: 'template' };
export const READS_POD: HintOptions = { reads: 'pod' };

/** The type of the objects that events of a resource are about. */
type EventObject<R extends EventResource> = R extends keyof Kinds
  ? Kinds[R]
  : R extends `${'storage' | 'resource' | 'scheduling'}.k8s.io/${infer Kind extends keyof Kinds}`
    ? Kinds[Kind]
    : unknown;

/**
 * Whether the event is worth another attempt for the pod. It is declared as a method, so that a function may state
 * which versions its events have: an added object has none before, a deleted one none after.
 */
type IsWorthRetry<T> = { test(pod: PodInfo, before: T | undefined, after: T): boolean }['test'];

/**
 * A registration of one of our plugins for events of one resource. Without `isWorthRetry` every such event queues the
 * pod. A hint that reads the names of the pod's volumes reads more than its template.
 */
export function eventWithHint<R extends EventResource>(
  resource: R,
  actionType: ActionTypes,
  isWorthRetry?: IsWorthRetry<EventObject<R>>,
  options: HintOptions = READS_TEMPLATE,
): ClusterEventWithHint {
  const event = clusterEvent(resource, actionType);
  if (isWorthRetry === undefined) return { event };
  type Version = EventObject<R>;
  return {
    event,
    ...options,
    hint: (pod, before, after) => (isWorthRetry(pod, before as Version, after as Version) ? 'Queue' : 'QueueSkip'),
  };
}

const ACTION_NAMES: ReadonlyMap<number, string> = new Map(
  Object.entries(ActionType).map(([name, bits]) => [bits, name === 'UpdatePodOther' ? 'Update' : name]),
);

/** `label` is given for events that are not about an object. */
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
/** The pod is activated on request. */
export const EVENT_FORCE_ACTIVATE = clusterEvent('*', ActionType.All, 'ForceActivate');
/** The pod was unschedulable for the maximum time. */
export const EVENT_UNSCHEDULABLE_TIMEOUT = clusterEvent('*', ActionType.All, 'UnschedulableTimeout');

export function isWildCard({ resource, actionType }: ClusterEvent): boolean {
  return resource === '*' && actionType === ActionType.All;
}

/** Whether the registration of a plugin covers the event. */
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
  'scheduling.k8s.io/PodGroup',
];

/** The registrations of a plugin that can reject pods and does not declare its events. */
export const EVERY_EVENT: readonly ClusterEventWithHint[] = EVERY_RESOURCE.map((resource) => ({
  event: clusterEvent(resource, ActionType.All),
}));
