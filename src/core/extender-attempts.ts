import type { Pod } from '../api/pod.ts';
import type { CallGuard } from '../caller/call-guard.ts';
import type { ClusterState } from '../framework/cluster/cluster-state.ts';
import { CycleState } from '../framework/cycle-state.ts';
import type { ExtenderCalls } from '../framework/extender-calls.ts';
import type { ExtenderTransport } from '../framework/extender-transport.ts';
import { PodInfo } from '../framework/pod-info.ts';
import { SchedulerError } from '../framework/scheduler-error.ts';
import { anyAbort } from '../lib/abort.ts';
import type { Attempts } from './attempts.ts';
import type { Profile } from './decision/profile.ts';
import type { ScheduleResult } from './decision/result.ts';
import { schedulePod } from './decision/schedule-pod.ts';
import { bindByExtender, type ExtenderBinding } from './extenders/bind.ts';
import { ExtenderTurns } from './extenders/extender-turns.ts';
import type { Profiles } from './profiles.ts';

/** An AbortSignal, whose type not every project has. */
export interface AbortSignalLike {
  readonly aborted: boolean;
  readonly reason?: unknown;
}

/** When a decision that waits for extenders, or for its turn, is given up. */
export interface AsyncOptions {
  /** Ends the decision; the promise rejects with Aborted. */
  readonly signal?: AbortSignalLike | undefined;
  /** The most milliseconds until the promise is settled; it rejects with DeadlineExceeded. */
  readonly deadlineMillis?: number | undefined;
}

/** The attempts for which extenders may have to be called, one after the other. */
export class ExtenderAttempts {
  readonly #profiles: Profiles;
  readonly #cluster: ClusterState;
  readonly #attempts: Attempts;
  readonly #turns: ExtenderTurns;
  readonly #guard: CallGuard;

  constructor(profiles: Profiles, attempts: Attempts, guard: CallGuard, transport: ExtenderTransport | undefined) {
    this.#guard = guard;
    this.#profiles = profiles;
    this.#cluster = profiles.cluster;
    this.#attempts = attempts;
    this.#turns = new ExtenderTurns(transport);
  }

  schedule(pod: Pod, options: AsyncOptions): Promise<ScheduleResult> {
    return this.run(() => this.#schedule(pod), options);
  }

  bind(pod: Pod, nodeName: string, options: AsyncOptions): Promise<ExtenderBinding | null> {
    return this.run(() => this.#bind(pod, nodeName), options);
  }

  /** Runs other work that calls extenders, in its turn. */
  run<T>(begin: () => ExtenderCalls<T>, options: AsyncOptions): Promise<T> {
    const { signal, deadlineMillis } = options;
    return this.#turns.run(
      () => this.#guard.steps(begin()),
      anyAbort(signal as AbortSignal | undefined, deadlineMillis),
    );
  }

  /** Rejects what runs and what waits. */
  close(): void {
    this.#turns.close();
  }

  *#schedule(given: Pod): ExtenderCalls<ScheduleResult> {
    const pod = this.#attempts.checked(given);
    const template = this.#profiles.templates.of(pod);
    const { profile, needsExtenders } = template;
    if (profile === undefined || !needsExtenders) return this.#attempts.schedule(pod);
    const expected = this.#attempts.start(pod, template);
    const pending = this.#cluster.pods.get(expected.namespace, expected.name) as PodInfo;
    const known = pending.pod;
    let isDone = false;
    try {
      const info = this.#cluster.pods.withNomination(expected);
      const seen = this.#clusterVersion();
      let decision = yield* schedulePod(profile, info);
      this.#mustBePending(info, pending, known);
      if (decision.node !== null && seen !== this.#clusterVersion()) {
        const state = this.#mustFit(profile, info, decision.node.name);
        decision = { ...decision, filtered: { state, podState: state } };
      }
      const result = this.#attempts.carryOut(decision, profile, info, expected);
      isDone = true;
      return result;
    } finally {
      // Also work that is aborted, which is never continued, ends its attempt.
      if (!isDone) this.#cluster.pods.forgetAttempt(expected, pending);
    }
  }

  *#bind(given: Pod, nodeName: string): ExtenderCalls<ExtenderBinding | null> {
    const pod = this.#attempts.checked(given);
    const { profile, requirements } = this.#profiles.templates.of(pod);
    return yield* bindByExtender(profile?.extenders ?? [], new PodInfo(pod, requirements, ''), nodeName);
  }

  /** The pod must still be the one whose attempt began. Errors: NotFound; AlreadyExists; Conflict. */
  #mustBePending(info: PodInfo, pending: PodInfo, object: Pod): void {
    const { namespace, name, key } = info;
    const known = this.#cluster.pods.get(namespace, name);
    if (known === undefined) throw new SchedulerError('NotFound', `pod ${key} was removed while it was scheduled`);
    if (known.uid !== pending.uid) {
      throw new SchedulerError('Conflict', `pod ${key} was replaced by another of this name while it was scheduled`);
    }
    if (known.nodeName !== '') {
      throw new SchedulerError('AlreadyExists', `pod ${key} went to node ${known.nodeName} while it was scheduled`);
    }
    if (known.pod !== object) throw new SchedulerError('Conflict', `pod ${key} was changed while it was scheduled`);
    // Another pod's preemption has cleared the nomination: the attempt takes the place of the pod as it is now.
    if (known !== pending) info.hasAttempt = false;
  }

  /**
   * The chosen node must still be there, and fit. Returns what plugins have found now, since Reserve must not give away
   * what others have got meanwhile. Errors: Conflict.
   */
  #mustFit({ framework }: Profile, pod: PodInfo, nodeName: string): CycleState {
    const node = this.#cluster.node(nodeName);
    const conflict = (reason: string): SchedulerError =>
      new SchedulerError('Conflict', `pod ${pod.key}: node ${nodeName} ${reason}`);
    if (node === undefined) throw conflict('was removed while an extender answered');
    const state = new CycleState();
    this.#cluster.lendSnapshot();
    const { rejected, nodeNames, excluded } = framework.runPreFilter(state, pod, this.#cluster);
    const isExcluded = nodeNames !== null && !nodeNames.has(nodeName);
    const status =
      rejected ??
      (isExcluded ? excluded : null) ??
      framework.runFilterWithNominatedPods(framework.activeFilters(state), state, pod, node, this.#cluster) ??
      framework.runPreScore(state, pod, [node]);
    if (status !== null) throw conflict(`does not fit any more: ${status.reasons.join(', ')}`);
    return state;
  }

  /** A number that every change changes that a filter can see. */
  #clusterVersion(): number {
    const { changes, objects, nodesVersion, pods } = this.#cluster;
    return changes.end + nodesVersion + objects.totalVersion + pods.nominated.version;
  }
}
