import type { Node } from '../../api/node.ts';

/**
 * How much of a zone is down. In a disrupted zone nodes are evicted more slowly than in a normal one, since the zone
 * itself may be the cause.
 */
export type ZoneState = 'normal' | 'partial disruption' | 'full disruption';

const UNHEALTHY_SHARE = 0.55;
const LARGE_ZONE = 50;
/** The time from one eviction to the next. Upstream: --node-eviction-rate and --secondary-node-eviction-rate. */
const MILLIS_PER_NODE = 10_000;
const SECONDARY_MILLIS_PER_NODE = 100_000;

export function zoneOf({ metadata }: Node): string {
  const { 'topology.kubernetes.io/region': region = '', 'topology.kubernetes.io/zone': zone = '' } =
    metadata?.labels ?? {};
  return region === '' && zone === '' ? '' : `${region}:${zone}`;
}

/** The state of a zone. Upstream: ComputeZoneState. */
export function zoneState(readyCount: number, unreadyCount: number): ZoneState {
  if (readyCount === 0 && unreadyCount > 0) return 'full disruption';
  const share = unreadyCount / (readyCount + unreadyCount);
  return unreadyCount > 2 && share >= UNHEALTHY_SHARE ? 'partial disruption' : 'normal';
}

/** The time from one node that is tainted for eviction to the next in the zone; Infinity if none is tainted. */
export function millisPerNode(state: ZoneState, nodeCount: number): number {
  if (state !== 'partial disruption') return MILLIS_PER_NODE;
  return nodeCount > LARGE_ZONE ? SECONDARY_MILLIS_PER_NODE : Number.POSITIVE_INFINITY;
}
