import type { Profile } from '../core/decision/profile.ts';
import { type Decision, schedulePod } from '../core/decision/schedule-pod.ts';
import { isBoundByExtender } from '../core/extenders/bind.ts';
import { runExtenderCalls } from '../core/extenders/transport.ts';
import type { PodTemplate } from '../core/pod-templates.ts';
import { CycleState } from '../framework/cycle-state.ts';
import { withoutExtenderCalls } from '../framework/extender-calls.ts';
import { NO_NODES_AVAILABLE } from '../framework/fit-error.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import type { PodInfo } from '../framework/pod-info.ts';
import type { PostFilterOutcome } from '../framework/post-filter.ts';
import type { BindingFramework, PermitWaits } from '../framework/runtime/binding-framework.ts';
import { textOf } from '../framework/runtime/plugin-answer.ts';
import { errorStatus, type Status } from '../framework/status.ts';
import { DefaultBinder } from '../plugins/default-binder/plugin.ts';
import type { AssumedAttempt, Attempt, CycleModules, FailedAttempt } from './attempt.ts';
import { type Failure, failureOf, failureOnNode, NO_NOMINATION } from './failures.ts';
import { observed } from './observed.ts';
import { activatePods } from './pods-to-activate.ts';
import type { Eviction } from './preemption-executor.ts';
import type { QueuedPodInfo } from './queue/queued-pod-info.ts';

const NO_WAITS: PermitWaits = new Map();

/** An attempt that has begun, and what it needs of its pod. */
interface StartedAttempt {
  readonly queued: QueuedPodInfo;
  readonly pod: PodInfo;
  readonly template: PodTemplate;
  readonly profile: Profile;
  readonly startMillis: number;
}

/**
 * THE STORY of one pod, up to the node that is charged for it (upstream's schedule_one.go): the pod is popped, skipped
 * if it needs no node, decided, assumed, reserved and permitted. `done` is called once: before this returns, or later
 * if extenders are called. Returns false if the queue is empty.
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

/** Decides without extenders. An exception fails the attempt of this pod only. */
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

/** Whether the pod is being deleted, or assumed by an earlier attempt. */
function isToBeSkipped({ cache, recorder }: CycleModules, info: PodInfo): boolean {
  const { pod } = info;
  if (pod.metadata?.deletionTimestamp) {
    const note = `skip schedule deleting pod: ${info.key}`;
    recorder.event(pod, null, 'Warning', 'FailedScheduling', 'Scheduling', note);
    return true;
  }
  return info.isAssumed || (cache.assumedCount > 0 && cache.isAssumedPod(pod));
}

/** Places a pod whose decision depends on its signature alone. Returns null if a cycle has to decide. */
function placeByIndex(modules: CycleModules, started: StartedAttempt): Attempt | null {
  const { pod, template } = started;
  const { engine } = template;
  if (engine === null || modules.cluster.pods.startAttempt(pod) === null) return null;
  const { placeByIndex } = modules.profiles;
  const node = placeByIndex.placeNode(pod, template);
  if (node === null) {
    modules.cluster.pods.forget(pod);
    return null;
  }
  modules.cache.assumePod(pod, node, engine);
  modules.queue.deleteNominatedPodIfExists(pod.pod);
  if (isPlainPod(started.profile, pod)) return assumed(started, node, null);
  const state = placeByIndex.attemptState ?? template.signature?.state.clone() ?? new CycleState();
  return reserveAndPermit(modules, started, node, state);
}

function schedulingCycle(modules: CycleModules, started: StartedAttempt): Attempt {
  const decision = withoutExtenderCalls(schedulePod(started.profile, started.pod));
  modules.observer?.decided?.(started.queued, decision);
  return conclude(modules, started, decision);
}

/** Runs a cycle that calls extenders. No other attempt begins until they have answered. */
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

/** Assumes the pod on the node that was decided, or returns the failure. */
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
    // The engine keeps this state for the next pods of the same signature.
    return reserveAndPermit(modules, started, node, filtered.state.clone());
  }
  const { postFilter } = decision;
  const eviction = postFilter === null ? null : evictionOf(modules, pod, postFilter);
  if (postFilter !== null && postFilter.status.code !== 'Error') modules.observer?.preemptionAttempted?.();
  return failed(started, failureOfDecision(decision), eviction);
}

/** Whether only the default binder has work for the pod once its node is chosen. */
function isPlainPod({ framework, extenders }: Profile, pod: PodInfo): boolean {
  const { binding } = framework;
  if (!onlyBinds(binding) || binding.reserves(pod) || binding.preBinds(pod)) return false;
  return extenders.length === 0 || !isBoundByExtender(extenders, pod);
}

function onlyBinds({ permitPlugins, bindPlugins, postBindPlugins }: BindingFramework): boolean {
  if (permitPlugins.length > 0 || postBindPlugins.length > 0) return false;
  return bindPlugins.length === 1 && bindPlugins[0] instanceof DefaultBinder;
}

/** Prepares the eviction of the victims; null if PostFilter did not succeed. */
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

/** Frees the pod's resources, and fails its attempt. */
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
