import {
  type Container,
  type ContainerState,
  type ContainerStatus,
  isSidecar,
  type Pod,
  type PodSpec,
} from '../../api/pod.ts';
import { timeAtMillis } from '../../api/time.ts';
import { combined } from '../../lib/combined.ts';
import { everyOf, someOf } from '../../lib/frozen-lists.ts';
import { RecentMap } from '../../lib/recent-map.ts';
import { frozenCopy, isSame } from '../../store/objects/frozen-copy.ts';
import { type RuntimeFailure, shouldRestart } from '../containers/container-runtime.ts';
import type { RuntimeContainerStatus, RuntimePodStatus } from '../pleg/runtime.ts';
import { UNKNOWN_END } from './ended-status.ts';
import type { NamedStatuses } from './named-statuses.ts';

/** The reasons why containers could not be started at the last attempt, by name. */
export type StartFailures = ReadonlyMap<string, RuntimeFailure>;

export interface ContainerStatusInputs {
  readonly pod: Pod;
  readonly runtimeStatus: RuntimePodStatus;
  readonly startFailures: StartFailures;
  /** The statuses that were reported last, by name. */
  readonly before: NamedStatuses;
  readonly nowMillis: number;
}

/** The last two containers of one name. */
interface Attempts {
  readonly latest: RuntimeContainerStatus | undefined;
  readonly previous: RuntimeContainerStatus | undefined;
}

/**
 * The API statuses of these containers of the pod, in the form in which a store has them. Parts of `last`, the list of
 * the last report, are shared.
 *
 * Upstream: convertToAPIContainerStatuses in pkg/kubelet/kubelet_pods.go.
 */
export function containerStatuses(
  containers: readonly Container[],
  inputs: ContainerStatusInputs,
  isInit: boolean,
  last?: readonly ContainerStatus[] | undefined,
): readonly ContainerStatus[] {
  if (last === undefined && hasNothingStarted(inputs)) return firstStatuses(containers, inputs, isInit);
  const like = Object.isFrozen(last) ? last : undefined;
  let isLike = like?.length === containers.length;
  const statuses: ContainerStatus[] = new Array(containers.length);
  for (let i = 0; i < containers.length; i++) {
    const status = containerStatus(containers[i] as Container, inputs, isInit);
    const kept = Object.isFrozen(status) ? status : frozenCopy(status, like?.[i]);
    if (kept !== like?.[i]) isLike = false;
    statuses[i] = kept;
  }
  return isLike && like !== undefined ? like : Object.freeze(statuses);
}

/** Whether nothing is known of any container of the pod. */
function hasNothingStarted({ runtimeStatus, startFailures, before }: ContainerStatusInputs): boolean {
  return runtimeStatus.containerStatuses.length === 0 && startFailures.size === 0 && before.isEmpty;
}

/** The statuses of containers of which nothing is known yet: pods of one template share them. */
function firstStatuses(
  containers: readonly Container[],
  inputs: ContainerStatusInputs,
  isInit: boolean,
): readonly ContainerStatus[] {
  const reason = absentReason(inputs.pod);
  const known = sharedFirst.get(containers);
  if (known?.reason === reason) return known.statuses;
  const statuses = frozenCopy(containers.map((container) => containerStatus(container, inputs, isInit)));
  if (Object.isFrozen(containers)) sharedFirst.set(containers, { reason, statuses });
  return statuses;
}

const sharedFirst = new RecentMap<
  readonly Container[],
  { readonly reason: string; readonly statuses: readonly ContainerStatus[] }
>();

function containerStatus(container: Container, inputs: ContainerStatusInputs, isInit: boolean): ContainerStatus {
  const { pod, startFailures, before, nowMillis } = inputs;
  const { name = '', image } = container;
  const { latest, previous } = attemptsOf(name, inputs.runtimeStatus);
  const failure = startFailures.get(name);
  const old = before.get(name);
  if (latest === undefined) return neverStarted(container, pod, failure, old);
  const state = stateOf(latest);
  const { restartCount } = latest;
  const containerID = `sim://${latest.id}`;
  const isWaiting = failure !== undefined && state.running === undefined && shouldRestart(pod, container, latest);
  if (isWaiting) {
    const waiting = { waiting: failure };
    return {
      ...{ name, image, imageID: image, containerID, restartCount },
      ...{ ready: false, started: false, state: waiting, lastState: state },
    };
  }
  const isServing = !isInit || isSidecar(container);
  const started = latest.state === 'running' && (!isServing || hasPassed(latest.startupPassesAtMillis, nowMillis));
  const ready = isServing
    ? started && hasPassed(latest.readinessPassesAtMillis, nowMillis)
    : latest.state === 'exited' && latest.exitCode === 0;
  // The previous container may have been removed since, and then its last reported state is kept.
  const keptState = old?.restartCount === restartCount ? frozenOf(old.lastState) : undefined;
  const lastState = previous === undefined ? keptState : stateOf(previous);
  const shown = isKept(old?.state, state) && old?.state !== undefined ? old.state : state;
  const head = { name, image, imageID: image, containerID, restartCount, ready, started, state: shown };
  const next =
    image === undefined || lastState !== undefined ? frozenCopy({ ...head, lastState }) : Object.freeze(head);
  if (old === undefined || old.state !== shown || !Object.isFrozen(old)) return next;
  return isSame(next, old) ? old : next;
}

/** Whether the earlier state is frozen, and says the same. */
function isKept(old: ContainerState | undefined, state: ContainerState): boolean {
  if (old === undefined || (old.running === undefined) !== (state.running === undefined)) return false;
  return Object.isFrozen(old) && isSame(state, old);
}

/**
 * The status of a container that the runtime does not list. If it ran before, its end is unknown; if it had ended
 * before, that end is still reported.
 */
function neverStarted(
  container: Container,
  pod: Pod,
  failure: RuntimeFailure | undefined,
  old: ContainerStatus | undefined,
): ContainerStatus {
  const { name = '', image } = container;
  const exitCode = old?.state?.terminated?.exitCode;
  if (old !== undefined && exitCode !== undefined) {
    const isDue = failure !== undefined && shouldRestart(pod, container, { state: 'exited', exitCode });
    if (!isDue) return old;
  }
  const waiting = failure ?? { reason: absentReason(pod) };
  const head = { name, image, imageID: '', ready: false, started: false };
  if (old?.state?.running === undefined) {
    const lastState = old?.state?.terminated === undefined ? old?.lastState : { terminated: old.state.terminated };
    const status = combined(head, { restartCount: old?.restartCount ?? 0, state: { waiting } });
    return lastState === undefined ? status : combined(status, { lastState });
  }
  return { ...head, restartCount: old.restartCount ?? 0, state: UNKNOWN_END };
}

/** Why a container has never started. */
function absentReason({ spec }: Pod): string {
  return spec?.initContainers?.length ? 'PodInitializing' : 'ContainerCreating';
}

/** The last two containers of the name; containers are listed in the order in which they were made. */
export function attemptsOf(name: string, { containerStatuses }: RuntimePodStatus): Attempts {
  let latest: RuntimeContainerStatus | undefined;
  let previous: RuntimeContainerStatus | undefined;
  for (const status of containerStatuses) {
    if (status.name !== name) continue;
    previous = latest;
    latest = status;
  }
  return { latest, previous };
}

/**
 * Whether the runtime lists a container of each name of the pod, so that its status follows from these alone: what is
 * reported of a missing one changes from report to report.
 */
export function hasAllContainers(spec: PodSpec = {}, status: RuntimePodStatus): boolean {
  const isListed = ({ name }: Container): boolean => someOf(status.containerStatuses, (each) => each.name === name);
  return everyOf(spec.containers ?? [], isListed) && everyOf(spec.initContainers ?? [], isListed);
}

/** The state, frozen. */
function stateOf(status: RuntimeContainerStatus): ContainerState {
  const startedAt = timeOf(status.startedAtMillis);
  if (status.state === 'running') {
    return Object.freeze({ running: Object.freeze(startedAt === undefined ? {} : { startedAt }) });
  }
  if (status.state !== 'exited') return CREATING;
  const { exitCode = 0, reason, finishedAtMillis, id } = status;
  const finishedAt = timeOf(finishedAtMillis);
  const terminated = { exitCode, reason, startedAt, finishedAt, containerID: `sim://${id}` };
  const isWhole = reason !== undefined && startedAt !== undefined && finishedAt !== undefined;
  return Object.freeze({ terminated: isWhole ? Object.freeze(terminated) : frozenCopy(terminated) });
}

const CREATING: ContainerState = frozenCopy({ waiting: { reason: 'ContainerCreating' } });

/** The state as it is if it is frozen, as all are that were reported; else a frozen copy. */
function frozenOf(state: ContainerState | undefined): ContainerState | undefined {
  return Object.isFrozen(state) ? state : frozenCopy(state);
}

function timeOf(millis: number | undefined): string | undefined {
  return millis === undefined ? undefined : timeAtMillis(millis);
}

function hasPassed(atMillis: number | undefined, nowMillis: number): boolean {
  return atMillis === undefined || atMillis <= nowMillis;
}
