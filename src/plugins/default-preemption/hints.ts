import { ActionType, type ClusterEventWithHint, clusterEvent } from '../../framework/events.ts';

/**
 * The registration opens the gate of a pod whose victims are being evicted, so that the plugins that rejected the pod
 * are asked. By itself it is no reason to try again.
 */
export const DEFAULT_PREEMPTION_EVENTS: readonly ClusterEventWithHint[] = [
  { event: clusterEvent('Pod', ActionType.Delete), hint: () => 'QueueSkip' },
];
