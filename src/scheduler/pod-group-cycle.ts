import { schedulerNameOf } from '../api/defaults.ts';
import type { Pod } from '../api/pod.ts';
import { podGroupKeyOf, podGroupNameOf } from '../api/pod-group.ts';
import { CycleState } from '../framework/cycle-state.ts';
import type { ExtenderCalls } from '../framework/extender-calls.ts';
import { runExtenderCalls } from '../framework/extender-transport.ts';
import { textOf } from '../framework/runtime/plugin-answer.ts';
import { errorStatus, isRejection, type Status } from '../framework/status.ts';
import { runAwaiting } from '../lib/maybe-promise.ts';
import type { Attempt, CycleModules, FailedAttempt, PodAttempt } from './attempt.ts';
import { evictionOf, failed, isToBeSkipped, reserveAndPermit, type StartedAttempt } from './cycle-steps.ts';
import { type Failure, failureOf } from './failures.ts';
import { patchPodGroup } from './pod-group-condition.ts';
import { onAllNodes, topologyKeyOf, tryPlacements } from './pod-group-placements.ts';
import { preemptForGroup } from './pod-group-preemption.ts';
import {
  GROUP_SCHEDULED,
  type GroupTrial,
  type MemberTrial,
  type TrialRoom,
  tryMembers,
  unschedulableGroup,
} from './pod-group-trial.ts';
import type { Eviction, PreemptionExecutor } from './preemption-executor.ts';
import type { QueuedPodInfo } from './queue/queued-pod-info.ts';
import type { RunningEviction } from './running-eviction.ts';

/**
 * THE STORY of one group (upstream's schedule_one_podgroup.go): with the popped pod, all others of its group leave the
 * queue; they are tried together, and everything is as before. If the group has a place, its pods are assumed there for
 * good, each with Reserve and Permit; otherwise each fails. At last the group's condition is written.
 *
 *   pop ──▶ the other members ──▶ tryMembers ─┬─▶ assume, reserve, permit, bind each pod that has a place
 *                                             └─▶ fail the others, or all
 */
export function attemptGroup(modules: CycleModules, first: QueuedPodInfo, done: (attempt: Attempt) => void): void {
  const members = popMembers(modules, first);
  const profileError = profileProblem(members);
  const pods = members.flatMap((queued) => startedOf(modules, queued) ?? []);
  if (pods.length === 0) {
    done({ outcome: 'skipped', queued: first });
    return;
  }
  const conclude = (outcome: GroupOutcome): void => done(groupAttempt(modules, pods, outcome));
  const failedWith = (error: string, isReported = true): void => {
    const status = errorStatus('', error);
    conclude({ trial: { members: [], status, waitsForPreemption: false }, eviction: null, isReported });
  };
  if (profileError !== null) {
    failedWith(profileError, false);
    return;
  }
  runExtenderCalls(tryGroup(modules, pods), modules.extenderTransport, {
    done: conclude,
    failed: (error) => failedWith(textOf(error)),
  });
}

/** What a group's attempt found, before anything is done about it. */
interface GroupOutcome {
  readonly trial: GroupTrial;
  /** The eviction for the group as a whole. */
  readonly eviction: Eviction | null;
  /** False: the group's condition stays as it was. */
  readonly isReported?: boolean;
}

/** Tries the group; if it has no place, preemption may find one for all of it. */
function* tryGroup(modules: CycleModules, pods: readonly StartedAttempt[]): ExtenderCalls<GroupOutcome> {
  const { cluster, profiles, queue } = modules;
  // The members do not leave room for each other's nominations, but for each other.
  for (const { pod } of pods) queue.deleteNominatedPodIfExists(pod.pod);
  cluster.updateSnapshot();
  const key = topologyKeyOf(modules, pods[0] as StartedAttempt);
  const trial =
    key === null
      ? onAllNodes(modules, yield* tryMembers(roomOf(modules), pods))
      : (yield* tryPlacements(modules, pods, key)).trial;
  const { WorkloadAwarePreemption } = profiles.environment.gates;
  if (!WorkloadAwarePreemption || !isRejection(trial.status)) return { trial, eviction: null };
  const { status, eviction } = yield* preemptForGroup(modules, pods);
  if (status === null) return { trial: { ...trial, waitsForPreemption: true }, eviction };
  if (!isRejection(status)) return { trial: { ...trial, status }, eviction: null };
  const reasons = [...trial.status.reasons, status.reasons.join(', ')];
  return { trial: { ...trial, status: { ...trial.status, reasons } }, eviction: null };
}

/** Pops the other pods of the group, in the order in which they are tried. */
function popMembers({ cluster, queue }: CycleModules, first: QueuedPodInfo): QueuedPodInfo[] {
  const { pod, namespace, uid } = first.podInfo;
  const members = [first];
  for (const { metadata } of cluster.podGroupState(namespace, podGroupNameOf(pod)).unscheduledPods()) {
    const member = metadata?.uid === uid ? null : queue.popOutOfTurn(metadata?.uid ?? '');
    if (member !== null) members.push(member);
  }
  return queue.orderMembers(members);
}

function profileProblem(members: readonly QueuedPodInfo[]): string | null {
  const names = [...new Set(members.map(({ podInfo }) => schedulerNameOf(podInfo.pod)))];
  if (names.length === 1) return null;
  // As upstream, the name of the pod that differs comes first.
  const [name, other] = names.slice(0, 2).map((each) => JSON.stringify(each));
  return `all pods in a single pod group should have the same .spec.schedulerName set, got: ${other} and ${name}`;
}

/** Starts the attempt of a member; null if the pod needs none, whose flight is then over. */
function startedOf(modules: CycleModules, queued: QueuedPodInfo): StartedAttempt | null {
  const { queue, profiles, loop } = modules;
  const pod = queued.podInfo;
  const template = profiles.templates.of(pod.pod);
  const { profile } = template;
  if (profile !== undefined && !isToBeSkipped(modules, pod)) {
    return { queued, pod, template, profile, startMillis: loop.nowMillis() };
  }
  queue.done(pod.uid);
  return null;
}

/** The cluster itself. */
function roomOf(modules: CycleModules): TrialRoom {
  const { profiles, cache, cluster, observer } = modules;
  return {
    profiles,
    assume(pod, node, chargedBy) {
      return cache.assumePod(pod, node, chargedBy);
    },
    forget(pod) {
      if (!cache.forgetPod(pod)) cluster.pods.forget(pod);
    },
    evictionOf: (pod, outcome) => evictionOf(modules, pod, outcome),
    tried: (pod, nodeName) => observer?.memberTried?.(pod.pod, nodeName),
  };
}

function groupAttempt(
  modules: CycleModules,
  pods: readonly StartedAttempt[],
  { trial, eviction, isReported = true }: GroupOutcome,
): Attempt {
  return {
    outcome: 'group',
    conclude(each) {
      const evictions = new Evictions(modules.preemption, trial, eviction);
      const assumed: PodAttempt[] = [];
      const back: Pod[] = [];
      for (const [i, started] of pods.entries()) {
        const member = trial.members[i];
        const failed = member === undefined ? failedWith(started, trial.status) : null;
        const attempt = failed ?? memberAttempt(modules, member as MemberTrial, trial);
        // Bindings run side by side, and so begin when all pods of the group are assumed.
        const hasWritten = attempt.outcome !== 'assumed' && each(attempt);
        if (attempt.outcome === 'assumed') assumed.push(attempt);
        // A pod that waits for others has those tried again that have failed.
        if (attempt.outcome !== 'assumed') back.push(started.pod.pod);
        else if (back.length > 0 && modules.waitingPods.get(started.pod.uid)) modules.queue.activate(back);
        if (hasWritten) evictions.advance(WRITES_PER_REPORT);
      }
      evictions.finish();
      for (const attempt of assumed) each(attempt);
      if (isReported) reportGroup(modules, pods[0] as StartedAttempt, trial.status);
    },
  };
}

/**
 * How many writes of an eviction come between the reports about two pods, if the first report is a write itself. One
 * that tells the API nothing new waits for no answer, so that nothing else gets ahead meanwhile.
 */
const WRITES_PER_REPORT = 3;
/** How far evictions for single pods, which began in the trial, are ahead. */
const HEAD_START = 2;

/** The evictions that the attempt of a group begins: upstream runs them beside the reports about the group's pods. */
class Evictions {
  readonly #running: RunningEviction[];

  constructor(preemption: PreemptionExecutor, { members }: GroupTrial, ofGroup: Eviction | null) {
    this.#running = members.flatMap(({ eviction }) => (eviction === null ? [] : [preemption.begin(eviction)]));
    this.advance(HEAD_START);
    if (ofGroup !== null) this.#running.push(preemption.begin(ofGroup));
  }

  advance(writes: number): void {
    for (const eviction of this.#running) eviction.advance(writes);
  }

  finish(): void {
    for (const eviction of this.#running) eviction.finish();
  }
}

/** The attempt of one pod, after the trial of its group. */
function memberAttempt(modules: CycleModules, member: MemberTrial, trial: GroupTrial): PodAttempt {
  const { started, place, failure } = member;
  const { status } = trial;
  if (status.code === 'Error') {
    const isOwn = failure !== null && !isRejection(failure);
    return isOwn ? failed(started, failure, null) : failedWith(started, status);
  }
  if (place === null) return failed(started, failure as Failure, null);
  if (status === GROUP_SCHEDULED) return assumeForGood(modules, started, member);
  if (!trial.waitsForPreemption) return failedWith(started, unschedulableGroup(...place.waitReasons));
  if (failure !== null) return failed(started, failure, null);
  const nomination = { nodeName: place.node.name };
  return failed(started, { ...failureOf(status), nomination }, null);
}

/** Assumes the pod on its place; Reserve and Permit look at the pods that were assumed before. */
function assumeForGood(modules: CycleModules, started: StartedAttempt, { place }: MemberTrial): PodAttempt {
  const { cache } = modules;
  const { pod } = started;
  const { node, state } = place as NonNullable<MemberTrial['place']>;
  if (!cache.assumePod(pod, node)) {
    return failedWith(started, errorStatus('', `pod ${pod.key} is in the cache already`));
  }
  return reserveAndPermit(modules, started, node, state ?? new CycleState());
}

function failedWith(started: StartedAttempt, status: Status): FailedAttempt {
  return failed(started, failureOf(status), null);
}

function reportGroup({ cluster, api, loop, reportError }: CycleModules, { pod }: StartedAttempt, status: Status): void {
  const group = cluster.objects.get('PodGroup', podGroupNameOf(pod.pod), pod.namespace);
  if (group === undefined) return;
  runAwaiting(patchPodGroup(api, group, status, loop.nowMillis()), {
    done: () => {},
    failed: (error) => reportError(error, `report whether pod group ${podGroupKeyOf(pod.pod)} is scheduled`),
  });
}
