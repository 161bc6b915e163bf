import type { Decision } from '../core/decision/schedule-pod.ts';
import { schedulePod } from '../core/decision/schedule-pod.ts';
import type { Profiles } from '../core/profiles.ts';
import type { ClusterObserver } from '../framework/cluster/cluster-observer.ts';
import { CycleState } from '../framework/cycle-state.ts';
import type { ExtenderCalls } from '../framework/extender-calls.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import { PodInfo } from '../framework/pod-info.ts';
import type { PostFilterOutcome } from '../framework/post-filter.ts';
import { textOf } from '../framework/runtime/plugin-answer.ts';
import { errorStatus, isRejection, type Status } from '../framework/status.ts';
import { failureOfDecision, type StartedAttempt, stateAfterIndex } from './cycle-steps.ts';
import { type Failure, failureOf, failureOnNode } from './failures.ts';
import { hasPreferredTerms, hasTerms, standInOf, visibleTerms } from './pod-group-stand-in.ts';
import type { Eviction } from './preemption-executor.ts';

/** Where a group is tried: in the cluster itself, or in a copy of it. */
export interface TrialRoom {
  readonly profiles: Profiles;
  /** Charges the node with the pod for the rest of the trial. Returns false if there is such a pod already. */
  assume(pod: PodInfo, node: NodeInfo, chargedBy: ClusterObserver | null): boolean;
  forget(pod: PodInfo): void;
  /** Prepares the eviction of the victims that preemption found; null if there are none to evict. */
  evictionOf(pod: PodInfo, outcome: PostFilterOutcome): Eviction | null;
  /** Called for each pod that was tried; '' if it has no place. */
  tried?(pod: PodInfo, nodeName: string): void;
}

/** What a trial found for one pod. */
export interface MemberTrial {
  readonly started: StartedAttempt;
  /** The place of the pod; null if it has none. */
  readonly place: Place | null;
  /** Why the pod cannot go there now, or has no place; null if it can go. */
  readonly failure: Failure | null;
  /** The eviction that makes room for the pod. */
  readonly eviction: Eviction | null;
}

interface Place {
  readonly node: NodeInfo;
  readonly state: CycleState;
  /** Why Permit plugins would hold the pod; empty if they permit it. */
  readonly waitReasons: readonly string[];
}

/** What a trial found for a group. */
export interface GroupTrial {
  /** The pods in the order in which they were tried; after an error the others are missing. */
  readonly members: readonly MemberTrial[];
  /** `Success`, `Unschedulable` or `Error`. */
  readonly status: Status;
  /** Whether the group has a place as soon as victims are gone. */
  readonly waitsForPreemption: boolean;
}

/** The reason of every group that has no place. */
const GROUP_UNSCHEDULABLE = 'pod group is unschedulable';
const GROUP_WAITS = 'pod group is waiting for preemption to complete';

export const GROUP_SCHEDULED: Status = { code: 'Success', reasons: [], plugin: '' };

/**
 * Tries the pods of a group one after the other, each of them beside those before it (upstream's
 * podGroupSchedulingDefaultAlgorithm). A pod that is rejected does not stop the others: the group has a place as soon
 * as Permit lets one of its pods go. In the end, everything is as before.
 */
export function* tryMembers(room: TrialRoom, pods: readonly StartedAttempt[]): ExtenderCalls<GroupTrial> {
  const trial = new Trial(room);
  let status = unschedulableGroup();
  let needsPreemption = false;
  let waitsForPreemption = false;
  try {
    for (const started of pods) {
      const { place, failure } = trial.tryByIndex(started) ?? (yield* trial.tryMember(started));
      room.tried?.(started.pod, failure === null ? (place?.node.name ?? '') : '');
      if (place === null) {
        if (isRejection(failure as Failure)) continue;
        status = errorStatus('', `failed to schedule other pod from a pod group: ${failure?.message}`);
        waitsForPreemption = false;
        break;
      }
      needsPreemption ||= failure !== null;
      if (place.waitReasons.length > 0) continue;
      waitsForPreemption = needsPreemption;
      status = needsPreemption ? unschedulableGroup(GROUP_WAITS) : GROUP_SCHEDULED;
    }
  } finally {
    trial.revert();
  }
  return { members: trial.members, status, waitsForPreemption };
}

export function unschedulableGroup(...reasons: readonly string[]): Status {
  return { code: 'Unschedulable', reasons: [GROUP_UNSCHEDULABLE, ...reasons], plugin: '' };
}

/** A pod on its place, as the pods after it see it. */
interface Placed {
  readonly started: StartedAttempt;
  readonly node: NodeInfo;
  readonly state: CycleState;
  /** The pod, or what stands for it there. */
  shown: PodInfo;
}

class Trial {
  readonly members: MemberTrial[] = [];
  readonly #room: TrialRoom;
  readonly #placed: Placed[] = [];
  /** Whether terms that only give scores are seen wherever they are. */
  #showsPreferences = false;

  constructor(room: TrialRoom) {
    this.#room = room;
  }

  /** Places a pod whose decision depends on its signature alone; null if a cycle has to decide. */
  tryByIndex(started: StartedAttempt): MemberTrial | null {
    let member: MemberTrial;
    try {
      this.#showTerms(hasPreferredTerms(started.pod.pod));
      const placed = this.#placeByIndex(started);
      if (placed === null) return null;
      member = this.#reserved(placed, null);
    } catch (error) {
      member = this.#thrown(started, error);
    }
    this.members.push(member);
    return member;
  }

  /** Decides by a cycle. */
  *tryMember(started: StartedAttempt): ExtenderCalls<MemberTrial> {
    let member: MemberTrial;
    try {
      member = this.#decided(started, yield* schedulePod(started.profile, started.pod));
    } catch (error) {
      member = this.#thrown(started, error);
    }
    this.members.push(member);
    return member;
  }

  revert(): void {
    for (const placed of this.#placed.toReversed()) this.#takeOff(placed);
    this.#placed.length = 0;
  }

  #thrown(started: StartedAttempt, error: unknown): MemberTrial {
    this.#room.forget(started.pod);
    return noPlace(started, failureOf(errorStatus('', textOf(error))));
  }

  #placeByIndex(started: StartedAttempt): Placed | null {
    const { pod, template } = started;
    const { cluster, placeByIndex } = this.#room.profiles;
    if (template.engine === null || template.needsExtenders || hasTerms(pod.pod)) return null;
    if (cluster.pods.startAttempt(pod) === null) return null;
    const place = placeByIndex.placeNode(pod, template);
    if (place === null) {
      cluster.pods.forget(pod);
      return null;
    }
    const { node, chargedBy } = place;
    this.#room.assume(pod, node, chargedBy);
    return { started, node, state: stateAfterIndex(this.#room.profiles, started), shown: pod };
  }

  /** A pod that preemption makes room for counts as placed for the pods after it. */
  #decided(started: StartedAttempt, decision: Decision): MemberTrial {
    const { result, filtered, postFilter } = decision;
    let failure: Failure | null = null;
    let eviction: Eviction | null = null;
    let nodeName = result.status === 'scheduled' ? result.node : '';
    if (nodeName === '') {
      failure = failureOfDecision(decision);
      if (postFilter !== null) eviction = this.#room.evictionOf(started.pod, postFilter);
      nodeName = failure.nomination?.nodeName ?? '';
      if (nodeName === '') return { ...noPlace(started, failure), eviction };
    }
    const node = this.#room.profiles.cluster.node(nodeName);
    if (node === undefined) return noPlace(started, failureOf(errorStatus('', `node "${nodeName}" not found`)));
    const shown = this.#shownOn(started.pod, node);
    if (!this.#room.assume(shown, node, null)) {
      return noPlace(started, failureOf(errorStatus('', `pod ${started.pod.key} is in the cache already`)));
    }
    // The engine keeps this state for the next pods of the same signature.
    const state = filtered?.state.clone() ?? new CycleState();
    return { ...this.#reserved({ started, node, state, shown }, failure), eviction };
  }

  #reserved(placed: Placed, failure: Failure | null): MemberTrial {
    const { started, node, state } = placed;
    const { pod, profile } = started;
    const { binding } = profile.framework;
    this.#placed.push(placed);
    const unreserved = binding.reserve(state, pod, node);
    const permit = unreserved === null ? binding.permit(state, pod, node.name) : null;
    const rejected = unreserved ?? permit?.rejected ?? null;
    if (rejected === null) {
      const waitReasons = permit?.waitReasons ?? [];
      return { started, place: { node, state, waitReasons }, failure, eviction: null };
    }
    this.#placed.pop();
    this.#takeOff(placed);
    return noPlace(started, failureOnNode(rejected, node));
  }

  #takeOff({ started: { pod, profile }, node, state, shown }: Placed): void {
    profile.framework.binding.unreserve(state, pod, node);
    this.#room.forget(shown);
  }

  /** Shows all terms that only give scores, or those that every pod sees. */
  #showTerms(showsPreferences: boolean): void {
    if (showsPreferences === this.#showsPreferences) return;
    this.#showsPreferences = showsPreferences;
    for (const placed of this.#placed) {
      const { pod } = placed.started;
      if (!hasTerms(pod.pod)) continue;
      this.#room.forget(placed.shown);
      placed.shown = this.#shownOn(pod, placed.node);
      this.#room.assume(placed.shown, placed.node, null);
    }
  }

  #shownOn(pod: PodInfo, node: NodeInfo): PodInfo {
    if (!hasTerms(pod.pod)) return pod;
    const isOfTrial = (other: PodInfo): boolean => this.#placed.some(({ shown }) => shown === other);
    const standIn = standInOf(pod.pod, visibleTerms(node, isOfTrial, this.#showsPreferences));
    const template = this.#room.profiles.templates.of(standIn);
    const info = new PodInfo(standIn, template.requirements, '');
    info.template = template;
    return info;
  }
}

function noPlace(started: StartedAttempt, failure: Failure): MemberTrial {
  return { started, place: null, failure, eviction: null };
}
