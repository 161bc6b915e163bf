import type { Program } from '../kernels/program.ts';
import type { Clock } from '../lib/clock.ts';
import type { Logger } from '../lib/logger.ts';
import type { ColumnTable } from '../memory/column-table.ts';
import { InlineRunner } from './inline-runner.ts';
import { type PoolThread, returnThread, takeThread } from './pool-thread.ts';
import { MeasuredPolicy, type SharingPolicy } from './sharing-policy.ts';
import type { RunnerCounters, TaskRunner } from './task-runner.ts';
import { WorkerTeam, type WorkerTeamModules } from './worker-team.ts';

export interface PooledRunnerModules extends WorkerTeamModules {
  /** The table of the columns that programs write. */
  readonly table: ColumnTable;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly policy?: SharingPolicy;
  readonly startThread?: () => PoolThread;
}

export interface PooledRunnerOptions {
  readonly workers: number;
  /** Steps with fewer slots are not shared. */
  readonly slotsMin?: number;
  /** Steps of programs that build an index are not shared with fewer slots. */
  readonly buildSlotsMin?: number;
  readonly chunkSlots?: number;
  /** How long a thread may delay the others before it is given up. */
  readonly patienceMillis?: number;
  /** How many threads may be lost before the runner continues alone. */
  readonly restartsMax?: number;
}

const DEFAULTS = {
  /** With fewer slots, the barrier costs about as much as sharing saves. */
  slotsMin: 2048,
  /** A sleeping thread wakes up after some 50 µs, in which one thread handles half of these slots. */
  buildSlotsMin: 32_768,
  /**
   * A chunk takes microseconds, but on a busy machine a thread may have to wait tens of milliseconds for a processor.
   */
  patienceMillis: 250,
  /** If this many threads were lost, something keeps killing them, and the runner continues alone. */
  restartsMax: 16,
};

/** A chunk of this size is worth claiming (about 1 µs), and its columns begin and end on cache lines. */
const CHUNK_SLOTS = 512;
/**
 * The number of chunks of a step. It is enough for all threads to finish at about the same time; with more, claiming
 * costs more than it gains.
 */
const CHUNKS_WANTED = 64;
/** After this many shared steps the threads are checked for having noticed any of them. */
const PULSE_STEPS = 16;
/** A living thread does not miss all steps of a second. */
const SILENCE_MILLIS = 1000;

/** The most time that counts between two checks, since no steps may have been shared in between. */
const LOOK_MILLIS_MAX = 50;

/** The last step that a thread has noticed, and for how long it has noticed no newer one while steps were shared. */
interface Pulse {
  seen: number;
  silentMillis: number;
}

/** Shares large steps with threads that are parked in the kernels, as long as that is faster. */
export class PooledRunner implements TaskRunner {
  readonly workers: number;
  readonly #modules: PooledRunnerModules;
  readonly #inline: InlineRunner;
  /** The policy of each program, since programs take different times for the same work. */
  readonly #policies = new WeakMap<Program, SharingPolicy>();
  readonly #startThread: () => PoolThread;
  readonly #options: PooledRunnerOptions & typeof DEFAULTS;
  #threads: PoolThread[] = [];
  /** The team; null while no thread helps. */
  #team: WorkerTeam | null = null;
  #isClosed = false;
  #pulses: Pulse[] = [];
  #lastLookMillis = 0;
  #sharedSteps = 0;
  #retriedSteps = 0;
  #restartedWorkers = 0;

  constructor(modules: PooledRunnerModules, options: PooledRunnerOptions) {
    this.workers = options.workers;
    this.#modules = modules;
    this.#inline = new InlineRunner(modules);
    this.#startThread = modules.startThread ?? takeThread;
    this.#options = { ...DEFAULTS, ...options };
  }

  get counters(): RunnerCounters {
    return {
      sharedSteps: this.#sharedSteps,
      retriedSteps: this.#retriedSteps,
      restartedWorkers: this.#restartedWorkers,
    };
  }

  prepare(slotCount: number, isBuild: boolean): void {
    if (slotCount >= this.#leastSlots(isBuild)) this.#startTeam();
  }

  run(program: Program, to: number, from = 0): void {
    // Threads reserve chunks of all slots, and a part of the slots is too little work to share.
    const team = from > 0 || to < this.#leastSlots(program.isBuild) ? null : this.#startTeam();
    if (team === null) {
      this.#inline.run(program, to, from);
      return;
    }
    const policy = this.#policyOf(program);
    const isShared = policy.isShared();
    if (isShared) this.#share(team, program, to);
    else this.#inline.run(program, to);
    policy.finished(program.instructionCount * to, isShared && team.helpers > 0);
  }

  #leastSlots(isBuild: boolean): number {
    return isBuild ? this.#options.buildSlotsMin : this.#options.slotsMin;
  }

  #policyOf(program: Program): SharingPolicy {
    let policy = this.#policies.get(program);
    if (policy === undefined) {
      policy = this.#modules.policy ?? new MeasuredPolicy(this.#modules.clock);
      this.#policies.set(program, policy);
    }
    return policy;
  }

  endWorker(): boolean {
    const thread = this.#threads.find(({ isDead }) => !isDead);
    thread?.end();
    return thread !== undefined;
  }

  close(): void {
    this.#isClosed = true;
    this.#team?.shutDown();
    this.#team = null;
    this.#threads.forEach(returnThread);
    this.#threads = [];
  }

  /** The team, as soon as one of its threads serves; the threads are started on first use. */
  #startTeam(): WorkerTeam | null {
    if (this.#team === null) {
      if (this.#isClosed) return null;
      this.#threads = Array.from({ length: this.workers - 1 }, this.#startThread);
      this.#modules.logger.info('workers started', { workers: this.workers });
      this.#formTeam();
    }
    const team = this.#team;
    if (team === null || team.hasHelpers) return team;
    const hasFailed = (i: number): boolean => team.hasFailed(i);
    if (this.#threads.some((_, i) => hasFailed(i))) this.#replaceLost(team, hasFailed);
    return null;
  }

  #formTeam(): void {
    this.#team = new WorkerTeam(this.#modules, this.#threads, this.#options.patienceMillis);
    this.#pulses = this.#threads.map(() => ({ seen: 0, silentMillis: 0 }));
  }

  #share(team: WorkerTeam, program: Program, slotCount: number): void {
    this.#sharedSteps++;
    const outcome = team.share(program, slotCount, this.#options.chunkSlots ?? chunkSlotsFor(slotCount));
    if (outcome !== 'done') {
      this.#retriedSteps++;
      this.#modules.logger.warn('a step is done once more, by one thread', {
        outcome,
        retriedSteps: this.#retriedSteps,
      });
      if (outcome === 'missing') program.moveAway(this.#modules.table);
      this.#inline.run(program, slotCount);
      this.#replaceLost(team, (i) => team.hasFailed(i) || team.isBusy(i));
    } else if (this.#sharedSteps % PULSE_STEPS === 0) this.#takePulses(team);
  }

  #takePulses(team: WorkerTeam): void {
    const nowMillis = this.#modules.clock.nowMillis();
    const passedMillis = Math.min(LOOK_MILLIS_MAX, nowMillis - this.#lastLookMillis);
    this.#lastLookMillis = nowMillis;
    this.#pulses.forEach((pulse, i) => {
      const seen = team.lastSeen(i);
      pulse.silentMillis = seen === pulse.seen ? pulse.silentMillis + passedMillis : 0;
      pulse.seen = seen;
    });
    // A thread that has not noticed any step yet is still starting, not lost.
    const isLost = (i: number): boolean => {
      const { seen = 0, silentMillis = 0 } = this.#pulses[i] ?? {};
      return team.hasFailed(i) || (seen !== 0 && silentMillis >= SILENCE_MILLIS);
    };
    if (this.#threads.some((_, i) => isLost(i))) this.#replaceLost(team, isLost);
  }

  /** Replaces the lost threads, and the team as a whole, so that a late thread of the old team finds nothing to do. */
  #replaceLost(team: WorkerTeam, isLost: (index: number) => boolean): void {
    const lost = this.#threads.map((_, i) => isLost(i));
    team.shutDown();
    this.#threads = this.#threads.map((thread, i) => {
      if (!lost[i]) return thread;
      this.#restartedWorkers++;
      thread.end();
      return this.#startThread();
    });
    const { logger } = this.#modules;
    const lostWorkers = lost.filter(Boolean).length;
    const restartedWorkers = this.#restartedWorkers;
    if (lostWorkers > 0) logger.warn('workers were lost, and others started', { lostWorkers, restartedWorkers });
    if (this.#restartedWorkers < this.#options.restartsMax) {
      this.#formTeam();
      return;
    }
    logger.error("too many workers were lost: the caller's thread goes on alone");
    this.close();
  }
}

function chunkSlotsFor(slotCount: number): number {
  return CHUNK_SLOTS * Math.max(1, Math.round(slotCount / (CHUNKS_WANTED * CHUNK_SLOTS)));
}
