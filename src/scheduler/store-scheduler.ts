import type { Pod } from '../api/pod.ts';
import { whenSynced } from '../client/informer/when-synced.ts';
import { explainPod } from '../core/decision/explain-pod.ts';
import type { Explanation } from '../core/decision/result.ts';
import { needsExtenders } from '../core/extenders/extender.ts';
import { checkOptions } from '../core/option-checks.ts';
import type { Profiles } from '../core/profiles.ts';
import { withoutExtenderCalls } from '../framework/extender-calls.ts';
import { assert } from '../lib/assert.ts';
import type { EventLoop, Timer } from '../lib/event-loop.ts';
import type { AssumedAttempt, Attempt, CycleModules, FailedAttempt, PodAttempt } from './attempt.ts';
import { runBindingCycle } from './binding-cycle.ts';
import type { SchedulerCache } from './cache/scheduler-cache.ts';
import { ChangedGroup } from './changed-group.ts';
import { explainInGroup, type InGroup } from './explain-group.ts';
import { handleFailedAttempt } from './handle-failure.ts';
import { newCycleModules, type StoreSchedulerModules, type StoreSchedulerOptions } from './new-cycle-modules.ts';
import type { AttemptPace } from './pace.ts';
import type { SchedulingQueue } from './queue/scheduling-queue.ts';
import { attemptOne, attemptQueued } from './schedule-one.ts';
import type { WaitingPods } from './waiting-pods.ts';
import { type SchedulerInformers, watchObjects } from './watch-objects.ts';

export type { StoreSchedulerModules, StoreSchedulerOptions };

/** The number of attempts in one task of the loop; watches and timers run between tasks. */
const ATTEMPTS_PER_TASK = 128;

/** The options that a scheduler on a store has beside those of `Scheduler`. */
const STORE_OPTIONS: readonly string[] = ['assumedPodTtlMillis', 'queueingHints'];

/**
 * A complete kube-scheduler on a store: it watches, decides and binds.
 *
 *   watch ─▶ event handlers ─┬─▶ queue ─▶ attempt ─┬─▶ binding cycle ─▶ API
 *                            └─▶ cache ◀───────────┘        │ failed
 *                                          queue ◀── handle failure ─▶ event, condition
 *
 * Attempts run one after the other; an attempt that calls extenders delays the next one until they have answered.
 */
export class StoreScheduler {
  /** @internal */
  readonly profiles: Profiles;
  /** @internal */
  readonly cache: SchedulerCache;
  /** @internal */
  readonly queue: SchedulingQueue;
  /** @internal */
  readonly waitingPods: WaitingPods;
  readonly #modules: CycleModules;
  readonly #loop: EventLoop;
  readonly #pace: AttemptPace | null;
  readonly #hasSynced: () => boolean;
  readonly #informers: SchedulerInformers;
  #starting: Timer | null = null;
  #isRunning = false;
  #isScheduled = false;
  #isAttempting = false;

  constructor(modules: StoreSchedulerModules, options: StoreSchedulerOptions = {}) {
    checkOptions(options, STORE_OPTIONS);
    this.#loop = modules.loop;
    this.#pace = modules.pace ?? null;
    this.#modules = newCycleModules(modules, options, () => this.#wake());
    const { cache, queue, profiles, waitingPods } = this.#modules;
    this.profiles = profiles;
    this.cache = cache;
    this.queue = queue;
    this.waitingPods = waitingPods;
    const handlers = {
      cache,
      queue,
      isResponsibleFor: (pod: Pod) => profiles.of(pod) !== undefined,
      rejectWaitingPod: (uid: string) => waitingPods.reject(uid),
    };
    this.#informers = modules.informers;
    this.#hasSynced = watchObjects(modules.informers, handlers, profiles.environment.gates);
  }

  /**
   * Says what would be decided for the pod now, in all details, and changes nothing. Undefined for a pod of another
   * scheduler, and for one about which extenders would have to be asked.
   *
   * @internal
   */
  explain(pod: Pod): Explanation | undefined {
    const profile = this.profiles.of(pod);
    if (profile === undefined || needsExtenders(profile.extenders, pod)) return undefined;
    return withoutExtenderCalls(explainPod(profile, this.cache.cluster.pods.toSchedule(pod)));
  }

  /**
   * Says how it stands with the pod's group, and explains one of its pods beside those that are tried before it.
   *
   * @internal
   */
  explainInGroup(pod: Pod): InGroup {
    return explainInGroup(this.#modules, pod);
  }

  /**
   * A copy of the cluster as it is now, to try groups in with changes.
   *
   * @internal
   */
  changedGroup(): ChangedGroup {
    return new ChangedGroup(this.#modules);
  }

  /** Ends one of the worker threads, as if it had died. Returns false if there is none. */
  loseWorker(): boolean {
    return [...this.profiles.all()].some(({ engine }) => engine.runner?.endWorker() ?? false);
  }

  /** Starts scheduling as soon as the caches have synced. */
  start(): void {
    this.#starting = whenSynced(this.#loop, this.#hasSynced, () => {
      this.#isRunning = true;
      const { cluster, podCount: pods } = this.cache;
      this.#modules.logger.info('caches are filled, scheduling begins', { nodes: cluster.nodeCount, pods });
      this.queue.run();
      this.#wake();
    });
  }

  /** Prevents further attempts; those that have begun are finished. */
  stop(): void {
    this.#isRunning = false;
    this.#starting?.cancel();
    this.queue.close();
  }

  /**
   * Makes one attempt with its next steps, which knows of every write to a store before it. Returns false if no pod
   * waits, or the last attempt has not ended.
   */
  scheduleOne(): boolean {
    if (this.#isAttempting) return false;
    this.#informers.catchUp?.();
    this.#isAttempting = true;
    const hasBegun = attemptOne(this.#modules, this.#conclude);
    if (!hasBegun) this.#isAttempting = false;
    return hasBegun;
  }

  /**
   * Makes an attempt of this pod now, whatever its place in the queue. Returns false if it does not wait, is gated, or
   * the last attempt has not ended.
   * @internal
   */
  scheduleOutOfTurn(uid: string): boolean {
    if (this.#isAttempting) return false;
    this.#informers.catchUp?.();
    const queued = this.queue.popOutOfTurn(uid);
    if (queued === null) return false;
    this.#isAttempting = true;
    attemptQueued(this.#modules, queued, this.#conclude);
    return true;
  }

  /**
   * Makes one attempt without the next steps, which the caller takes with `bind`, `reportFailure` and `evict`. Returns
   * null if no pod waits. Must not be used with extenders that decide.
   * @internal
   */
  attempt(): Attempt | null {
    let attempt: Attempt | null = null;
    const hasBegun = attemptOne(this.#modules, (made) => {
      attempt = made;
    });
    assert(!hasBegun || attempt !== null, 'extenders are asked by scheduleOne');
    return attempt;
  }

  /**
   * Takes the next steps of an attempt.
   * @internal
   */
  conclude(attempt: Attempt): void {
    if (attempt.outcome === 'group') attempt.conclude((each) => this.#concludePod(each));
    else this.#concludePod(attempt);
  }

  /** Returns whether a failure was reported to the API. */
  #concludePod(attempt: PodAttempt): boolean {
    if (attempt.outcome === 'assumed') runBindingCycle(this.#modules, attempt);
    if (attempt.outcome !== 'failed') return false;
    const hasWritten = handleFailedAttempt(this.#modules, attempt);
    this.evict(attempt);
    return hasWritten;
  }

  /** @internal */
  bind(attempt: AssumedAttempt): void {
    runBindingCycle(this.#modules, attempt);
  }

  /** @internal */
  reportFailure(attempt: FailedAttempt): void {
    handleFailedAttempt(this.#modules, attempt);
  }

  /** @internal */
  evict({ eviction }: FailedAttempt): void {
    if (eviction !== null) this.#modules.preemption.run(eviction);
  }

  readonly #conclude = (attempt: Attempt): void => {
    if (this.#pace !== null && attempt.outcome !== 'skipped') {
      this.#concludeLater(attempt, this.#pace);
      return;
    }
    this.#isAttempting = false;
    this.conclude(attempt);
    this.#wake();
  };

  /** The next attempt begins when this one is decided, and need not wait for its writes. */
  #concludeLater(attempt: Attempt, pace: AttemptPace): void {
    const conclude = (): void => {
      this.conclude(attempt);
      pace.concluded(attempt);
    };
    this.#loop.after(pace.decisionMillis(attempt, this.cache.cluster.nodeCount), () => {
      this.#isAttempting = false;
      if (attempt.outcome === 'failed') conclude();
      else pace.commit(conclude);
      this.#wake();
    });
  }

  #reportCacheSizes(): void {
    const { cache, cluster, observer } = this.#modules;
    if (observer?.cacheSize === undefined) return;
    observer.cacheSize('nodes', cluster.nodeCount);
    observer.cacheSize('pods', cache.podCount);
    observer.cacheSize('assumedPods', cache.assumedCount);
  }

  #wake(): void {
    if (this.#isScheduled || !this.#isRunning || this.#isAttempting) return;
    this.#isScheduled = true;
    this.#loop.soon(this.#work);
  }

  readonly #work = (): void => {
    let isOver = false;
    try {
      for (let i = 0; i < ATTEMPTS_PER_TASK && !isOver; i++) isOver = !this.#isRunning || !this.scheduleOne();
    } finally {
      this.#isScheduled = false;
      if (!isOver) this.#wake();
      this.#reportCacheSizes();
    }
  };
}
