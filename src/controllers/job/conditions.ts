import type { Job, JobCondition } from '../../api/job.ts';
import { timeAtMillis } from '../../api/time.ts';

/** A condition that is true, since now. */
export function newCondition(type: string, reason: string, message: string, nowMillis: number): JobCondition {
  const now = timeAtMillis(nowMillis);
  return { type, status: 'True', lastProbeTime: now, lastTransitionTime: now, reason, message };
}

export function trueConditionOf(job: Job, type: string): JobCondition | undefined {
  return job.status?.conditions?.find((condition) => condition.type === type && condition.status === 'True');
}

/**
 * The conditions with this one in them, replacing the one of its type if it says something else; the list itself when
 * nothing changes. That something is false is not worth a condition of its own. Upstream: ensureJobConditionStatus.
 */
export function withCondition(
  conditions: readonly JobCondition[] | undefined,
  condition: JobCondition,
): readonly JobCondition[] | undefined {
  const list = conditions ?? [];
  const index = list.findIndex(({ type }) => type === condition.type);
  const old = list[index];
  if (old === undefined) return condition.status === 'False' ? conditions : [...list, condition];
  const { status, reason, message } = condition;
  if (old.status === status && old.reason === reason && old.message === message) return conditions;
  return list.with(index, condition);
}
