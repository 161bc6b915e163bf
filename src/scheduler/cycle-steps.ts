import type { Profile } from '../core/decision/profile.ts';
import type { Decision } from '../core/decision/schedule-pod.ts';
import { isBoundByExtender } from '../core/extenders/bind.ts';
import type { PodTemplate } from '../core/pod-templates.ts';
import type { Profiles } from '../core/profiles.ts';
import { CycleState } from '../framework/cycle-state.ts';
import { NO_NODES_AVAILABLE } from '../framework/fit-error.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import type { PodInfo } from '../framework/pod-info.ts';
import type { PostFilterOutcome } from '../framework/post-filter.ts';
import type { BindingFramework, PermitWaits } from '../framework/runtime/binding-framework.ts';
import { errorStatus, type Status } from '../framework/status.ts';
import { DefaultBinder } from '../plugins/default-binder/plugin.ts';
import type { AssumedAttempt, CycleModules, FailedAttempt } from './attempt.ts';
import { type Failure, failureOf, failureOnNode, NO_NOMINATION } from './failures.ts';
import { observed } from './observed.ts';
import { activatePods } from './pods-to-activate.ts';
import type { Eviction } from './preemption-executor.ts';
import type { QueuedPodInfo } from './queue/queued-pod-info.ts';

const NO_WAITS: PermitWaits = new Map();

/** An attempt that has begun, and what it needs of its pod. */
export interface StartedAttempt {
  readonly queued: QueuedPodInfo;
  readonly pod: PodInfo;
  readonly template: PodTemplate;
  readonly profile: Profile;
  readonly startMillis: number;
}

/** Whether the pod is being deleted, or assumed by an earlier attempt. */
export function isToBeSkipped({ cache, recorder }: CycleModules, info: PodInfo): boolean {
  const { pod } = info;
  if (pod.metadata?.deletionTimestamp) {
    const note = `skip schedule deleting pod: ${info.key}`;
    recorder.event(pod, null, 'Warning', 'FailedScheduling', 'Scheduling', note);
    return true;
  }
  return info.isAssumed || (cache.assumedCount > 0 && cache.isAssumedPod(pod));
}

/** Whether only the default binder has work for the pod once its node is chosen. */
export function isPlainPod({ framework, extenders }: Profile, pod: PodInfo): boolean {
  const { binding } = framework;
  if (!onlyBinds(binding) || binding.reserves(pod) || binding.preBinds(pod) || binding.permits(pod)) return false;
  return extenders.length === 0 || !isBoundByExtender(extenders, pod);
}

function onlyBinds({ bindPlugins, postBindPlugins }: BindingFramework): boolean {
  if (postBindPlugins.length > 0) return false;
  return bindPlugins.length === 1 && bindPlugins[0] instanceof DefaultBinder;
}

/** Whether nothing but the default binder binds pods that no extender binds, and nobody has to see it called. */
export function isBoundByDefault({ bindPlugins }: BindingFramework): boolean {
  const [first] = bindPlugins;
  return first !== undefined && bindPlugins.length === 1 && DefaultBinder.isBare(first);
}

/**
 * The state with which a pod goes on that was placed by index. The engine keeps its own for the next pods of the same
 * signature.
 */
export function stateAfterIndex(profiles: Profiles, { template }: StartedAttempt): CycleState {
  return profiles.placeByIndex.attemptState ?? template.signature?.state.clone() ?? new CycleState();
}

/** Prepares the eviction of the victims; null if PostFilter did not succeed. */
export function evictionOf({ preemption }: CycleModules, pod: PodInfo, outcome: PostFilterOutcome): Eviction | null {
  const { status, nominatedNodeName, victims } = outcome;
  if (status.code !== 'Success' || !nominatedNodeName) return null;
  return preemption.prepare(pod, nominatedNodeName, victims);
}

/** Runs Reserve and Permit for an assumed pod, which is taken back if one of them fails. */
export function reserveAndPermit(
  modules: CycleModules,
  started: StartedAttempt,
  node: NodeInfo,
  state: CycleState,
): AssumedAttempt | FailedAttempt {
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

export function assumed(
  { queued, profile, startMillis }: StartedAttempt,
  node: NodeInfo,
  state: CycleState | null,
): AssumedAttempt {
  return { outcome: 'assumed', queued, profile, node, startMillis, state };
}

export function failed(started: StartedAttempt, failure: Failure, eviction: FailedAttempt['eviction']): FailedAttempt {
  const { queued, profile, startMillis } = started;
  return { outcome: 'failed', queued, profile, startMillis, failure, eviction };
}

export function failureOfDecision({ result, diagnosis, postFilter }: Decision): Failure {
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
