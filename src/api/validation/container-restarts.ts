import { someOf } from '../../lib/frozen-lists.ts';
import type { Container, ContainerRestartRule, ContainerStatus, PodSpec, PodStatus } from '../pod.ts';
import { isMissing, type Problem } from './check.ts';
import { forbidden } from './field-error.ts';

/**
 * The problems of a new status in which a container runs again that had ended for good. Upstream:
 * ValidateContainerStateTransition in pkg/apis/core/validation/validation.go.
 */
export function containerRestartProblems(spec: PodSpec, status: PodStatus, before: PodStatus): readonly Problem[] {
  const { containerStatuses, initContainerStatuses } = before;
  const mayRestart = containerStatuses !== status.containerStatuses && hasEnded(containerStatuses);
  const mayRestartInit = initContainerStatuses !== status.initContainerStatuses && hasEnded(initContainerStatuses);
  // Most containers have not ended, and most that have ended stay so.
  if (!mayRestart && !mayRestartInit) return NO_PROBLEMS;
  return [
    ...(mayRestart ? restartsIn('containerStatuses', spec.containers, spec, status, before) : NO_PROBLEMS),
    ...(mayRestartInit ? restartsIn('initContainerStatuses', spec.initContainers, spec, status, before) : NO_PROBLEMS),
  ];
}

function hasEnded(statuses: readonly ContainerStatus[] | undefined): boolean {
  return someOf(statuses, ({ state }) => state?.terminated?.exitCode !== undefined);
}

const NO_PROBLEMS: readonly Problem[] = [];

function restartsIn(
  list: 'containerStatuses' | 'initContainerStatuses',
  containers: readonly Container[] = [],
  spec: PodSpec,
  status: PodStatus,
  before: PodStatus,
): readonly Problem[] {
  const next = status[list] ?? [];
  const known = before[list] ?? [];
  return known.flatMap(({ name, state }, index) => {
    const exitCode = state?.terminated?.exitCode;
    if (exitCode === undefined || !next.some((other) => other.name === name && isMissing(other.state?.terminated)))
      return [];
    const container = containers.find((other) => other.name === name);
    if (container !== undefined && mayRunAgain(container, spec, exitCode)) return [];
    return [forbidden(`status.${list}[${index}].state`, 'may not be transitioned to non-terminated state')];
  });
}

/**
 * Whether the container may run again. A rule for the exit code takes precedence over the container's policy, and that
 * over the pod's.
 */
function mayRunAgain(container: Container, spec: PodSpec, exitCode: number): boolean {
  if (restartsAll(spec.containers) || restartsAll(spec.initContainers)) return true;
  if (container.restartPolicyRules?.some((rule) => isAbout(rule, exitCode))) return true;
  const policy = container.restartPolicy || spec.restartPolicy || 'Always';
  return policy === 'Always' || (policy === 'OnFailure' && exitCode !== 0);
}

/** Whether a rule restarts all containers when one ends. */
function restartsAll(containers: readonly Container[] | undefined): boolean {
  const isAll = ({ action }: ContainerRestartRule): boolean => action === 'RestartAllContainers';
  return containers?.some(({ restartPolicyRules }) => restartPolicyRules?.some(isAll)) ?? false;
}

function isAbout({ exitCodes }: ContainerRestartRule, exitCode: number): boolean {
  const { operator, values } = exitCodes ?? {};
  // The shape of stored rules has not been checked.
  const isListed = Array.isArray(values) && values.includes(exitCode);
  return operator === 'In' ? isListed : operator === 'NotIn' && !isListed;
}
