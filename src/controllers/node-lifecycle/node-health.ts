import { type Lease, renewedMillis, SILENT_RENEWAL } from '../../api/lease.ts';
import { type Node, type NodeCondition, readyStatus } from '../../api/node.ts';
import { millisOfTime, timeAtMillis } from '../../api/time.ts';
import { combined } from '../../lib/combined.ts';

/** The state of a node that is kept from one check to the next. */
export interface NodeHealth {
  /** When a sign of life was last seen. */
  readonly probeMillis: number;
  readonly renewedMillis: number | undefined;
  readonly isSilent: boolean;
  readonly conditions: readonly NodeCondition[] | undefined;
  /** How long the node may go without a sign of life. */
  readonly graceMillis: number;
}

/** How long nodes may be silent. */
export interface GracePeriods {
  /** The grace period of a node that has reported its status; upstream: --node-monitor-grace-period. */
  readonly monitorMillis: number;
  /** The grace period of a node that has not reported yet; upstream: --node-startup-grace-period. */
  readonly startupMillis: number;
}

/**
 * The health of a node after a check. A renewed lease and newly written conditions are signs of life; they count from
 * when they were seen, not from the time that they contain.
 *
 * `seenMillis`: the time at which a controller that checks at every period would first have seen a change made at the
 * given time.
 *
 * Upstream: tryUpdateNodeHealth in pkg/controller/nodelifecycle/node_lifecycle_controller.go.
 */
export function observedHealth(
  node: Node,
  lease: Lease | undefined,
  before: NodeHealth | undefined,
  nowMillis: number,
  { monitorMillis, startupMillis }: GracePeriods,
  seenMillis: (millis: number) => number,
): NodeHealth {
  const conditions = node.status?.conditions;
  const hasReady = readyStatus(node) !== undefined;
  const renewed = lease && renewedMillis(lease, nowMillis);
  const isSilent = lease?.metadata?.annotations?.[SILENT_RENEWAL] !== undefined;
  const health = {
    renewedMillis: renewed,
    isSilent,
    conditions,
    graceMillis: hasReady ? monitorMillis : startupMillis,
  };
  if (before === undefined) {
    const createdMillis = node.metadata?.creationTimestamp;
    const isNew = !hasReady && createdMillis !== undefined;
    return combined(health, { probeMillis: isNew ? millisOfTime(createdMillis) : nowMillis });
  }
  let { probeMillis } = before;
  // Stored objects are frozen, so the same list has the same contents.
  if (conditions !== before.conditions && hasReady) probeMillis = nowMillis;
  if (renewed !== undefined && (before.renewedMillis === undefined || renewed > before.renewedMillis)) {
    const isSilence = before.isSilent || isSilent;
    probeMillis = Math.max(probeMillis, isSilence ? Math.min(nowMillis, seenMillis(renewed)) : nowMillis);
  }
  return combined(health, { probeMillis });
}

/** Whether the node has been without a sign of life for too long. */
export function isOverdue({ probeMillis, graceMillis }: NodeHealth, nowMillis: number): boolean {
  return nowMillis > probeMillis + graceMillis;
}

const REPORTED = ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'];

/** The conditions of a node without signs of life; undefined when it has them already. */
export function unknownConditions({ metadata, status }: Node, nowMillis: number): readonly NodeCondition[] | undefined {
  const unknown = { status: 'Unknown', lastTransitionTime: timeAtMillis(nowMillis) };
  const before = status?.conditions ?? [];
  const stopped = { ...unknown, reason: 'NodeStatusUnknown', message: 'Kubelet stopped posting node status.' };
  const next: NodeCondition[] = before.map((old) =>
    REPORTED.includes(old.type) && old.status !== 'Unknown' ? { ...old, ...stopped } : old,
  );
  for (const type of REPORTED) {
    if (before.some((condition) => condition.type === type)) continue;
    const why = { reason: 'NodeStatusNeverUpdated', message: 'Kubelet never posted node status.' };
    next.push({ type, ...unknown, ...why, lastHeartbeatTime: metadata?.creationTimestamp });
  }
  return next.every((condition, i) => condition === before[i]) ? undefined : next;
}
