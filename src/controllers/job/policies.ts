import type {
  PodFailurePolicy,
  PodFailurePolicyOnExitCodes,
  PodFailurePolicyRule,
  SuccessPolicy,
} from '../../api/job.ts';
import type { ContainerStatus, Pod } from '../../api/pod.ts';
import { IndexIntervals } from './index-intervals.ts';

/** The effect of a failed pod on its Job. */
export interface FailureVerdict {
  /** The action of the rule that matches; absent if none does. */
  readonly action?: string;
  /** Whether the failure counts against the back-off limits. */
  readonly counts: boolean;
  /** The message with which the whole Job fails, if it does. */
  readonly failJobMessage?: string;
}

const COUNTED: FailureVerdict = { counts: true };

const VERDICTS: Readonly<Record<string, FailureVerdict>> = {
  Ignore: { action: 'Ignore', counts: false },
  FailIndex: { action: 'FailIndex', counts: true },
  Count: { action: 'Count', counts: true },
};

/**
 * Judges a failed pod by the first rule that matches; without one the failure counts. Upstream:
 * job/pod_failure_policy.go.
 */
export function judgeFailedPod(policy: PodFailurePolicy | undefined, pod: Pod): FailureVerdict {
  for (const [index, rule] of (policy?.rules ?? []).entries()) {
    const what = whatMatches(rule, pod);
    if (what === undefined) continue;
    const { action } = rule;
    if (action === 'FailJob') {
      return { action, counts: true, failJobMessage: `${what} matching FailJob rule at index ${index}` };
    }
    const verdict = Object.hasOwn(VERDICTS, action) ? VERDICTS[action] : undefined;
    // A rule with an unknown action decides nothing, so the next rule is tried.
    if (verdict !== undefined) return verdict;
  }
  return COUNTED;
}

/** Describes how the rule matches the pod, as the beginning of a sentence; undefined if it does not match. */
function whatMatches({ onExitCodes, onPodConditions }: PodFailurePolicyRule, pod: Pod): string | undefined {
  const { namespace, name } = pod.metadata ?? {};
  if (onExitCodes !== undefined) {
    const container = matchingContainer(pod, onExitCodes);
    if (container === undefined) return undefined;
    const code = container.state?.terminated?.exitCode;
    return `Container ${container.name} for pod ${namespace}/${name} failed with exit code ${code}`;
  }
  for (const { type, status } of pod.status?.conditions ?? []) {
    const matches = onPodConditions?.some((pattern) => pattern.type === type && (pattern.status ?? 'True') === status);
    if (matches) return `Pod ${namespace}/${name} has condition ${type}`;
  }
  return undefined;
}

function matchingContainer(pod: Pod, requirement: PodFailurePolicyOnExitCodes): ContainerStatus | undefined {
  const matches = (status: ContainerStatus) => isMatching(status, requirement);
  return pod.status?.containerStatuses?.find(matches) ?? pod.status?.initContainerStatuses?.find(matches);
}

/** Whether the container's exit code matches. An exit code of 0 never does, whatever the operator. */
function isMatching({ name, state }: ContainerStatus, requirement: PodFailurePolicyOnExitCodes): boolean {
  const exitCode = state?.terminated?.exitCode ?? 0;
  if (exitCode === 0) return false;
  if (requirement.containerName !== undefined && requirement.containerName !== name) return false;
  if (requirement.operator === 'In') return requirement.values.includes(exitCode);
  return requirement.operator === 'NotIn' && !requirement.values.includes(exitCode);
}

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
