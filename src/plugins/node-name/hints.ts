import { ActionType, type ClusterEventWithHint, clusterEvent } from '../../framework/events.ts';

/** The node may be the one that the pod names. */
export const NODE_NAME_EVENTS: readonly ClusterEventWithHint[] = [{ event: clusterEvent('Node', ActionType.Add) }];
