import type { ContainerState, ContainerStatus, Pod, PodStatus } from '../../api/pod.ts';
import { isFinalPhase } from '../../api/pod-conditions.ts';
import { millisOfTime, timeAtMillis } from '../../api/time.ts';
import type { ReportError } from '../../client/report-error.ts';
import type { EventLoop, Timer } from '../../lib/event-loop.ts';
import { isApiError } from '../../store/objects/api-error.ts';
import type { StoreClient } from '../../store/objects/store-client.ts';
import { FateError, type FateOf, type PodFate } from './pod-fate.ts';

export interface PodRunModules {
  readonly client: StoreClient;
  readonly loop: EventLoop;
  readonly reportError: ReportError;
  readonly fateOf: FateOf;
}

/** Upstream: the kubelet's back-off for containers that end again and again. */
const RESTART_BASE_MILLIS = 10_000;
const RESTART_MAX_MILLIS = 300_000;
/** A write that was refused is tried again after this long. */
const RETRY_MILLIS = 1000;

/** What a shell would say of a container that was told to end, and of one that was killed because it did not. */
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
  /** Since when the containers run; undefined while they do not. */
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
      this.#tell({ phase: 'Failed', reason: 'BadFate', message: error.message });
      return;
    }
    this.#runningSinceMillis = nowMillis;
    this.#tell(this.#statusWith('Running', true, { running: { startedAt: timeAtMillis(nowMillis) } }));
    const { runMillis, exitCode = 0 } = this.#fate;
    if (runMillis < Number.POSITIVE_INFINITY) this.#after(runMillis, () => this.#end(exitCode));
  }

  /** The pod is being deleted, within the grace period that it has left as it is shown here. */
  stop(pod: Pod): void {
    // Whoever deletes a pod that has ended needs no help.
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

  /** Nothing more is done or told. */
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

  /** At once the first time, then later each time. */
  #restartLater(lastState: ContainerState): void {
    const backOffMillis = Math.min(RESTART_BASE_MILLIS * 2 ** (this.#restarts - 1), RESTART_MAX_MILLIS);
    const delayMillis = this.#restarts === 0 ? 0 : backOffMillis;
    this.#restarts++;
    this.#tell(this.#statusWith('Running', false, { waiting: { reason: 'CrashLoopBackOff' } }, lastState));
    this.#after(delayMillis, () => this.start());
  }

  #finish(status: PodStatus): void {
    this.#next?.cancel();
    this.#isDone = true;
    this.#tell(isFinalPhase(status.phase) ? status : { ...status, phase: 'Failed' });
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

  /** Writes how the pod is, again and again until it is written; what is gone meanwhile needs nothing. */
  #tell(status: PodStatus): void {
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
      reportError(error, `tell status of pod ${namespace}/${name}`);
      this.#retry = loop.after(RETRY_MILLIS, () => this.#tell(this.#status));
    }
  }
}

/** The first of several that is not later than any other. */
function earliest<T>(ends: readonly [first: readonly [number, T], ...others: (readonly [number, T])[]]) {
  return ends.reduce((best, end) => (end[0] < best[0] ? end : best));
}
