import {
  type Container,
  type ContainerStatus,
  isSidecar,
  type Pod,
  type PodCondition,
  type PodSpec,
} from '../../api/pod.ts';
import { timeAtMillis } from '../../api/time.ts';
import { someOf } from '../../lib/frozen-lists.ts';
import type { StatusByName } from './named-statuses.ts';
import type { PodPhase } from './phase.ts';

/** The conditions that a pod had, from which those that have not changed are kept. */
export interface ConditionHistory {
  readonly before: readonly PodCondition[] | undefined;
  readonly nowMillis: number;
}

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
  history: ConditionHistory,
): PodCondition[] {
  const generation = metadata?.generation;
  const notReady = readinessProblem(servingContainers(spec), statuses, phase);
  const uninitialised = initialisationProblem(spec.initContainers ?? [], statuses, phase);
  // A pod that has succeeded gives a reason even when the condition is true.
  const initialised = uninitialised ?? (phase === 'Succeeded' ? COMPLETED : NO_PROBLEM);
  return [
    condition('PodReadyToStartContainers', hasReadySandbox, NO_PROBLEM, generation, history),
    condition('Initialized', uninitialised === undefined, initialised, generation, history),
    condition('Ready', notReady === undefined, notReady ?? NO_PROBLEM, generation, history),
    condition('ContainersReady', notReady === undefined, notReady ?? NO_PROBLEM, generation, history),
    condition('PodScheduled', true, NO_PROBLEM, generation, history),
  ];
}

interface Problem {
  readonly reason?: string;
  readonly message?: string;
}

const NO_PROBLEM: Problem = {};
const COMPLETED: Problem = { reason: 'PodCompleted' };

/** The condition with its times: one whose status is unchanged keeps its transition time. */
function condition(
  type: string,
  isTrue: boolean,
  { reason, message }: Problem,
  observedGeneration: number | undefined,
  { before, nowMillis }: ConditionHistory,
): PodCondition {
  const status = isTrue ? 'True' : 'False';
  const old = conditionOf(before, type);
  if (old?.status !== status || old.lastTransitionTime === undefined) {
    return { type, status, reason, message, observedGeneration, lastTransitionTime: timeAtMillis(nowMillis) };
  }
  const { lastTransitionTime, lastProbeTime } = old;
  const isSame = old.reason === reason && old.message === message && old.observedGeneration === observedGeneration;
  if (isSame && lastProbeTime === undefined) return old;
  return { type, status, reason, message, observedGeneration, lastTransitionTime };
}

function conditionOf(conditions: readonly PodCondition[] | undefined, type: string): PodCondition | undefined {
  if (conditions === undefined) return undefined;
  // Conditions are frozen, and V8 steps through a frozen list by objects.
  for (let i = 0; i < conditions.length; i++) if (conditions[i]?.type === type) return conditions[i];
  return undefined;
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
  if (phase === 'Succeeded') return COMPLETED;
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
  const isBad = (container: Container): boolean => {
    const status = statuses.get(container.name ?? '');
    return status === undefined || !isGood(status, container);
  };
  if (!someOf(containers, isBad)) return undefined;
  const unknown: string[] = [];
  const bad: string[] = [];
  for (const container of containers) {
    const { name = '' } = container;
    if (statuses.get(name) === undefined) unknown.push(name);
    else if (isBad(container)) bad.push(name);
  }
  const lists = [['unknown', unknown] as const, [how, bad] as const].filter(([, names]) => names.length > 0);
  const message = lists.map(([what, names]) => `containers with ${what} status: [${names.join(' ')}]`).join(', ');
  return { reason, message };
}
