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
import { RecentMap } from '../../lib/recent-map.ts';
import { frozenCopy } from '../../store/objects/frozen-copy.ts';
import type { StatusByName } from './named-statuses.ts';
import { hasAnyStarted, type PodPhase } from './phase.ts';

/** The conditions that a pod had, from which those that have not changed are kept. */
export interface ConditionHistory {
  readonly before: readonly PodCondition[] | undefined;
  readonly nowMillis: number;
}

/**
 * Whether the condition is of a type that only the kubelet writes. Upstream: PodConditionByKubelet in
 * pkg/kubelet/types/pod_status.go.
 */
export function isOwnedByKubelet({ type }: PodCondition): boolean {
  switch (type) {
    case 'PodReadyToStartContainers':
    case 'Initialized':
    case 'Ready':
    case 'ContainersReady':
    case 'PodScheduled':
      return true;
    default:
      return false;
  }
}

/**
 * The conditions of a pod, in the form in which a store has them. Pods whose conditions were the same list, and that
 * changed alike within a second, share the next list. Upstream: pkg/kubelet/status/generate.go.
 */
export function podConditions(
  { spec = {}, metadata, status }: Pod,
  phase: PodPhase,
  statuses: StatusByName,
  hasReadySandbox: boolean,
  { before, nowMillis }: ConditionHistory,
): readonly PodCondition[] {
  const notReady = readinessProblem(servingContainers(spec), statuses, phase) ?? NO_PROBLEM;
  const uninitialised = initialisationProblem(spec, statuses, phase);
  // A pod that has succeeded gives a reason even when the condition is true.
  const initialised = uninitialised ?? (phase === 'Succeeded' ? COMPLETED : NO_PROBLEM);
  const facts: Facts = {
    generation: metadata?.generation,
    hasReadySandbox,
    isInitialised: uninitialised === undefined,
    initialised,
    notReady,
    gated: notReady === NO_PROBLEM ? gateProblem(spec, status?.conditions) : notReady,
    time: timeAtMillis(nowMillis),
  };
  const last = before && sharedConditions.get(before);
  if (last !== undefined && areSame(last.facts, facts)) return last.conditions;
  const conditions = conditionsOf(facts, before);
  if (before !== undefined && Object.isFrozen(before)) sharedConditions.set(before, { facts, conditions });
  return conditions;
}

/** What the conditions of a pod follow from, beside those that it had. */
interface Facts {
  readonly generation: number | undefined;
  readonly hasReadySandbox: boolean;
  readonly isInitialised: boolean;
  readonly initialised: Problem;
  /** `NO_PROBLEM` if the containers are ready. */
  readonly notReady: Problem;
  /** `NO_PROBLEM` if the pod is ready. */
  readonly gated: Problem;
  /** A condition whose status changes gets this time. */
  readonly time: string;
}

/** The last conditions that followed those of this list. */
const sharedConditions = new RecentMap<
  readonly PodCondition[],
  { readonly facts: Facts; readonly conditions: readonly PodCondition[] }
>();

function areSame(a: Facts, b: Facts): boolean {
  if (a.time !== b.time || a.generation !== b.generation || a.hasReadySandbox !== b.hasReadySandbox) return false;
  if (a.isInitialised !== b.isInitialised) return false;
  if (!areSameProblems(a.gated, b.gated)) return false;
  return areSameProblems(a.notReady, b.notReady) && areSameProblems(a.initialised, b.initialised);
}

/** Whether both are no problem, or say the same. */
function areSameProblems(a: Problem, b: Problem): boolean {
  return a === b || (a !== NO_PROBLEM && b !== NO_PROBLEM && a.reason === b.reason && a.message === b.message);
}

/** The conditions, frozen; the earlier list itself if all are the same. */
function conditionsOf(facts: Facts, before: readonly PodCondition[] | undefined): readonly PodCondition[] {
  const { hasReadySandbox, isInitialised, initialised, notReady, gated } = facts;
  const conditions = [
    condition('PodReadyToStartContainers', hasReadySandbox, NO_PROBLEM, facts, before),
    condition('Initialized', isInitialised, initialised, facts, before),
    condition('Ready', gated === NO_PROBLEM, gated, facts, before),
    condition('ContainersReady', notReady === NO_PROBLEM, notReady, facts, before),
    condition('PodScheduled', true, NO_PROBLEM, facts, before),
  ];
  return before !== undefined && areTheVery(conditions, before) ? before : Object.freeze(conditions);
}

/** Whether the list is frozen, and has these items. */
function areTheVery(conditions: readonly PodCondition[], before: readonly PodCondition[]): boolean {
  if (before.length !== conditions.length || !Object.isFrozen(before)) return false;
  for (let i = 0; i < conditions.length; i++) if (conditions[i] !== before[i]) return false;
  return true;
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
  { generation: observedGeneration, time }: Facts,
  before: readonly PodCondition[] | undefined,
): PodCondition {
  const status = isTrue ? 'True' : 'False';
  const old = conditionOf(before, type);
  if (old?.status !== status || old.lastTransitionTime === undefined) {
    return frozenCondition(type, status, reason, message, observedGeneration, time);
  }
  const { lastTransitionTime, lastProbeTime } = old;
  const isSame = old.reason === reason && old.message === message && old.observedGeneration === observedGeneration;
  if (isSame && lastProbeTime === undefined && Object.isFrozen(old)) return old;
  return frozenCondition(type, status, reason, message, observedGeneration, lastTransitionTime);
}

/** A condition as a store has it. Each form is a literal, for which V8 takes no more room than it needs. */
function frozenCondition(
  type: string,
  status: 'True' | 'False',
  reason: string | undefined,
  message: string | undefined,
  observedGeneration: number | undefined,
  lastTransitionTime: PodCondition['lastTransitionTime'],
): PodCondition {
  if (observedGeneration === undefined || typeof lastTransitionTime !== 'string') {
    return frozenCopy({ type, status, reason, message, observedGeneration, lastTransitionTime });
  }
  if (reason !== undefined && message !== undefined) {
    return Object.freeze({ type, status, reason, message, observedGeneration, lastTransitionTime });
  }
  if (message !== undefined) return frozenCopy({ type, status, message, observedGeneration, lastTransitionTime });
  if (reason !== undefined) return Object.freeze({ type, status, reason, observedGeneration, lastTransitionTime });
  return Object.freeze({ type, status, observedGeneration, lastTransitionTime });
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

/** What others have yet to say of the pod before it is ready. Upstream: GeneratePodReadyCondition. */
function gateProblem({ readinessGates }: PodSpec, conditions: readonly PodCondition[] | undefined): Problem {
  if (readinessGates === undefined) return NO_PROBLEM;
  const messages = readinessGates.flatMap(({ conditionType }) => {
    const given = conditionOf(conditions, conditionType);
    if (given?.status === 'True') return [];
    return given === undefined
      ? `corresponding condition of pod readiness gate "${conditionType}" does not exist.`
      : `the status of pod readiness gate "${conditionType}" is not "True", but ${given.status}`;
  });
  return messages.length === 0 ? NO_PROBLEM : { reason: 'ReadinessGatesNotReady', message: messages.join(', ') };
}

/**
 * Whether the pod is ready or not by conditions that have changed since. Upstream: NeedToReconcilePodReadiness in
 * pkg/kubelet/status/status_manager.go.
 */
export function isReadinessOutdated({ spec, status }: Pod): boolean {
  if (!spec?.readinessGates) return false;
  const ready = conditionOf(status?.conditions, 'Ready');
  if (conditionOf(status?.conditions, 'ContainersReady')?.status !== 'True') return false;
  return ready !== undefined && ready.message !== gateProblem(spec, status?.conditions).message;
}

function initialisationProblem(spec: PodSpec, statuses: StatusByName, phase: PodPhase): Problem | undefined {
  const { initContainers = [] } = spec;
  if (initContainers.length === 0 || phase === 'Succeeded' || hasAnyStarted(spec, statuses)) return undefined;
  return problemOf(
    'ContainersNotInitialized',
    'incomplete',
    initContainers,
    statuses,
    ({ started, ready }, container) => (isSidecar(container) ? started === true : ready === true),
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
  for (let i = 0; i < containers.length; i++) {
    const container = containers[i] as Container;
    const { name = '' } = container;
    if (statuses.get(name) === undefined) unknown.push(name);
    else if (isBad(container)) bad.push(name);
  }
  const ofUnknown = unknown.length === 0 ? '' : listedAs('unknown', unknown);
  const ofBad = bad.length === 0 ? '' : listedAs(how, bad);
  return { reason, message: ofUnknown === '' || ofBad === '' ? ofUnknown + ofBad : `${ofUnknown}, ${ofBad}` };
}

function listedAs(what: string, names: readonly string[]): string {
  return `containers with ${what} status: [${names.length === 1 ? names[0] : names.join(' ')}]`;
}
