import type { Node, NodeCondition } from '../../api/node.ts';
import { timeAtMillis } from '../../api/time.ts';
import type { PlegHealth } from '../pleg/generic-pleg.ts';

type NewCondition = Pick<NodeCondition, 'type' | 'status' | 'reason' | 'message'>;

const PRESSURES: readonly NewCondition[] = [
  condition('MemoryPressure', 'False', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'),
  condition('DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'),
  condition('PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'),
];

const READY = condition('Ready', 'True', 'KubeletReady', 'kubelet is posting ready status');

function condition(type: string, status: string, reason: string, message: string): NewCondition {
  return { type, status, reason, message };
}

/** The conditions that a node agent reports of its node. Upstream: pkg/kubelet/nodestatus/setters.go. */
export function nodeConditions(health: PlegHealth): readonly NewCondition[] {
  const ready = health.ok
    ? READY
    : condition('Ready', 'False', 'KubeletNotReady', `PLEG is not healthy: ${health.error}`);
  return [...PRESSURES, ready];
}

/** Whether the node shows these conditions already, whatever their times. */
export function showsConditions({ status }: Node, conditions: readonly NewCondition[]): boolean {
  return conditions.every((condition) => {
    const shown = status?.conditions?.find(({ type }) => type === condition.type);
    // The message is not compared, since it contains a duration that changes all the time.
    return shown?.status === condition.status && shown.reason === condition.reason;
  });
}

/** The node with these conditions, and with those that others have set. */
export function withConditions(node: Node, conditions: readonly NewCondition[], nowMillis: number): Node {
  const now = timeAtMillis(nowMillis);
  const before = node.status?.conditions ?? [];
  const own = conditions.map((condition): NodeCondition => {
    const old = before.find(({ type }) => type === condition.type);
    const lastTransitionTime = old?.status === condition.status ? (old.lastTransitionTime ?? now) : now;
    const { type, status, reason, message } = condition;
    // A literal needs less room than a copy to which members are added.
    return { type, status, reason, message, lastHeartbeatTime: now, lastTransitionTime };
  });
  const others = before.filter(({ type }) => !conditions.some((condition) => condition.type === type));
  return { ...node, status: { ...node.status, conditions: [...others, ...own] } };
}
