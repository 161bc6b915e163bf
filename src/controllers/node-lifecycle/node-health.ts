import { type Lease, renewedMillis, SILENT_RENEWAL } from '../../api/lease.ts';
import type { Node, NodeCondition } from '../../api/node.ts';
import { millisOfTime, timeAtMillis } from '../../api/time.ts';

/** What is remembered of a node from one look to the next. */
export interface NodeHealth {
  /** When a sign of life was seen last. */
  readonly probeMillis: number;
  readonly renewedMillis: number | undefined;
  readonly isSilent: boolean;
  readonly conditions: readonly NodeCondition[] | undefined;
  /** How long it may go on without a sign of life. */
  readonly graceMillis: number;
}

export interface GracePeriods {
  /** Of a node that has said something of itself; upstream: --node-monitor-grace-period. */
  readonly monitorMillis: number;
  /** Of one that has not yet; upstream: --node-startup-grace-period. */
  readonly startupMillis: number;
}

/**
 * What is known of a node after this look. A lease that was renewed, or conditions that were written, are signs of
 * life; when they were seen counts, not what time they tell.
 *
 * `seenMillis`: when a look at the node that is made at every period would first have seen something of that moment.
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
  const hasReady = conditions?.some(({ type }) => type === 'Ready') ?? false;
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
    return { ...health, probeMillis: isNew ? millisOfTime(createdMillis) : nowMillis };
  }
  let { probeMillis } = before;
  // The same list says the same: objects are frozen.
  if (conditions !== before.conditions && hasReady) probeMillis = nowMillis;
  if (renewed !== undefined && (before.renewedMillis === undefined || renewed > before.renewedMillis)) {
    const isSilence = before.isSilent || isSilent;
    probeMillis = Math.max(probeMillis, isSilence ? Math.min(nowMillis, seenMillis(renewed)) : nowMillis);
  }
  return { ...health, probeMillis };
}

/** Whether the node has been without a sign of life for too long. */
export function isOverdue({ probeMillis, graceMillis }: NodeHealth, nowMillis: number): boolean {
  return nowMillis > probeMillis + graceMillis;
}

const REPORTED = ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'];

/** The conditions of a node that nothing has been heard of; undefined when they say so already. */
export function unknownConditions({ status }: Node, nowMillis: number): readonly NodeCondition[] | undefined {
  const now = timeAtMillis(nowMillis);
  const before = status?.conditions ?? [];
  const unknown = REPORTED.map((type): NodeCondition => {
    const old = before.find((condition) => condition.type === type);
    if (old?.status === 'Unknown') return old;
    const why =
      old === undefined
        ? { reason: 'NodeStatusNeverUpdated', message: 'Kubelet never posted node status.' }
        : { reason: 'NodeStatusUnknown', message: 'Kubelet stopped posting node status.' };
    return { ...old, type, status: 'Unknown', ...why, lastTransitionTime: now };
  });
  if (unknown.every((condition) => before.includes(condition))) return undefined;
  return [...before.filter(({ type }) => !REPORTED.includes(type)), ...unknown];
}

export function readyStatus({ status }: Node): string | undefined {
  return status?.conditions?.find(({ type }) => type === 'Ready')?.status;
}
