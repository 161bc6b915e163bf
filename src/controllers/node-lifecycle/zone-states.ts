import type { Node } from '../../api/node.ts';

/** How much of a zone is down: nothing is evicted as fast as from healthy zones when it may be the zone's fault. */
export type ZoneState = 'normal' | 'partial disruption' | 'full disruption';

const UNHEALTHY_SHARE = 0.55;
const LARGE_ZONE = 50;
/** Upstream: --node-eviction-rate and --secondary-node-eviction-rate, as the time from one node to the next. */
const MILLIS_PER_NODE = 10_000;
const SECONDARY_MILLIS_PER_NODE = 100_000;

export function zoneOf({ metadata }: Node): string {
  const { 'topology.kubernetes.io/region': region = '', 'topology.kubernetes.io/zone': zone = '' } =
    metadata?.labels ?? {};
  return region === '' && zone === '' ? '' : `${region}:${zone}`;
}

/** Upstream: ComputeZoneState. */
export function zoneState(readyCount: number, unreadyCount: number): ZoneState {
  if (readyCount === 0 && unreadyCount > 0) return 'full disruption';
  const share = unreadyCount / (readyCount + unreadyCount);
  return unreadyCount > 2 && share >= UNHEALTHY_SHARE ? 'partial disruption' : 'normal';
}

/** From one node that is tainted for eviction to the next in the zone; Infinity: none is. */
export function millisPerNode(state: ZoneState, nodeCount: number): number {
  if (state !== 'partial disruption') return MILLIS_PER_NODE;
  return nodeCount > LARGE_ZONE ? SECONDARY_MILLIS_PER_NODE : Number.POSITIVE_INFINITY;
}
