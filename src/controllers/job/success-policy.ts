import type { SuccessPolicy } from '../../api/job.ts';
import { IndexIntervals } from './index-intervals.ts';

/**
 * The rule that the succeeded indexes satisfy, described in words; undefined when there is none. Upstream:
 * job/success_policy.go.
 */
export function matchSuccessPolicy(
  policy: SuccessPolicy | undefined,
  completions: number,
  succeeded: IndexIntervals,
): string | undefined {
  if (policy === undefined || succeeded.isEmpty) return undefined;
  for (const [index, { succeededIndexes, succeededCount }] of (policy.rules ?? []).entries()) {
    const isMet =
      succeededIndexes === undefined
        ? succeededCount !== undefined && succeeded.total >= succeededCount
        : areRequiredMet(IndexIntervals.parse(succeededIndexes, completions), succeeded, succeededCount);
    if (isMet) return `Matched rules at index ${index}`;
  }
  return undefined;
}

/** Whether the required indexes have succeeded. A rule without any index below the completions is never satisfied. */
function areRequiredMet(required: IndexIntervals, succeeded: IndexIntervals, count: number | undefined): boolean {
  if (required.isEmpty) return false;
  const met = required.countCommon(succeeded);
  return met === required.total || (count !== undefined && met >= count);
}
