import type { Profile } from '../core/decision/profile.ts';
import { type Decision, schedulePod } from '../core/decision/schedule-pod.ts';
import { runExtenderCalls } from '../core/extenders/transport.ts';
import type { PodTemplate } from '../core/pod-templates.ts';
import { CycleState } from '../framework/cycle-state.ts';
import { withoutExtenderCalls } from '../framework/extender-calls.ts';
import { NO_NODES_AVAILABLE } from '../framework/fit-error.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import type { PodInfo } from '../framework/pod-info.ts';
import type { PostFilterOutcome } from '../framework/post-filter.ts';
import type { PermitWaits } from '../framework/runtime/binding-framework.ts';
import { textOf } from '../framework/runtime/plugin-answer.ts';
import { errorStatus, type Status } from '../framework/status.ts';
import type { AssumedAttempt, Attempt, CycleModules, FailedAttempt } from './attempt.ts';
import type { Failure } from './failures.ts';
import { failureOf, failureOnNode, NO_NOMINATION } from './failures.ts';
import { observed } from './observed.ts';
import { isPlainPod } from './plain-pods.ts';
import { activatePods } from './pods-to-activate.ts';
import type { Eviction } from './preemption-executor.ts';
import type { QueuedPodInfo } from './queue/queued-pod-info.ts';

const NO_WAITS: PermitWaits = new Map();

/** A pod whose attempt has begun. */
interface StartedAttempt {
  readonly queued: QueuedPodInfo;
  readonly pod: PodInfo;
  readonly template: PodTemplate;
  readonly profile: Profile;
  readonly startMillis: number;
}

/**
 * THE STORY of one pod, up to the node that is charged for it (upstream's schedule_one.go): pop it, skip it if it needs
 * no node, decide, assume, reserve, ask for permission. `done` is called once: before this returns, or later if
 * extenders have to be asked. False: the queue is empty.
 */
export function attemptOne(modules: CycleModules, done: (attempt: Attempt) => void): boolean {
  const queued = modules.queue.pop();
  if (queued === null) return false;
  attempt(modules, queued, done);
  return true;
}

function attempt(modules: CycleModules, queued: QueuedPodInfo, done: (attempt: Attempt) => void): void {
  const pod = queued.podInfo;
  const template = modules.profiles.templates.of(pod.pod);
  const { profile } = template;
  if (profile === undefined || isToBeSkipped(modules, pod)) {
    modules.queue.done(pod.uid);
    done({ outcome: 'skipped', queued });
    return;
  }
  const started = { queued, pod, template, profile, startMillis: modules.loop.nowMillis() };
  if (template.needsExtenders) askExtenders(modules, started, done);
  else done(decide(modules, started));
}

/** Whatever is thrown on the way has failed this pod, and nothing else. */
function decide(modules: CycleModules, started: StartedAttempt): Attempt {
  const { observer, loop, profiles } = modules;
  try {
    profiles.activeTrace.begin(started.pod.pod);
    const attempt = placeByIndex(modules, started) ?? schedulingCycle(modules, started);
    profiles.activeTrace.finish(attempt.outcome === 'assumed' ? attempt.node.name : null);
    observer?.decisionFinished?.(loop.nowMillis() - started.startMillis);
    return attempt;
  } catch (error) {
    profiles.activeTrace.finish(null);
    return thrown(modules, started, error);
  }
}

/** It is being deleted, or is on its way to a node since an earlier attempt. */
function isToBeSkipped({ cache, recorder }: CycleModules, info: PodInfo): boolean {
  const { pod } = info;
  if (pod.metadata?.deletionTimestamp) {
    const note = `skip schedule deleting pod: ${info.key}`;
    recorder.event(pod, null, 'Warning', 'FailedScheduling', 'Scheduling', note);
    return true;
  }
  return info.isAssumed || (cache.assumedCount > 0 && cache.isAssumedPod(pod));
}

/** The short way for pods about which their signature says everything; null: it takes a whole cycle to decide. */
function placeByIndex(modules: CycleModules, started: StartedAttempt): Attempt | null {
  const { pod, template } = started;
  const { engine } = template;
  if (engine === null || modules.cluster.pods.startAttempt(pod) === null) return null;
  const node = modules.profiles.placeByIndex.placeNode(pod, template);
  if (node === null) {
    modules.cluster.pods.forget(pod);
    return null;
  }
  modules.cache.assumePod(pod, node, engine);
  modules.queue.deleteNominatedPodIfExists(pod.pod);
  if (isPlainPod(started.profile, pod)) return assumed(started, node, null);
  return reserveAndPermit(modules, started, node, template.signature?.state.clone() ?? new CycleState());
}

function schedulingCycle(modules: CycleModules, started: StartedAttempt): Attempt {
  const decision = withoutExtenderCalls(schedulePod(started.profile, started.pod));
  modules.observer?.decided?.(started.queued, decision);
  return conclude(modules, started, decision);
}

/** The same with answers from outside; until they are there, no other attempt begins. */
function askExtenders(modules: CycleModules, started: StartedAttempt, done: (attempt: Attempt) => void): void {
  runExtenderCalls(schedulePod(started.profile, started.pod), modules.extenderTransport, {
    done: (decision) => done(concludeAnswered(modules, started, decision)),
    failed: (error) => done(thrown(modules, started, error)),
  });
}

function concludeAnswered(modules: CycleModules, started: StartedAttempt, decision: Decision): Attempt {
  try {
    return conclude(modules, started, decision);
  } catch (error) {
    return thrown(modules, started, error);
  }
}

/** The pod goes to the node that was decided, or has failed. */
function conclude(modules: CycleModules, started: StartedAttempt, decision: Decision): Attempt {
  const { pod, profile } = started;
  const { result, filtered } = decision;
  if (result.status === 'scheduled' && filtered !== null) {
    const node = modules.cluster.node(result.node);
    if (node === undefined) return failed(started, failureOf(errorStatus('', `node "${result.node}" not found`)), null);
    if (!modules.cache.assumePod(pod, node)) {
      return failed(started, failureOf(errorStatus('', `pod ${pod.key} is in the cache already`)), null);
    }
    modules.queue.deleteNominatedPodIfExists(pod.pod);
    if (isPlainPod(profile, pod)) return assumed(started, node, null);
    // The pod's signature keeps the state for the next pods that have it: this one needs its own.
    return reserveAndPermit(modules, started, node, filtered.state.clone());
  }
  const { postFilter } = decision;
  const eviction = postFilter === null ? null : evictionOf(modules, pod, postFilter);
  if (postFilter !== null && postFilter.status.code !== 'Error') modules.observer?.preemptionAttempted?.();
  return failed(started, failureOfDecision(decision), eviction);
}

/** The eviction of the victims that a successful PostFilter names. */
function evictionOf({ preemption }: CycleModules, pod: PodInfo, outcome: PostFilterOutcome): Eviction | null {
  const { status, nominatedNodeName, victims } = outcome;
  if (status.code !== 'Success' || !nominatedNodeName) return null;
  return preemption.prepare(pod, nominatedNodeName, victims);
}

function reserveAndPermit(modules: CycleModules, started: StartedAttempt, node: NodeInfo, state: CycleState): Attempt {
  const { pod, profile } = started;
  const { binding } = profile.framework;
  const unreserved = observed(modules, 'reserve', started, () => binding.reserve(state, pod, node));
  if (unreserved !== null) return takeBack(modules, started, node, state, unreserved);
  let waits: PermitWaits = NO_WAITS;
  const rejected = observed(modules, 'permit', started, () => {
    const outcome = binding.permit(state, pod, node.name);
    waits = outcome.waits;
    return outcome.rejected;
  });
  if (rejected !== null) return takeBack(modules, started, node, state, rejected);
  if (waits.size > 0) modules.waitingPods.add(pod, waits);
  activatePods(modules.queue, state);
  return assumed(started, node, state);
}

function takeBack(
  modules: CycleModules,
  started: StartedAttempt,
  node: NodeInfo,
  state: CycleState,
  status: Status,
): FailedAttempt {
  observed(modules, 'unreserve', started, () => {
    started.profile.framework.binding.unreserve(state, started.pod, node);
    return null;
  });
  modules.cache.forgetPod(started.pod);
  return failed(started, failureOnNode(status, node), null);
}

function assumed(
  { queued, profile, startMillis }: StartedAttempt,
  node: NodeInfo,
  state: CycleState | null,
): AssumedAttempt {
  return { outcome: 'assumed', queued, profile, node, startMillis, state };
}

/** What was charged is given back. */
function thrown(modules: CycleModules, started: StartedAttempt, error: unknown): FailedAttempt {
  if (!modules.cache.forgetPod(started.pod)) modules.cluster.pods.forget(started.pod);
  return failed(started, failureOf(errorStatus('', textOf(error))), null);
}

function failed(started: StartedAttempt, failure: Failure, eviction: FailedAttempt['eviction']): FailedAttempt {
  const { queued, profile, startMillis } = started;
  return { outcome: 'failed', queued, profile, startMillis, failure, eviction };
}

function failureOfDecision({ result, diagnosis, postFilter }: Decision): Failure {
  if (result.status !== 'unschedulable') {
    const message = result.status === 'error' ? result.message : `decided to be ${result.status}`;
    return failureOf(errorStatus('', message));
  }
  if (diagnosis === null) {
    return failureOf({ code: 'UnschedulableAndUnresolvable', reasons: [NO_NODES_AVAILABLE], plugin: '' });
  }
  const nominated = postFilter?.nominatedNodeName ?? null;
  return {
    code: 'Unschedulable',
    message: result.message,
    unschedulablePlugins: diagnosis.unschedulablePlugins,
    pendingPlugins: diagnosis.pendingPlugins,
    nomination: nominated === null ? null : nominated === '' ? NO_NOMINATION : { nodeName: nominated },
    statuses: diagnosis.statuses,
  };
}
