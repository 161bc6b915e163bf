import {
  type Container,
  type ContainerStatus,
  isSidecar,
  type Pod,
  type PodCondition,
  type PodSpec,
} from '../../api/pod.ts';
import type { PodPhase, StatusByName } from './phase.ts';

/** A condition without its times, which are added later. */
export type NewCondition = Omit<PodCondition, 'lastProbeTime' | 'lastTransitionTime'>;

/**
 * The condition types that only the kubelet writes. Upstream: PodConditionByKubelet in pkg/kubelet/types/pod_status.go.
 */
const OWNED_BY_KUBELET: ReadonlySet<string> = new Set([
  'PodReadyToStartContainers',
  'Initialized',
  'Ready',
  'ContainersReady',
  'PodScheduled',
]);

export function isOwnedByKubelet({ type }: PodCondition): boolean {
  return OWNED_BY_KUBELET.has(type);
}

/** The conditions of a pod. Upstream: pkg/kubelet/status/generate.go. */
export function podConditions(
  { spec = {}, metadata }: Pod,
  phase: PodPhase,
  statuses: StatusByName,
  hasReadySandbox: boolean,
): NewCondition[] {
  const observedGeneration = metadata?.generation;
  const condition = (type: string, problem?: Problem): NewCondition => {
    const status = problem === undefined ? 'True' : 'False';
    return { type, status, reason: problem?.reason, message: problem?.message, observedGeneration };
  };
  const notReady = readinessProblem(servingContainers(spec), statuses, phase);
  return [
    condition('PodReadyToStartContainers', hasReadySandbox ? undefined : {}),
    initializedCondition(),
    condition('Ready', notReady),
    condition('ContainersReady', notReady),
    condition('PodScheduled'),
  ];

  function initializedCondition(): NewCondition {
    const problem = initialisationProblem(spec.initContainers ?? [], statuses, phase);
    // A pod that has succeeded gives a reason even when the condition is true.
    if (problem === undefined && phase === 'Succeeded') return { ...condition('Initialized'), reason: 'PodCompleted' };
    return condition('Initialized', problem);
  }
}

interface Problem {
  readonly reason?: string;
  readonly message?: string;
}

/** The containers that have to be ready for the pod to be ready. */
function servingContainers({ initContainers = [], containers = [] }: PodSpec): readonly Container[] {
  return initContainers.length === 0 ? containers : [...initContainers.filter(isSidecar), ...containers];
}

function readinessProblem(
  containers: readonly Container[],
  statuses: StatusByName,
  phase: PodPhase,
): Problem | undefined {
  if (phase === 'Succeeded') return { reason: 'PodCompleted' };
  if (phase === 'Failed') return { reason: 'PodFailed' };
  return problemOf('ContainersNotReady', 'unready', containers, statuses, ({ ready }) => ready === true);
}

function initialisationProblem(
  containers: readonly Container[],
  statuses: StatusByName,
  phase: PodPhase,
): Problem | undefined {
  if (containers.length === 0 || phase === 'Succeeded') return undefined;
  return problemOf('ContainersNotInitialized', 'incomplete', containers, statuses, ({ started, ready }, container) =>
    isSidecar(container) ? started === true : ready === true,
  );
}

/** The problem of containers that have no status, or one that is not good; `how` says what the latter is. */
function problemOf(
  reason: string,
  how: string,
  containers: readonly Container[],
  statuses: StatusByName,
  isGood: (status: ContainerStatus, container: Container) => boolean,
): Problem | undefined {
  const unknown: string[] = [];
  const bad: string[] = [];
  for (const container of containers) {
    const { name = '' } = container;
    const status = statuses.get(name);
    if (status === undefined) unknown.push(name);
    else if (!isGood(status, container)) bad.push(name);
  }
  if (unknown.length + bad.length === 0) return undefined;
  const lists = [['unknown', unknown] as const, [how, bad] as const].filter(([, names]) => names.length > 0);
  const message = lists.map(([what, names]) => `containers with ${what} status: [${names.join(' ')}]`).join(', ');
  return { reason, message };
}
