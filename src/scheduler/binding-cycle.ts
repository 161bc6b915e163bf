import type { Pod } from '../api/pod.ts';
import { bindByExtender, isBoundByExtender } from '../core/extenders/bind.ts';
import { EVENT_ASSIGNED_POD_DELETE } from '../framework/events.ts';
import { runExtenderCalls } from '../framework/extender-transport.ts';
import type { PreBindPlugin } from '../framework/plugin.ts';
import { DEFAULT_BINDER } from '../framework/plugin-names.ts';
import { textOf } from '../framework/runtime/plugin-answer.ts';
import { errorStatus, isRejection, type Status } from '../framework/status.ts';
import { type MaybePromise, runAwaiting } from '../lib/maybe-promise.ts';
import type { AssumedAttempt, CycleModules } from './attempt.ts';
import { assumedObject } from './cache/scheduler-cache.ts';
import { isBoundByDefault } from './cycle-steps.ts';
import { type Failure, failureOf, failureOnNode } from './failures.ts';
import { handleFailure } from './handle-failure.ts';
import { attemptFinished, observed, observedLater } from './observed.ts';
import { activatePods } from './pods-to-activate.ts';
import { patchPodStatus } from './status-patch.ts';

/**
 * Binds an assumed pod (upstream's bindingCycle). The cycle runs synchronously until a step waits, and continues when
 * that wait is over:
 *
 *   report the expected node ─▶ WaitOnPermit ─▶ done ─▶ PreBind ─▶ Bind ─▶ PostBind
 *            │                   │                     │         │
 *            └───────────────────┴─────────────────────┴─────────┴──▶ Unreserve, forget, failure
 */
export function runBindingCycle(modules: CycleModules, attempt: AssumedAttempt): void {
  if (attempt.state === null) {
    bindPlainPod(modules, attempt);
    return;
  }
  modules.observer?.goroutines?.('binding', 1);
  new BindingCycle(modules, attempt, attempt.state).run();
}

/** Binds a pod that only the default binder handles. */
function bindPlainPod(modules: CycleModules, attempt: AssumedAttempt): void {
  modules.queue.done(attempt.queued.podInfo.uid);
  bindByDefault(modules, attempt, plainPodBound);
}

function plainPodBound(modules: CycleModules, attempt: AssumedAttempt, failure: Status | null, bound?: Pod): void {
  if (failure !== null) {
    fail(modules, attempt, failureOf(failure));
    return;
  }
  modules.cache.finishBinding(attempt.queued.podInfo, bound);
  scheduled(modules, attempt);
}

/** Does what the default binder does; a store answers at once, which takes no functions. */
function bindByDefault(modules: CycleModules, attempt: AssumedAttempt, done: typeof plainPodBound): void {
  let bound: MaybePromise<Pod | undefined>;
  try {
    bound = modules.api.bindPod(attempt.queued.podInfo.pod, attempt.node.name);
  } catch (error) {
    done(modules, attempt, refusedBinding(error));
    return;
  }
  if (!(bound instanceof Promise)) {
    done(modules, attempt, null, bound);
    return;
  }
  bound.then(
    (pod) => done(modules, attempt, null, pod),
    (error: unknown) => done(modules, attempt, refusedBinding(error)),
  );
}

function refusedBinding(error: unknown): Status {
  return errorStatus(DEFAULT_BINDER, `running Bind plugin "${DEFAULT_BINDER}": ${textOf(error)}`);
}

class BindingCycle {
  readonly #modules: CycleModules;
  readonly #attempt: AssumedAttempt;
  readonly #state: NonNullable<AssumedAttempt['state']>;
  readonly #nodeName: string;

  constructor(modules: CycleModules, attempt: AssumedAttempt, state: NonNullable<AssumedAttempt['state']>) {
    this.#modules = modules;
    this.#attempt = attempt;
    this.#state = state;
    this.#nodeName = attempt.node.name;
  }

  run(): void {
    const { podInfo } = this.#attempt.queued;
    const willing = this.#binding.preBindPreFlight(this.#state, podInfo, this.#nodeName);
    if ('code' in willing) {
      this.#fail(failureOf(willing));
      return;
    }
    const willWait = this.#modules.waitingPods.get(podInfo.uid) !== undefined;
    if (willing.length > 0 || willWait) this.#reportExpectedNode(() => this.#waitOnPermit(willing));
    else this.#waitOnPermit(willing);
  }

  /** Writes to the API on which node the pod will be; the cycle goes on even if that fails. */
  #reportExpectedNode(done: () => void): void {
    const { api, loop, reportError } = this.#modules;
    const { podInfo } = this.#attempt.queued;
    const patch = patchPodStatus(api, podInfo.pod, { nominatedNodeName: this.#nodeName }, loop.nowMillis());
    runAwaiting(patch, {
      done,
      failed: (error) => {
        reportError(error, `write the expected node of pod ${podInfo.key}`);
        done();
      },
    });
  }

  #waitOnPermit(willing: readonly PreBindPlugin[]): void {
    const { waitingPods, loop } = this.#modules;
    const { podInfo } = this.#attempt.queued;
    if (waitingPods.get(podInfo.uid) === undefined) {
      this.#permitted(willing, null, 0);
      return;
    }
    const startMillis = loop.nowMillis();
    waitingPods.whenDecided(podInfo, (status) => this.#permitted(willing, status, loop.nowMillis() - startMillis));
  }

  #permitted(willing: readonly PreBindPlugin[], status: Status | null, waitedMillis: number): void {
    const { queue, observer } = this.#modules;
    observer?.permitWaitFinished?.(status?.code ?? 'Success', waitedMillis);
    if (status !== null) {
      this.#fail(failureOnNode(isRejection(status) ? status : failedWait(status), this.#attempt.node));
      return;
    }
    // A later failure is not a rejection of the pod, so no event from here on can help it.
    queue.done(this.#attempt.queued.podInfo.uid);
    this.#preBind(willing);
  }

  #preBind(willing: readonly PreBindPlugin[]): void {
    if (willing.length === 0) {
      this.#bind();
      return;
    }
    const { podInfo } = this.#attempt.queued;
    const done = this.#modules.podsInPreBind.begin(podInfo, (failure) => {
      if (failure === null) this.#bind();
      else this.#fail(failureOf(failure));
    });
    const observedDone = observedLater(this.#modules, 'preBind', this.#attempt, done);
    this.#binding.preBind(willing, this.#state, podInfo, this.#nodeName, observedDone);
  }

  /** Lets an interested extender bind the pod. Without one, or if it is ignorable and fails, the Bind plugins do. */
  #bind(): void {
    const { podInfo } = this.#attempt.queued;
    const { extenders } = this.#attempt.profile;
    if (!isBoundByExtender(extenders, podInfo)) {
      this.#bindByPlugins();
      return;
    }
    runExtenderCalls(bindByExtender(extenders, podInfo, this.#nodeName), this.#modules.extenderTransport, {
      done: (answer) => {
        if (answer === null) this.#bindByPlugins();
        else this.#finish(answer.error === null ? null : errorStatus('', answer.error));
      },
      failed: (error) => this.#finish(errorStatus('', textOf(error))),
    });
  }

  #bindByPlugins(): void {
    const { podInfo } = this.#attempt.queued;
    let bound: Pod | undefined;
    const done = observedLater(this.#modules, 'bind', this.#attempt, (failure) => this.#finish(failure, bound));
    if (!isBoundByDefault(this.#binding)) {
      this.#binding.bind(this.#state, podInfo, this.#nodeName, done);
      return;
    }
    bindByDefault(this.#modules, this.#attempt, (_modules, _attempt, failure, pod) => {
      bound = pod;
      done(failure);
    });
  }

  #finish(failure: Status | null, bound?: Pod): void {
    const { podInfo } = this.#attempt.queued;
    this.#modules.cache.finishBinding(podInfo, bound);
    if (failure !== null) {
      this.#fail(failureOf(failure));
      return;
    }
    scheduled(this.#modules, this.#attempt);
    observed(this.#modules, 'postBind', this.#attempt, () => {
      this.#binding.postBind(this.#state, podInfo, this.#nodeName);
      return null;
    });
    activatePods(this.#modules.queue, this.#state);
    this.#modules.observer?.goroutines?.('binding', -1);
  }

  #fail(failure: Failure): void {
    observed(this.#modules, 'unreserve', this.#attempt, () => {
      this.#binding.unreserve(this.#state, this.#attempt.queued.podInfo, this.#attempt.node);
      return null;
    });
    fail(this.#modules, this.#attempt, failure);
    this.#modules.observer?.goroutines?.('binding', -1);
  }

  get #binding() {
    return this.#attempt.profile.framework.binding;
  }
}

function scheduled(modules: CycleModules, attempt: AssumedAttempt): void {
  const { queued, node } = attempt;
  const { podInfo } = queued;
  attemptFinished(modules, attempt, null);
  modules.observer?.podScheduled?.(queued);
  const note = `Successfully assigned ${podInfo.key} to ${node.name}`;
  modules.recorder.event(podInfo.pod, null, 'Normal', 'Scheduled', 'Binding', note);
}

/** Forgets the assumed pod. Its resources are free again, which may help other pods as its deletion would. */
function fail(modules: CycleModules, attempt: AssumedAttempt, failure: Failure): void {
  const { cache, queue, observer } = modules;
  const { queued } = attempt;
  const { podInfo } = queued;
  const pod = assumedObject(podInfo.pod, attempt.node.name);
  const isRejected = isRejection(failure);
  // A pod that is not in the cache holds no resources either.
  const isFree = cache.forgetPod(podInfo) || cache.podOf(pod) === undefined;
  attemptFinished(modules, attempt, failure);
  if (isFree && !isRejected) queue.moveAllToActiveOrBackoffQueue(EVENT_ASSIGNED_POD_DELETE, pod, undefined);
  observer?.bindingFailed?.(queued, failure);
  handleFailure(modules, queued, failure);
  // The pod itself was rejected although these resources were free, so the event does not concern it.
  const isOther = ({ uid }: typeof podInfo): boolean => uid !== podInfo.uid;
  if (isFree && isRejected) queue.moveAllToActiveOrBackoffQueue(EVENT_ASSIGNED_POD_DELETE, pod, undefined, isOther);
}

function failedWait({ plugin, reasons }: Status): Status {
  return errorStatus(plugin, `waiting on permit for pod: ${reasons.join(', ')}`);
}
