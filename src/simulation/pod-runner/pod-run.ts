import type { ContainerState, ContainerStatus, Pod, PodStatus } from '../../api/pod.ts';
import { isFinalPhase } from '../../api/pod-conditions.ts';
import { millisOfTime, timeAtMillis } from '../../api/time.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import type { Timer } from '../../lib/event-loop.ts';
import { isApiError } from '../../store/objects/api-error.ts';
import { FateError, type FateOf, type PodFate } from './pod-fate.ts';

export interface PodRunModules extends Pick<Cluster, 'client' | 'loop' | 'reportError'> {
  readonly fateOf: FateOf;
}

/** The back-off for containers that end repeatedly, as the kubelet's. */
const RESTART_BASE_MILLIS = 10_000;
const RESTART_MAX_MILLIS = 300_000;
/** A write that was refused is retried after this delay. */
const RETRY_MILLIS = 1000;

/** The exit codes of a container that ended on SIGTERM, and of one that was killed. */
const TERMINATED = 143;
const KILLED = 137;

/**
 * The life of one pod on its node.
 *
 * ```
 *            runMillis over                  to be restarted
 *   running ───────────────▶ containers end ─────────────────▶ waiting ──(back-off)──▶ running
 *      │                             │ not
 *      │                             ▼
 *      └──(deleted: stopMillis,    done: Succeeded or Failed; deleted for good if it is being deleted
 *          at most the grace) ───────▲
 * ```
 */
export class PodRun {
  readonly #modules: PodRunModules;
  readonly #pod: Pod;
  readonly #startMillis: number;
  #status: PodStatus = {};
  #fate: PodFate = { runMillis: 0 };
  #restarts = 0;
  /** The time since which the containers run; undefined while they do not run. */
  #runningSinceMillis: number | undefined;
  #isDone = false;
  #isDeleted = false;
  #stopSinceMillis: number | undefined;
  #next: Timer | undefined;
  #retry: Timer | undefined;

  constructor(pod: Pod, modules: PodRunModules) {
    this.#pod = pod;
    this.#modules = modules;
    this.#startMillis = modules.loop.nowMillis();
  }

  /** Starts the containers, for the first time or again. */
  start(): void {
    const nowMillis = this.#nowMillis;
    try {
      this.#fate = this.#modules.fateOf(this.#pod, this.#restarts);
    } catch (error) {
      if (!(error instanceof FateError)) throw error;
      this.#isDone = true;
      this.#reportStatus({ phase: 'Failed', reason: 'BadFate', message: error.message });
      return;
    }
    this.#runningSinceMillis = nowMillis;
    this.#reportStatus(this.#statusWith('Running', true, { running: { startedAt: timeAtMillis(nowMillis) } }));
    const { runMillis, exitCode = 0 } = this.#fate;
    if (runMillis < Number.POSITIVE_INFINITY) this.#after(runMillis, () => this.#end(exitCode));
  }

  /** Stops the pod, because it is being deleted, within its remaining grace period. */
  stop(pod: Pod): void {
    // A pod that has ended, and is deleted without a grace period, is removed without this run.
    if (this.#isDeleted || (this.#isDone && pod.metadata?.deletionGracePeriodSeconds === 0)) return;
    const nowMillis = this.#nowMillis;
    this.#stopSinceMillis ??= nowMillis;
    if (this.#isDone || this.#runningSinceMillis === undefined) {
      this.#finish(this.#status);
      return;
    }
    const { runMillis, exitCode = 0, stopMillis = 0 } = this.#fate;
    const deadlineMillis = Math.max(nowMillis, millisOfTime(pod.metadata?.deletionTimestamp ?? new Date(nowMillis)));
    const [endMillis, code] = earliest([
      [this.#runningSinceMillis + runMillis, exitCode],
      [this.#stopSinceMillis + stopMillis, TERMINATED],
      [deadlineMillis, KILLED],
    ]);
    this.#after(endMillis - nowMillis, () => this.#end(code));
  }

  /** Cancels everything that is pending. */
  abandon(): void {
    this.#next?.cancel();
    this.#retry?.cancel();
  }

  get #nowMillis(): number {
    return this.#modules.loop.nowMillis();
  }

  #after(delayMillis: number, task: () => void): void {
    this.#next?.cancel();
    this.#next = this.#modules.loop.after(delayMillis, task);
  }

  #end(exitCode: number): void {
    const startedAt = timeAtMillis(this.#runningSinceMillis ?? this.#startMillis);
    const reason = exitCode === 0 ? 'Completed' : 'Error';
    const terminated = { exitCode, reason, startedAt, finishedAt: timeAtMillis(this.#nowMillis) };
    this.#runningSinceMillis = undefined;
    const { restartPolicy = 'Always' } = this.#pod.spec ?? {};
    const isRestarted = restartPolicy === 'Always' || (restartPolicy === 'OnFailure' && exitCode !== 0);
    if (this.#stopSinceMillis === undefined && isRestarted) this.#restartLater({ terminated });
    else this.#finish(this.#statusWith(exitCode === 0 ? 'Succeeded' : 'Failed', false, { terminated }));
  }

  /** Restarts the containers: at once the first time, then with growing delays. */
  #restartLater(lastState: ContainerState): void {
    const backOffMillis = Math.min(RESTART_BASE_MILLIS * 2 ** (this.#restarts - 1), RESTART_MAX_MILLIS);
    const delayMillis = this.#restarts === 0 ? 0 : backOffMillis;
    this.#restarts++;
    this.#reportStatus(this.#statusWith('Running', false, { waiting: { reason: 'CrashLoopBackOff' } }, lastState));
    this.#after(delayMillis, () => this.start());
  }

  #finish(status: PodStatus): void {
    this.#next?.cancel();
    this.#isDone = true;
    this.#reportStatus(isFinalPhase(status.phase) ? status : { ...status, phase: 'Failed' });
  }

  #statusWith(phase: string, ready: boolean, state: ContainerState, lastState?: ContainerState): PodStatus {
    const now = timeAtMillis(this.#nowMillis);
    const condition = { type: 'Ready', status: ready ? 'True' : 'False', lastTransitionTime: now };
    const containerStatuses = this.#pod.spec?.containers?.map(
      ({ name = '', image }): ContainerStatus => ({
        ...{ name, image, ready, restartCount: this.#restarts, state },
        ...(lastState && { lastState }),
      }),
    );
    return { phase, startTime: timeAtMillis(this.#startMillis), conditions: [condition], containerStatuses };
  }

  /** Writes the pod's status, and retries until it is written. A pod that is gone meanwhile is ignored. */
  #reportStatus(status: PodStatus): void {
    this.#retry?.cancel();
    this.#status = status;
    const { client, loop, reportError } = this.#modules;
    const { namespace = '', name = '', uid } = this.#pod.metadata ?? {};
    try {
      const body = { metadata: { uid }, status };
      client.patch('pods', namespace, name, { type: 'strategic', body }, 'status');
      if (this.#isDone && this.#stopSinceMillis !== undefined) {
        client.delete('pods', namespace, name, { gracePeriodSeconds: 0, preconditions: { uid } });
        this.#isDeleted = true;
      }
    } catch (error) {
      if (isApiError(error, 'NotFound') || isApiError(error, 'Conflict')) return;
      reportError(error, `write status of pod ${namespace}/${name}`);
      this.#retry = loop.after(RETRY_MILLIS, () => this.#reportStatus(this.#status));
    }
  }
}

/** The earliest end; the first of several that are equal. */
function earliest<T>(ends: readonly [first: readonly [number, T], ...others: (readonly [number, T])[]]) {
  return ends.reduce((best, end) => (end[0] < best[0] ? end : best));
}
