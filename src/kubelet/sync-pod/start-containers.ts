import { type Container, isSidecar, type Pod } from '../../api/pod.ts';
import type { KeyBackoff } from '../../client/key-backoff.ts';
import type { Clock } from '../../lib/clock.ts';
import { formatDuration } from '../../lib/go-duration.ts';
import type { ContainerRuntime, Operation, RuntimeFailure } from '../containers/container-runtime.ts';
import type { ClaimManager } from '../dynamic-resources/claim-manager.ts';
import type { RuntimePodStatus } from '../pleg/runtime.ts';
import { attemptsOf } from '../status/container-statuses.ts';
import { CurrentOperation } from './current-operation.ts';
import type { PodActions } from './pod-actions.ts';

export interface StartOrder {
  readonly runtime: ContainerRuntime;
  readonly claims: Pick<ClaimManager, 'prepare'>;
  readonly clock: Clock;
  readonly backoff: KeyBackoff;
  readonly pod: Pod;
  readonly status: RuntimePodStatus;
  readonly actions: PodActions;
  readonly onDone: (result: StartResult) => void;
}

/** The result of trying to start one container. */
export interface StartOutcome {
  readonly container: Container;
  /** The failure; undefined if the container was started. */
  readonly failure?: RuntimeFailure | undefined;
  /** The time of the next attempt, if the container only has to wait. */
  readonly retryAtMillis?: number | undefined;
}

export interface StartResult {
  readonly outcomes: readonly StartOutcome[];
  /** Set if the sandbox could not be made, so that nothing else was tried. */
  readonly sandboxFailure?: RuntimeFailure | undefined;
  /** Set if the pod's claims could not be prepared, so that not even a sandbox was made. */
  readonly claimFailure?: string | undefined;
}

/**
 * Has the claims prepared, makes the sandbox and starts the containers of a pod, one after the other:
 *
 * ```
 *   back-off over? ─yes─▶ pull the image ─▶ start ─▶ next container
 *        │ no                  │ fails        │ fails
 *        ▼                     ▼              ▼
 *     CrashLoopBackOff    ErrImagePull    RunContainerError ─▶ next container; after a (plain) init container: the end
 * ```
 *
 * Upstream: SyncPod in pkg/kubelet/kuberuntime/kuberuntime_manager.go.
 */
export class StartContainers implements Operation {
  readonly #order: StartOrder;
  readonly #outcomes: StartOutcome[] = [];
  readonly #current = new CurrentOperation();
  #isCancelled = false;

  constructor(order: StartOrder) {
    this.#order = order;
  }

  run(): void {
    const { sandboxAttempt } = this.#order.actions;
    if (sandboxAttempt === undefined) {
      this.#startNext();
      return;
    }
    const { claims, pod } = this.#order;
    this.#current.begin(() =>
      claims.prepare(pod, (claimFailure) => {
        if (claimFailure === undefined) this.#createSandbox(sandboxAttempt);
        else this.#finish({ claimFailure });
      }),
    );
  }

  #createSandbox(attempt: number): void {
    if (this.#isCancelled) return;
    this.#forgetInitContainers();
    const { runtime, pod } = this.#order;
    this.#current.begin(() =>
      runtime.createSandbox(pod, attempt, (sandboxFailure) => {
        if (sandboxFailure === undefined) this.#startNext();
        else this.#finish({ sandboxFailure });
      }),
    );
  }

  /** Cancels: containers after the current one are not started, and nothing is reported. */
  cancel(): void {
    this.#isCancelled = true;
    this.#current.cancel();
  }

  /** Forgets their failures: in a new sandbox, init containers start over. */
  #forgetInitContainers(): void {
    if (this.#order.status.containerStatuses.length === 0) return;
    const names = new Set(this.#order.pod.spec?.initContainers?.map(({ name = '' }) => name));
    for (const { id, name } of this.#order.status.containerStatuses) {
      if (names.has(name)) this.#order.runtime.removeContainer(id);
    }
  }

  #startNext(): void {
    if (this.#isCancelled) return;
    const { initContainers, containers } = this.#order.actions;
    const index = this.#outcomes.length;
    const last = this.#outcomes.at(-1);
    const hasFailedInit = last?.failure !== undefined && index <= initContainers.length && !isSidecar(last.container);
    const container = initContainers[index] ?? containers[index - initContainers.length];
    if (container === undefined || hasFailedInit) this.#finish();
    else this.#start(container);
  }

  #start(container: Container): void {
    const { runtime, backoff } = this.#order;
    const { uid = '' } = this.#order.pod.metadata ?? {};
    const { latest } = attemptsOf(container.name ?? '', this.#order.status);
    if (latest?.state === 'exited') {
      const key = `${uid}/container/${container.name}`;
      const endedMillis = latest.finishedAtMillis ?? 0;
      const retryAtMillis = backoff.waitsUntilMillis(key, endedMillis);
      if (retryAtMillis !== undefined) {
        this.#conclude({ container, failure: this.#crashLoop(key, container), retryAtMillis });
        return;
      }
      backoff.next(key, endedMillis);
    }
    this.#pull(container, () => {
      const restartCount = latest === undefined ? 0 : latest.restartCount + 1;
      const onDone = (failure?: RuntimeFailure): void => this.#conclude({ container, failure });
      this.#current.begin(() => runtime.startContainer(this.#order.pod, container, restartCount, onDone));
    });
  }

  #pull(container: Container, onPulled: () => void): void {
    const { runtime, backoff, clock } = this.#order;
    const image = container.image ?? '';
    const key = `${this.#order.pod.metadata?.uid}/image/${image}`;
    const retryAtMillis = backoff.waitsAfterLastMillis(key);
    if (retryAtMillis !== undefined) {
      const failure = { reason: 'ImagePullBackOff', message: `Back-off pulling image ${JSON.stringify(image)}` };
      this.#conclude({ container, failure, retryAtMillis });
      return;
    }
    const onDone = (failure?: RuntimeFailure): void => {
      if (failure === undefined) {
        if (!this.#isCancelled) onPulled();
        return;
      }
      backoff.next(key, clock.nowMillis());
      this.#conclude({ container, failure });
    };
    this.#current.begin(() => runtime.pullImage(this.#order.pod, container, onDone));
  }

  #crashLoop(key: string, { name }: Container): RuntimeFailure {
    const { namespace, name: podName, uid } = this.#order.pod.metadata ?? {};
    const delay = formatDuration(BigInt(this.#order.backoff.delayMillis(key)) * 1_000_000n);
    const message = `back-off ${delay} restarting failed container=${name} pod=${podName}_${namespace}(${uid})`;
    return { reason: 'CrashLoopBackOff', message };
  }

  #conclude(outcome: StartOutcome): void {
    this.#outcomes.push(outcome);
    this.#startNext();
  }

  #finish(failure?: Omit<StartResult, 'outcomes'>): void {
    if (!this.#isCancelled) this.#order.onDone({ outcomes: this.#outcomes, ...failure });
  }
}
