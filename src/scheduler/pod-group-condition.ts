import type { Condition } from '../api/meta.ts';
import { POD_GROUP_SCHEDULED, type PodGroup } from '../api/pod-group.ts';
import { statusPatch } from '../api/pod-status-patch.ts';
import { timeAtMillis } from '../api/time.ts';
import { isRejection, type Status } from '../framework/status.ts';
import { type Awaiting, awaited } from '../lib/maybe-promise.ts';
import type { SchedulerApi } from './scheduler-api.ts';

/**
 * Patches the group's status with the outcome of an attempt; makes no call if nothing changes. A group that was
 * scheduled once stays so, although pods that come later may find no place. @throws ApiError
 */
export function* patchPodGroup(api: SchedulerApi, group: PodGroup, status: Status, nowMillis: number): Awaiting<void> {
  const { namespace = 'default', name = '', generation } = group.metadata ?? {};
  const before = group.status ?? {};
  const conditions = before.conditions ?? [];
  const known = conditions.find(({ type }) => type === POD_GROUP_SCHEDULED);
  const next = conditionOf(status);
  if (known?.status === 'True' && next.status !== 'True') return;
  const lastTransitionTime = known?.status === next.status ? known.lastTransitionTime : timeAtMillis(nowMillis);
  const condition: Condition = { ...next, ...(generation && { observedGeneration: generation }), lastTransitionTime };
  const others = conditions.map((each) => (each === known ? condition : each));
  const after = known === undefined ? [...conditions, condition] : others;
  const body = statusPatch(before, { ...before, conditions: after });
  if (body !== undefined) yield* awaited(api.patchPodGroupStatus(namespace, name, { status: body }));
}

function conditionOf({ code, reasons }: Status): Condition {
  const message = reasons.join(', ');
  if (code === 'Success') return { type: POD_GROUP_SCHEDULED, status: 'True', reason: 'Scheduled', message };
  const reason = isRejection({ code }) ? 'Unschedulable' : 'SchedulerError';
  return { type: POD_GROUP_SCHEDULED, status: 'False', reason, message };
}
