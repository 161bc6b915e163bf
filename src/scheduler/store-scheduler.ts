import { whenSynced } from '../client/informer/when-synced.ts';
import { checkOptions } from '../core/option-checks.ts';
import type { Profiles } from '../core/profiles.ts';
import { assert } from '../lib/assert.ts';
import type { EventLoop, Timer } from '../lib/event-loop.ts';
import type { AssumedAttempt, Attempt, CycleModules, FailedAttempt } from './attempt.ts';
import { runBindingCycle } from './binding-cycle.ts';
import type { SchedulerCache } from './cache/scheduler-cache.ts';
import { handleFailedAttempt } from './handle-failure.ts';
import { newCycleModules, type StoreSchedulerModules, type StoreSchedulerOptions } from './new-cycle-modules.ts';
import type { SchedulingQueue } from './queue/scheduling-queue.ts';
import { attemptOne } from './schedule-one.ts';
import type { WaitingPods } from './waiting-pods.ts';
import { watchObjects } from './watch-objects.ts';

export type { StoreSchedulerModules, StoreSchedulerOptions };

/** So many attempts are one task of the loop: then watches and timers have their turn. */
const ATTEMPTS_PER_TASK = 128;

/**
 * A complete kube-scheduler on a store: it watches, decides and binds.
 *
 *   watch ─▶ event handlers ─┬─▶ queue ─▶ attempt ─┬─▶ binding cycle ─▶ API
 *                            └─▶ cache ◀───────────┘        │ failed
 *                                          queue ◀── handle failure ─▶ event, condition
 *
 * Attempts are made one after the other; where extenders are asked, the next waits for the answers.
 */
export class StoreScheduler {
  readonly #modules: CycleModules;
  readonly #loop: EventLoop;
  readonly #hasSynced: () => boolean;
  #starting: Timer | null = null;
  #isRunning = false;
  #isScheduled = false;
  #isAttempting = false;

  constructor(modules: StoreSchedulerModules, options: StoreSchedulerOptions = {}) {
    checkOptions(options);
    this.#loop = modules.loop;
    this.#modules = newCycleModules(modules, options, () => this.#wake());
    const { cache, queue, profiles, waitingPods } = this.#modules;
    this.#hasSynced = watchObjects(modules.informers, {
      cache,
      queue,
      isResponsibleFor: (pod) => profiles.of(pod) !== undefined,
      rejectWaitingPod: (uid) => waitingPods.reject(uid),
    });
  }

  get profiles(): Profiles {
    return this.#modules.profiles;
  }

  get cache(): SchedulerCache {
    return this.#modules.cache;
  }

  get queue(): SchedulingQueue {
    return this.#modules.queue;
  }

  get waitingPods(): WaitingPods {
    return this.#modules.waitingPods;
  }

  /** A thread that helps with decisions ends, as if it had died; false: nobody helps. */
  loseWorker(): boolean {
    return [...this.profiles.all()].some(({ engine }) => engine.runner?.endWorker() ?? false);
  }

  /** Begins to schedule as soon as its caches are filled. */
  start(): void {
    this.#starting = whenSynced(this.#loop, this.#hasSynced, () => {
      this.#isRunning = true;
      const { nodeCount: nodes, podCount: pods } = this.cache;
      this.#modules.logger.info('caches are filled, scheduling begins', { nodes, pods });
      this.queue.run();
      this.#wake();
    });
  }

  /** No further attempt begins; what is in work is finished. */
  stop(): void {
    this.#isRunning = false;
    this.#starting?.cancel();
    this.queue.close();
  }

  /** Tries one pod, with everything that follows from it; false: none waits, or the last one is not decided yet. */
  scheduleOne(): boolean {
    if (this.#isAttempting) return false;
    this.#isAttempting = true;
    const hasBegun = attemptOne(this.#modules, this.#conclude);
    if (!hasBegun) this.#isAttempting = false;
    return hasBegun;
  }

  /**
   * One attempt alone, for those who carry out themselves what follows from it: `bind`, `reportFailure` and `evict`.
   * null: no pod waits. Not where extenders have a say.
   */
  attempt(): Attempt | null {
    let attempt: Attempt | null = null;
    const hasBegun = attemptOne(this.#modules, (made) => {
      attempt = made;
    });
    assert(!hasBegun || attempt !== null, 'extenders are asked by scheduleOne');
    return attempt;
  }

  bind(attempt: AssumedAttempt): void {
    runBindingCycle(this.#modules, attempt);
  }

  reportFailure(attempt: FailedAttempt): void {
    handleFailedAttempt(this.#modules, attempt);
  }

  evict({ eviction }: FailedAttempt): void {
    if (eviction !== null) this.#modules.preemption.run(eviction);
  }

  readonly #conclude = (attempt: Attempt): void => {
    this.#isAttempting = false;
    if (attempt.outcome === 'assumed') {
      runBindingCycle(this.#modules, attempt);
    } else if (attempt.outcome === 'failed') {
      this.reportFailure(attempt);
      this.evict(attempt);
    }
    this.#wake();
  };

  #tellCacheSizes(): void {
    const { cache, observer } = this.#modules;
    if (observer?.cacheSize === undefined) return;
    observer.cacheSize('nodes', cache.nodeCount);
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
      this.#tellCacheSizes();
    }
  };
}
