import { bindByExtender, isBoundByExtender } from '../core/extenders/bind.ts';
import { runExtenderCalls } from '../core/extenders/transport.ts';
import { schedulerName } from '../core/profiles.ts';
import { EVENT_ASSIGNED_POD_DELETE } from '../framework/events.ts';
import type { PreBindPlugin } from '../framework/plugin.ts';
import { DEFAULT_BINDER } from '../framework/plugin-names.ts';
import { textOf } from '../framework/runtime/plugin-answer.ts';
import { errorStatus, isRejection, type Status } from '../framework/status.ts';
import type { AssumedAttempt, CycleModules } from './attempt.ts';
import { assumedObject } from './cache/scheduler-cache.ts';
import type { Failure } from './failures.ts';
import { failureOf, failureOnNode } from './failures.ts';
import { handleFailure } from './handle-failure.ts';
import { observed, observedLater } from './observed.ts';
import { activatePods } from './pods-to-activate.ts';
import { patchPodStatus } from './status-patch.ts';

/**
 * From the assumed to the bound pod (upstream's bindingCycle). It runs at once as far as nobody lets it wait, and goes
 * on when that is over:
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

/** Nobody but the API has a word. */
function bindPlainPod(modules: CycleModules, attempt: AssumedAttempt): void {
  const { queue, api, cache } = modules;
  const { podInfo } = attempt.queued;
  queue.done(podInfo.pod.metadata?.uid ?? '');
  let bound: ReturnType<typeof api.bindPod>;
  try {
    bound = api.bindPod(podInfo.pod, attempt.node.name);
  } catch (error) {
    const message = `running Bind plugin "${DEFAULT_BINDER}": ${textOf(error)}`;
    fail(modules, attempt, failureOf(errorStatus(DEFAULT_BINDER, message)));
    return;
  }
  cache.finishBinding(podInfo, bound);
  scheduled(modules, attempt);
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
    const willing = this.#preFlight();
    if ('code' in willing) {
      this.#fail(failureOf(willing));
      return;
    }
    this.#waitOnPermit(willing);
  }

  /** The PreBind plugins that have work. If anything can take its time, the expected node is written to the API. */
  #preFlight(): readonly PreBindPlugin[] | Status {
    const { waitingPods, api, loop, reportError } = this.#modules;
    const { podInfo } = this.#attempt.queued;
    const willing = this.#binding.preBindPreFlight(this.#state, podInfo, this.#nodeName);
    const willWait = waitingPods.get(podInfo.pod.metadata?.uid ?? '') !== undefined;
    if ('code' in willing || (willing.length === 0 && !willWait)) return willing;
    try {
      patchPodStatus(api, podInfo.pod, { nominatedNodeName: this.#nodeName }, loop.nowMillis());
    } catch (error) {
      reportError(error, `write the expected node of pod ${podInfo.key}`);
    }
    return willing;
  }

  #waitOnPermit(willing: readonly PreBindPlugin[]): void {
    const { waitingPods, queue, observer, loop } = this.#modules;
    const { podInfo } = this.#attempt.queued;
    const startMillis = loop.nowMillis();
    waitingPods.whenDecided(podInfo, (status) => {
      observer?.permitWaitFinished?.(status?.code ?? 'Success', loop.nowMillis() - startMillis);
      if (status !== null) {
        this.#fail(failureOnNode(isRejection(status) ? status : failedWait(status), this.#attempt.node));
        return;
      }
      // Whatever fails from here on is no verdict on the pod: what happens meanwhile cannot help it.
      queue.done(podInfo.pod.metadata?.uid ?? '');
      this.#preBind(willing);
    });
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

  /** An extender that binds such pods goes first; one that fails and does not matter leaves it to the plugins. */
  #bind(): void {
    const { podInfo } = this.#attempt.queued;
    const { extenders } = this.#attempt.profile;
    const byPlugins = (): void => {
      const done = observedLater(this.#modules, 'bind', this.#attempt, (failure) => this.#finish(failure));
      this.#binding.bind(this.#state, podInfo, this.#nodeName, done);
    };
    if (!isBoundByExtender(extenders, podInfo)) {
      byPlugins();
      return;
    }
    runExtenderCalls(bindByExtender(extenders, podInfo, this.#nodeName), this.#modules.extenderTransport, {
      done: (answer) => {
        if (answer === null) byPlugins();
        else this.#finish(answer.error === null ? null : errorStatus('', answer.error));
      },
      failed: (error) => this.#finish(errorStatus('', textOf(error))),
    });
  }

  #finish(failure: Status | null): void {
    const { podInfo } = this.#attempt.queued;
    this.#modules.cache.finishBinding(podInfo, undefined);
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

function scheduled(modules: CycleModules, { queued, startMillis, node }: AssumedAttempt): void {
  const { recorder, observer, loop } = modules;
  const { podInfo } = queued;
  if (observer !== null) {
    observer.attemptFinished?.('scheduled', schedulerName(podInfo.pod), loop.nowMillis() - startMillis);
    observer.podScheduled?.(queued);
  }
  const note = `Successfully assigned ${podInfo.key} to ${node.name}`;
  recorder.event(podInfo.pod, null, 'Normal', 'Scheduled', 'Binding', note);
}

/** What an assumed pod took is free again: that may help others, as if the pod had been deleted. */
function fail(modules: CycleModules, attempt: AssumedAttempt, failure: Failure): void {
  const { cache, queue, observer, loop } = modules;
  const { queued, startMillis } = attempt;
  const { podInfo } = queued;
  const pod = assumedObject(podInfo.pod, attempt.node.name);
  const isRejected = isRejection(failure);
  // Where it is gone already, so is what it took.
  const isFree = cache.forgetPod(podInfo) || cache.podOf(pod) === undefined;
  observer?.attemptFinished?.(
    isRejected ? 'unschedulable' : 'error',
    schedulerName(podInfo.pod),
    loop.nowMillis() - startMillis,
  );
  if (isFree && !isRejected) queue.moveAllToActiveOrBackoffQueue(EVENT_ASSIGNED_POD_DELETE, pod, undefined);
  observer?.bindingFailed?.(queued, failure);
  handleFailure(modules, queued, failure);
  if (!isFree || !isRejected) return;
  // The pod itself was rejected with this room free: it is no news for it.
  const uid = pod.metadata?.uid;
  const isOther = (other: typeof podInfo): boolean => other.pod.metadata?.uid !== uid;
  queue.moveAllToActiveOrBackoffQueue(EVENT_ASSIGNED_POD_DELETE, pod, undefined, isOther);
}

function failedWait({ plugin, reasons }: Status): Status {
  return errorStatus(plugin, `waiting on permit for pod: ${reasons.join(', ')}`);
}
