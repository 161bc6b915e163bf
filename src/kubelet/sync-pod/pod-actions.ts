import { type Container, isSidecar, type Pod } from '../../api/pod.ts';
import { someOf } from '../../lib/frozen-lists.ts';
import { shouldRestart } from '../containers/container-runtime.ts';
import type { RuntimeContainerStatus, RuntimePodStatus } from '../pleg/runtime.ts';
import { attemptsOf } from '../status/container-statuses.ts';

/** The actions that bring a pod into its wanted state. */
export interface PodActions {
  /** The number of the sandbox to be made, from 0; undefined if the pod has a sandbox, or needs none. */
  readonly sandboxAttempt: number | undefined;
  /** Init containers to start, in this order; one that does not start blocks the others. */
  readonly initContainers: readonly Container[];
  /** Containers to start, in this order. */
  readonly containers: readonly Container[];
  /** Whether the pod has nothing left to run, so that everything that still runs is to be stopped. */
  readonly isKilled: boolean;
}

const NOTHING: PodActions = { sandboxAttempt: undefined, initContainers: [], containers: [], isKilled: false };
const KILL: PodActions = { ...NOTHING, isKilled: true };

/**
 * ```
 *   no ready sandbox ─▶ make one; then the first init container, or all containers
 *   ready sandbox    ─▶ initialised? ─no─▶ the next init container; sidecars go on running
 *                          │ yes
 *                          ▼
 *                       sidecars that have ended, containers that are to be restarted; none left to run ─▶ kill
 * ```
 *
 * Upstream: computePodActions in pkg/kubelet/kuberuntime/kuberuntime_manager.go.
 */
export function podActions(pod: Pod, status: RuntimePodStatus, nowMillis: number): PodActions {
  const sandbox = readySandbox(status);
  if (sandbox === undefined) return actionsWithoutSandbox(pod, status);
  const active = new ActiveContainers(status, sandbox.id);
  const { initContainers = [], containers = [] } = pod.spec ?? {};
  if (someOf(containers, ({ name = '' }) => active.get(name) !== undefined)) {
    if (initContainers.length === 0) return withContainers(pod, status, initContainers);
    const ended = initContainers.filter((each) => isSidecar(each) && active.get(each.name ?? '')?.state !== 'running');
    return withContainers(pod, status, ended);
  }
  const next = nextInitContainer(pod, active, nowMillis);
  if (next === 'done') return withContainers(pod, status, []);
  if (next === 'failed') return KILL;
  return next === 'running' ? NOTHING : { ...NOTHING, initContainers: [next] };
}

/** The first sandbox that is ready. */
function readySandbox({ sandboxStatuses }: RuntimePodStatus): RuntimePodStatus['sandboxStatuses'][number] | undefined {
  for (const sandbox of sandboxStatuses) if (sandbox.state === 'ready') return sandbox;
  return undefined;
}

/** The containers of a sandbox, the last one of each name. They are few, so that a map would cost more. */
class ActiveContainers {
  readonly #statuses: readonly RuntimeContainerStatus[];
  readonly #sandboxId: string;

  constructor({ containerStatuses }: RuntimePodStatus, sandboxId: string) {
    this.#statuses = containerStatuses;
    this.#sandboxId = sandboxId;
  }

  get(name: string): RuntimeContainerStatus | undefined {
    return this.#statuses.findLast((each) => each.name === name && each.sandboxId === this.#sandboxId);
  }
}

function actionsWithoutSandbox(pod: Pod, status: RuntimePodStatus): PodActions {
  const { initContainers = [], containers = [], restartPolicy } = pod.spec ?? {};
  const attempt = status.sandboxStatuses.length;
  if (restartPolicy === 'Never' && attempt > 0 && status.containerStatuses.length > 0) return KILL;
  const wanted: Container[] = [];
  for (let i = 0; i < containers.length; i++) {
    if (isWanted(pod, containers[i] as Container, status)) wanted.push(containers[i] as Container);
  }
  if (wanted.length === 0) return KILL;
  const [firstInit] = initContainers;
  return {
    sandboxAttempt: attempt,
    initContainers: firstInit === undefined ? [] : [firstInit],
    containers: firstInit === undefined ? wanted : [],
    isKilled: false,
  };
}

/** The init container to start next. `running`: one has to finish first; `failed`: one has failed for good. */
function nextInitContainer(
  { spec = {} }: Pod,
  active: ActiveContainers,
  nowMillis: number,
): Container | 'running' | 'failed' | 'done' {
  for (const container of spec.initContainers ?? []) {
    const latest = active.get(container.name ?? '');
    if (latest === undefined) return container;
    if (latest.state === 'running') {
      if (isSidecar(container) && (latest.startupPassesAtMillis ?? 0) <= nowMillis) continue;
      return 'running';
    }
    if (isSidecar(container)) return container;
    if (latest.exitCode === 0) continue;
    return spec.restartPolicy === 'Never' ? 'failed' : container;
  }
  return 'done';
}

function withContainers(pod: Pod, status: RuntimePodStatus, sidecars: readonly Container[]): PodActions {
  const containers: Container[] = [];
  let runningCount = 0;
  for (const container of pod.spec?.containers ?? []) {
    if (attemptsOf(container.name ?? '', status).latest?.state === 'running') runningCount++;
    else if (isWanted(pod, container, status)) containers.push(container);
  }
  if (runningCount === 0 && containers.length === 0) return KILL;
  if (sidecars.length === 0 && containers.length === 0) return NOTHING;
  return { ...NOTHING, initContainers: sidecars, containers };
}

function isWanted(pod: Pod, container: Container, status: RuntimePodStatus): boolean {
  return shouldRestart(pod, container, attemptsOf(container.name ?? '', status).latest);
}
