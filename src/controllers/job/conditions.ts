import type { Job, JobCondition } from '../../api/job.ts';
import { timeAtMillis } from '../../api/time.ts';

/** A condition that is true from now on. */
export function newCondition(type: string, reason: string, message: string, nowMillis: number): JobCondition {
  const now = timeAtMillis(nowMillis);
  return { type, status: 'True', lastProbeTime: now, lastTransitionTime: now, reason, message };
}

export function trueConditionOf(job: Job, type: string): JobCondition | undefined {
  return job.status?.conditions?.find((condition) => condition.type === type && condition.status === 'True');
}

/**
 * The conditions with this one, which replaces the one of its type if they differ; the given list itself when nothing
 * changes. A condition that is false is not added. Upstream: ensureJobConditionStatus.
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
