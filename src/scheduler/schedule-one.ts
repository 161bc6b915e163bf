import { type Decision, schedulePod } from '../core/decision/schedule-pod.ts';
import { withoutExtenderCalls } from '../framework/extender-calls.ts';
import { runExtenderCalls } from '../framework/extender-transport.ts';
import { textOf } from '../framework/runtime/plugin-answer.ts';
import { errorStatus } from '../framework/status.ts';
import type { Attempt, CycleModules, FailedAttempt, PodAttempt } from './attempt.ts';
import {
  assumed,
  evictionOf,
  failed,
  failureOfDecision,
  isPlainPod,
  isToBeSkipped,
  reserveAndPermit,
  type StartedAttempt,
  stateAfterIndex,
} from './cycle-steps.ts';
import { failureOf } from './failures.ts';
import { attemptGroup } from './pod-group-cycle.ts';
import type { QueuedPodInfo } from './queue/queued-pod-info.ts';

/**
 * THE STORY of one pod, up to the node that is charged for it (upstream's schedule_one.go): the pod is popped, skipped
 * if it needs no node, decided, assumed, reserved and permitted. A pod of a group is tried together with the others.
 * `done` is called once: before this returns, or later if extenders are called. Returns false if the queue is empty.
 */
export function attemptOne(modules: CycleModules, done: (attempt: Attempt) => void): boolean {
  const queued = modules.queue.pop();
  if (queued === null) return false;
  attemptQueued(modules, queued, done);
  return true;
}

/** As `attemptOne`, of a pod that was popped already. */
export function attemptQueued(modules: CycleModules, queued: QueuedPodInfo, done: (attempt: Attempt) => void): void {
  if (modules.isOfGroup(queued.podInfo.pod)) attemptGroup(modules, queued, done);
  else attempt(modules, queued, done);
}

function attempt(modules: CycleModules, queued: QueuedPodInfo, done: (attempt: PodAttempt) => void): void {
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
function decide(modules: CycleModules, started: StartedAttempt): PodAttempt {
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

/** Places a pod whose decision depends on its signature alone. Returns null if a cycle has to decide. */
function placeByIndex(modules: CycleModules, started: StartedAttempt): PodAttempt | null {
  const { pod, template } = started;
  if (template.engine === null || modules.cluster.pods.startAttempt(pod) === null) return null;
  const { placeByIndex } = modules.profiles;
  const place = placeByIndex.placeNode(pod, template);
  if (place === null) {
    modules.cluster.pods.forget(pod);
    return null;
  }
  const { node, chargedBy } = place;
  modules.cache.assumePod(pod, node, chargedBy);
  modules.queue.deleteNominatedPodIfExists(pod.pod);
  if (isPlainPod(started.profile, pod)) return assumed(started, node, null);
  return reserveAndPermit(modules, started, node, stateAfterIndex(modules.profiles, started));
}

function schedulingCycle(modules: CycleModules, started: StartedAttempt): PodAttempt {
  const decision = withoutExtenderCalls(schedulePod(started.profile, started.pod));
  modules.observer?.decided?.(started.queued, decision);
  return conclude(modules, started, decision);
}

/** Runs a cycle that calls extenders. No other attempt begins until they have answered. */
function askExtenders(modules: CycleModules, started: StartedAttempt, done: (attempt: PodAttempt) => void): void {
  runExtenderCalls(schedulePod(started.profile, started.pod), modules.extenderTransport, {
    done: (decision) => done(concludeAnswered(modules, started, decision)),
    failed: (error) => done(thrown(modules, started, error)),
  });
}

function concludeAnswered(modules: CycleModules, started: StartedAttempt, decision: Decision): PodAttempt {
  try {
    return conclude(modules, started, decision);
  } catch (error) {
    return thrown(modules, started, error);
  }
}

/** Assumes the pod on the node that was decided, or returns the failure. */
function conclude(modules: CycleModules, started: StartedAttempt, decision: Decision): PodAttempt {
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

/** Frees the pod's resources, and fails its attempt. */
function thrown(modules: CycleModules, started: StartedAttempt, error: unknown): FailedAttempt {
  if (!modules.cache.forgetPod(started.pod)) modules.cluster.pods.forget(started.pod);
  return failed(started, failureOf(errorStatus('', textOf(error))), null);
}
