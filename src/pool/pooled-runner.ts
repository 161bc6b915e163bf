import type { Program } from '../kernels/program.ts';
import type { Clock } from '../lib/clock.ts';
import type { ColumnTable } from '../memory/column-table.ts';
import { Crew, type CrewModules } from './crew.ts';
import { returnThread, takeThread } from './idle-threads.ts';
import { InlineRunner } from './inline-runner.ts';
import type { PoolThread } from './pool-thread.ts';
import { MeasuredPolicy, type SharingPolicy } from './sharing-policy.ts';
import type { RunnerCounters, TaskRunner } from './task-runner.ts';

export interface PooledRunnerModules extends CrewModules {
  /** Of the columns that programs write. */
  readonly table: ColumnTable;
  readonly clock: Clock;
  readonly policy?: SharingPolicy;
  readonly startThread?: () => PoolThread;
}

export interface PooledRunnerOptions {
  readonly workers: number;
  /** Below so many slots a step is not shared. */
  readonly slotsMin?: number;
  readonly chunkSlots?: number;
  /** How long a thread may keep the others waiting before it is given up. */
  readonly patienceMillis?: number;
  /** After so many lost threads it goes on alone. */
  readonly restartsMax?: number;
}

/** With fewer slots the barrier costs about what the help saves. */
const SLOTS_MIN = 2048;
/** A chunk is worth claiming (about 1 µs), and its columns begin and end on cache lines. */
const CHUNK_SLOTS = 512;
/** As many chunks as make the end of a step even; with more, claiming them all costs more than it evens out. */
const CHUNKS_WANTED = 64;
/** A chunk takes microseconds; a busy machine makes a thread wait for tens of milliseconds. */
const PATIENCE_MILLIS = 250;
/** How often, in shared steps, it is looked whether everybody has taken notice of some. */
const PULSE_STEPS = 16;
/** No thread that is alive overlooks all steps of a second. */
const SILENCE_MILLIS = 1000;
/** Something kills threads here: then one is enough. */
const RESTARTS_MAX = 16;

/** Between two looks at the pulses there may have been a rest in which nobody shared anything. */
const LOOK_MILLIS_MAX = 50;

/** The last step that a thread has noticed, and for how long it has noticed no other while steps were shared. */
interface Pulse {
  seen: number;
  silentMillis: number;
}

/** Shares the steps that are large enough with threads that are parked in the kernels, while that is faster. */
export class PooledRunner implements TaskRunner {
  readonly workers: number;
  readonly #modules: PooledRunnerModules;
  readonly #inline: InlineRunner;
  readonly #policy: SharingPolicy;
  readonly #startThread: () => PoolThread;
  readonly #slotsMin: number;
  readonly #chunkSlots: number | undefined;
  readonly #patienceMillis: number;
  readonly #restartsMax: number;
  #threads: PoolThread[] = [];
  /** null: nobody helps (yet, or any more). */
  #crew: Crew | null = null;
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
    this.#policy = modules.policy ?? new MeasuredPolicy(modules.clock);
    this.#startThread = modules.startThread ?? takeThread;
    this.#slotsMin = options.slotsMin ?? SLOTS_MIN;
    this.#chunkSlots = options.chunkSlots;
    this.#patienceMillis = options.patienceMillis ?? PATIENCE_MILLIS;
    this.#restartsMax = options.restartsMax ?? RESTARTS_MAX;
  }

  get counters(): RunnerCounters {
    return {
      sharedSteps: this.#sharedSteps,
      retriedSteps: this.#retriedSteps,
      restartedWorkers: this.#restartedWorkers,
    };
  }

  prepare(slotCount: number): void {
    if (slotCount >= this.#slotsMin) this.#callCrew();
  }

  run(program: Program, to: number, from = 0): void {
    // A part of the slots is little work: threads own chunks of the whole.
    const crew = from > 0 || to < this.#slotsMin ? null : this.#callCrew();
    if (crew === null) {
      this.#inline.run(program, to, from);
      return;
    }
    const isShared = this.#policy.isShared();
    if (isShared) this.#share(crew, program, to);
    else this.#inline.run(program, to);
    this.#policy.finished(program.instructionCount * to, isShared && crew.helpers > 0);
  }

  endWorker(): boolean {
    const thread = this.#threads.find(({ isDead }) => !isDead);
    thread?.end();
    return thread !== undefined;
  }

  close(): void {
    this.#isClosed = true;
    this.#crew?.dissolve();
    this.#crew = null;
    this.#threads.forEach(returnThread);
    this.#threads = [];
  }

  /** The crew, as soon as somebody of it is there; called when it is first needed. */
  #callCrew(): Crew | null {
    if (this.#crew === null) {
      if (this.#isClosed) return null;
      this.#threads = Array.from({ length: this.workers - 1 }, this.#startThread);
      this.#assemble();
    }
    const crew = this.#crew;
    if (crew === null || crew.isManned) return crew;
    const hasFallen = (i: number): boolean => crew.hasFallen(i);
    if (this.#threads.some((_, i) => hasFallen(i))) this.#heal(crew, hasFallen);
    return null;
  }

  #assemble(): void {
    this.#crew = new Crew(this.#modules, this.#threads, this.#patienceMillis);
    this.#pulses = this.#threads.map(() => ({ seen: 0, silentMillis: 0 }));
  }

  #share(crew: Crew, program: Program, slotCount: number): void {
    this.#sharedSteps++;
    const outcome = crew.share(program, slotCount, this.#chunkSlots ?? chunkSlotsFor(slotCount));
    if (outcome !== 'done') {
      this.#retriedSteps++;
      if (outcome === 'missing') program.moveAway(this.#modules.table);
      this.#inline.run(program, slotCount);
      this.#heal(crew, (i) => crew.hasFallen(i) || crew.isBusy(i));
    } else if (this.#sharedSteps % PULSE_STEPS === 0) this.#takePulses(crew);
  }

  #takePulses(crew: Crew): void {
    const nowMillis = this.#modules.clock.nowMillis();
    const passedMillis = Math.min(LOOK_MILLIS_MAX, nowMillis - this.#lastLookMillis);
    this.#lastLookMillis = nowMillis;
    this.#pulses.forEach((pulse, i) => {
      const seen = crew.lastSeen(i);
      pulse.silentMillis = seen === pulse.seen ? pulse.silentMillis + passedMillis : 0;
      pulse.seen = seen;
    });
    // Who has not come yet is not silent.
    const isLost = (i: number): boolean => {
      const { seen = 0, silentMillis = 0 } = this.#pulses[i] ?? {};
      return crew.hasFallen(i) || (seen !== 0 && silentMillis >= SILENCE_MILLIS);
    };
    if (this.#threads.some((_, i) => isLost(i))) this.#heal(crew, isLost);
  }

  /** New threads for those that are lost, and a new crew: whoever is late for the old one finds nothing to do. */
  #heal(crew: Crew, isLost: (index: number) => boolean): void {
    const lost = this.#threads.map((_, i) => isLost(i));
    crew.dissolve();
    this.#threads = this.#threads.map((thread, i) => {
      if (!lost[i]) return thread;
      this.#restartedWorkers++;
      thread.end();
      return this.#startThread();
    });
    if (this.#restartedWorkers < this.#restartsMax) this.#assemble();
    else this.close();
  }
}

function chunkSlotsFor(slotCount: number): number {
  return CHUNK_SLOTS * Math.max(1, Math.round(slotCount / (CHUNKS_WANTED * CHUNK_SLOTS)));
}
