import type { Pod, PodStatus } from '../api/pod.ts';
import { isFinalPhase, isPodFinished } from '../api/pod-conditions.ts';
import { millisOfTime } from '../api/time.ts';
import { type BackoffLimits, KeyBackoff } from '../client/key-backoff.ts';
import type { Timer } from '../lib/event-loop.ts';
import { getOrMake } from '../lib/get-or-make.ts';
import { SmallMap } from '../lib/small-map.ts';
import type { Operation, RuntimeFailure } from './containers/container-runtime.ts';
import type { KubeletModules } from './kubelet-options.ts';
import { askRuntime, type RuntimePodStatus } from './pleg/runtime.ts';
import type { OnSynced, PodSyncer, SyncError } from './pod-workers/sync-result.ts';
import { hasAllContainers } from './status/container-statuses.ts';
import { type PodFailure, type PodStatusInputs, podStatus } from './status/pod-status.ts';
import type { StatusManager } from './status/status-manager.ts';
import { killPod } from './sync-pod/kill-pod.ts';
import { podActions } from './sync-pod/pod-actions.ts';
import { StartContainers, type StartResult } from './sync-pod/start-containers.ts';

export interface PodSyncerModules extends Pick<KubeletModules, 'runtime' | 'claims' | 'loop' | 'recorder'> {
  readonly statuses: StatusManager;
  readonly hostIp: string;
  /** Called when a probe of the pod has passed. */
  readonly onProbe: (uid: string) => void;
}

/** The inputs from which a reported status was made. */
interface ReportedInputs extends Pick<PodStatusInputs, 'pod' | 'runtimeStatus' | 'isTerminal' | 'startFailures'> {
  /** The time from which the same inputs give another status. */
  readonly untilMillis: number;
}

/** What is kept of a pod from one sync to the next. */
interface KnownPod {
  /** The reasons why containers could not be started at the last attempt, by container name. */
  startFailures: ReadonlyMap<string, RuntimeFailure>;
  /** The timer of the next probe that passes. */
  probe: Timer | undefined;
  reported: ReportedInputs | undefined;
}

/** The delays of containers and sandboxes that fail. */
const CRASH_LOOP: BackoffLimits = { initialMillis: 10_000, maxMillis: 300_000 };

const NO_OPERATION: Operation = { cancel: () => {} };
const NO_FAILURES: ReadonlyMap<string, RuntimeFailure> = new Map();

/** The three steps of a pod's life on its node. Upstream: SyncPod and its siblings in pkg/kubelet/kubelet.go. */
export class RuntimePodSyncer implements PodSyncer {
  readonly #modules: PodSyncerModules;
  readonly #backoff: KeyBackoff;
  readonly #known = new SmallMap<string, KnownPod>();

  constructor(modules: PodSyncerModules) {
    this.#modules = modules;
    this.#backoff = new KeyBackoff(modules.loop, CRASH_LOOP);
  }

  syncPod(pod: Pod, status: RuntimePodStatus, onSynced: OnSynced): Operation {
    const { runtime, claims, loop } = this.#modules;
    const { phase } = this.#reportStatus(pod, status, false);
    if (isFinalPhase(phase)) {
      onSynced({ isTerminal: true });
      return NO_OPERATION;
    }
    this.#awaitProbes(status);
    const actions = podActions(pod, status, loop.nowMillis());
    if (actions.isKilled) {
      const graceMillis = (pod.spec?.terminationGracePeriodSeconds ?? 0) * 1000;
      return killPod(runtime, loop, pod, status, graceMillis, () => onSynced({ hasActed: true }));
    }
    if (actions.sandboxAttempt === undefined && actions.initContainers.length + actions.containers.length === 0) {
      onSynced({});
      return NO_OPERATION;
    }
    const onDone = (result: StartResult): void => {
      this.#rememberFailures(pod, result);
      onSynced({ hasActed: true, error: errorOf(result) });
    };
    const order = { runtime, claims, clock: loop, backoff: this.#backoff, pod, status, actions, onDone };
    const start = new StartContainers(order);
    start.run();
    return start;
  }

  syncTerminatingPod(pod: Pod, status: RuntimePodStatus, graceSeconds: number, onSynced: OnSynced): Operation {
    const { runtime, claims, loop } = this.#modules;
    const { uid = '' } = pod.metadata ?? {};
    this.#known.get(uid)?.probe?.cancel();
    this.#reportStatus(pod, status, false);
    const finish = (): void => {
      // The cached status is older than the end of the containers.
      const latest = askRuntime(() => {
        const listed = runtime.getPod(uid);
        return listed && runtime.getPodStatus(listed);
      });
      if ('error' in latest) {
        onSynced({ error: { message: latest.error.message } });
        return;
      }
      this.#reportStatus(pod, latest.value ?? status, true);
      onSynced({});
    };
    // The API may give the devices to others as soon as it knows that the pod has ended.
    return killPod(runtime, loop, pod, status, graceSeconds * 1000, () => claims.unprepare(uid, finish));
  }

  syncTerminatedPod(pod: Pod, status: RuntimePodStatus, onSynced: OnSynced): Operation {
    // A pod that never ran here, and had ended before, has no new status.
    if (status.sandboxStatuses.length > 0 || !isPodFinished(pod)) this.#reportStatus(pod, status, true);
    this.#modules.statuses.terminatePod(pod);
    // A pod that had ended before this agent began was not terminated by it.
    this.#modules.claims.unprepare(pod.metadata?.uid ?? '', () => onSynced({}));
    return NO_OPERATION;
  }

  /** Drops everything that is kept for a pod that is gone from the node. */
  forget(uid: string): void {
    this.#known.get(uid)?.probe?.cancel();
    this.#known.delete(uid);
    this.#backoff.forget(`${uid}/`);
  }

  stop(): void {
    for (const { probe } of this.#known.values()) probe?.cancel();
  }

  #reportStatus(pod: Pod, runtimeStatus: RuntimePodStatus, isTerminal: boolean): PodStatus {
    const { statuses, loop, hostIp } = this.#modules;
    const uid = pod.metadata?.uid ?? '';
    const nowMillis = loop.nowMillis();
    const last = statuses.statusOf(uid);
    const known = this.#knownOf(uid);
    const { startFailures, reported } = known;
    // Many syncs find the same inputs, and need no new status.
    const isKnown =
      last !== undefined &&
      reported !== undefined &&
      nowMillis < reported.untilMillis &&
      (reported.runtimeStatus === runtimeStatus || endedAlike(pod, last, reported.runtimeStatus, runtimeStatus)) &&
      reported.isTerminal === isTerminal &&
      reported.startFailures === startFailures &&
      isSameWish(reported.pod, pod);
    if (isKnown) return last;
    const before = last ?? pod.status ?? {};
    const failure = deadlineFailure(pod, before, nowMillis);
    const status = podStatus({ pod, runtimeStatus, startFailures, before, isTerminal, failure, hostIp, nowMillis });
    statuses.setPodStatus(pod, status);
    const untilMillis = Math.min(nextProbeMillis(runtimeStatus, nowMillis), deadlineMillisOf(pod, status));
    known.reported = { pod, runtimeStatus, isTerminal, startFailures, untilMillis };
    return status;
  }

  /** Syncs the pod when its next probe passes, since that changes its status. */
  #awaitProbes(status: RuntimePodStatus): void {
    const { loop, onProbe } = this.#modules;
    const nowMillis = loop.nowMillis();
    const { uid } = status;
    const known = this.#knownOf(uid);
    known.probe?.cancel();
    known.probe = undefined;
    const nextMillis = nextProbeMillis(status, nowMillis);
    if (nextMillis === Number.POSITIVE_INFINITY) return;
    known.probe = loop.after(nextMillis - nowMillis, () => onProbe(uid));
  }

  #knownOf(uid: string): KnownPod {
    return getOrMake(this.#known, uid, newKnownPod);
  }

  #rememberFailures(pod: Pod, { outcomes, claimFailure }: StartResult): void {
    const uid = pod.metadata?.uid ?? '';
    if (claimFailure !== undefined) {
      const note = `Failed to prepare dynamic resources: prepare dynamic resources: ${claimFailure}`;
      this.#modules.recorder.event(pod, 'Warning', 'FailedPrepareDynamicResources', note);
    }
    const known = this.#knownOf(uid);
    if (known.startFailures.size === 0 && !outcomes.some(({ failure }) => failure !== undefined)) return;
    const failures = new Map(known.startFailures);
    for (const { container, failure } of outcomes) {
      const name = container.name ?? '';
      if (failure === undefined) {
        failures.delete(name);
        continue;
      }
      if (failures.get(name)?.reason !== failure.reason) this.#record(pod, failure);
      failures.set(name, failure);
    }
    known.startFailures = failures.size > 0 ? failures : NO_FAILURES;
  }

  #record(pod: Pod, { reason, message }: RuntimeFailure): void {
    const isBackOff = reason === 'CrashLoopBackOff' || reason === 'ImagePullBackOff';
    this.#modules.recorder.event(pod, 'Warning', isBackOff ? 'BackOff' : 'Failed', message);
  }
}

/**
 * Whether both show the same end of a pod that was reported as ended. It is fetched once when its containers have
 * stopped, and once more by the PLEG, which adds the addresses that the pod had.
 */
function endedAlike({ spec }: Pod, last: PodStatus, before: RuntimePodStatus, now: RuntimePodStatus): boolean {
  const isSame = before.containerStatuses === now.containerStatuses && before.sandboxStatuses === now.sandboxStatuses;
  const [ip = last.podIP] = now.ips;
  return isSame && ip === last.podIP && isFinalPhase(last.phase) && hasAllContainers(spec, now);
}

function newKnownPod(): KnownPod {
  return { startFailures: NO_FAILURES, probe: undefined, reported: undefined };
}

/** Whether the two versions of a pod ask for the same, and are as ready for others. */
function isSameWish(a: Pod, b: Pod): boolean {
  return (
    a.spec === b.spec &&
    (a.spec?.readinessGates === undefined || a.status?.conditions === b.status?.conditions) &&
    a.metadata?.generation === b.metadata?.generation &&
    a.metadata?.deletionTimestamp === b.metadata?.deletionTimestamp
  );
}

/** The time at which the next probe of a running container passes. */
function nextProbeMillis({ containerStatuses }: RuntimePodStatus, nowMillis: number): number {
  let nextMillis = Number.POSITIVE_INFINITY;
  for (const { state, startupPassesAtMillis = 0, readinessPassesAtMillis = 0 } of containerStatuses) {
    if (state !== 'running') continue;
    for (const millis of [startupPassesAtMillis, readinessPassesAtMillis]) {
      if (millis > nowMillis && millis < nextMillis) nextMillis = millis;
    }
  }
  return nextMillis;
}

/** The time at which the pod has run for too long. Upstream: pkg/kubelet/active_deadline.go. */
export function deadlineMillisOf({ spec }: Pod, { startTime }: PodStatus): number {
  const seconds = spec?.activeDeadlineSeconds;
  if (seconds === undefined || startTime === undefined) return Number.POSITIVE_INFINITY;
  return millisOfTime(startTime) + seconds * 1000;
}

function deadlineFailure(pod: Pod, status: PodStatus, nowMillis: number): PodFailure | undefined {
  if (nowMillis < deadlineMillisOf(pod, status)) return undefined;
  if (isFinalPhase(status.phase)) return undefined;
  const message = 'Pod was active on the node longer than the specified deadline';
  return { reason: 'DeadlineExceeded', message };
}

function errorOf({ outcomes, sandboxFailure, claimFailure }: StartResult): SyncError | undefined {
  if (claimFailure !== undefined) return { message: `prepare dynamic resources: ${claimFailure}` };
  if (sandboxFailure !== undefined) {
    return { message: `failed to create pod sandbox: ${sandboxFailure.message}` };
  }
  const failed = outcomes.filter(({ failure }) => failure !== undefined);
  const [first] = failed;
  if (first === undefined) return undefined;
  const message = failed.map(({ container, failure }) => `${container.name}: ${failure?.message}`).join('; ');
  const retryAtMillis = failed.map((each) => each.retryAtMillis ?? Number.POSITIVE_INFINITY);
  if (retryAtMillis.includes(Number.POSITIVE_INFINITY)) return { message };
  return { message, retryAtMillis: Math.min(...retryAtMillis) };
}
