import type { Clock } from '../lib/clock.ts';

/** Decides, step by step, whether sharing is worthwhile. */
export interface SharingPolicy {
  /** Returns whether the next step is to be shared. */
  isShared(): boolean;
  /**
   * Reports a finished step. `work` is proportional to the time that one thread takes; `isHelped`: another thread took
   * part.
   */
  finished(work: number, isHelped: boolean): void;
}

/** How many steps are timed one way before they are compared with the other. */
const ALONE_STEPS = 16;
/** The time after which a window ends early. The following windows have as many steps as it had. */
const ALONE_MILLIS = 20;
const SHARED_STEPS = 32;
/**
 * The shared steps within which a thread must have woken up. Shared steps that no thread joins cost hardly more than
 * steps alone.
 */
const WAKING_STEPS = 256;
/** After this many good windows, steps alone are timed again, since the load of the machine may have changed. */
const WINDOWS_MAX = 64;
/** Sharing must save at least a twentieth to be worth a processor. */
const WORTH_WHILE = 0.95;
/** The number of steps alone after sharing has lost. It doubles each time that sharing loses again. */
const SHORTEST_REST = 256;
const LONGEST_REST = 8192;

type Phase = 'alone' | 'waking' | 'shared' | 'rest';

/**
 * Times steps both ways, since on a busy machine the threads may have to wait for one that is not running, and are then
 * slower than a single thread.
 *
 *              ┌────────────────────────── after many windows ─────────────────────────┐
 *              ▼                                                                       │
 *   ──▶ alone, timed ──▶ shared until a thread helps ──▶ shared, timed ──▶ faster? ─── yes: next window
 *              ▲                        │ no thread does                     │ no
 *              └─────────────────────── alone, at rest ◀─────────────────────┘
 */
export class MeasuredPolicy implements SharingPolicy {
  readonly #clock: Clock;
  #phase: Phase = 'alone';
  #stepsLeft = ALONE_STEPS;
  #startMillis = 0;
  #millis = 0;
  #work = 0;
  /** The milliseconds that a unit of work takes one thread. */
  #aloneMillis = 0;
  /** The share of the steps of all windows that is enough. */
  #pace = 1;
  #windows = 0;
  #rest = SHORTEST_REST;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  isShared(): boolean {
    if (this.#phase === 'alone' || this.#phase === 'shared') this.#startMillis = this.#clock.nowMillis();
    return this.#phase === 'shared' || this.#phase === 'waking';
  }

  finished(work: number, isHelped: boolean): void {
    this.#stepsLeft--;
    switch (this.#phase) {
      case 'alone':
        this.#add(work);
        if (this.#stepsLeft === 0 || this.#millis >= ALONE_MILLIS) this.#startSharing();
        break;
      case 'waking':
        if (isHelped) this.#enter('shared', SHARED_STEPS * this.#pace);
        else if (this.#stepsLeft === 0) this.#giveUp();
        break;
      case 'shared':
        this.#add(work);
        if (this.#stepsLeft === 0 || this.#isHopeless(work)) this.#compare();
        break;
      case 'rest':
        if (this.#stepsLeft === 0) this.#enter('alone', ALONE_STEPS);
        break;
    }
  }

  #add(work: number): void {
    this.#millis += this.#clock.nowMillis() - this.#startMillis;
    this.#work += work;
  }

  #startSharing(): void {
    this.#aloneMillis = this.#millis / this.#work;
    this.#pace = 1 - this.#stepsLeft / ALONE_STEPS;
    this.#windows = 0;
    this.#enter('waking', WAKING_STEPS);
  }

  /** Whether the window has already taken longer than it may take in total. */
  #isHopeless(work: number): boolean {
    return this.#millis > this.#aloneMillis * work * SHARED_STEPS * this.#pace;
  }

  #compare(): void {
    if (this.#millis >= this.#aloneMillis * this.#work * WORTH_WHILE) {
      this.#giveUp();
      return;
    }
    this.#rest = SHORTEST_REST;
    this.#windows++;
    if (this.#windows === WINDOWS_MAX) this.#enter('alone', ALONE_STEPS);
    else this.#enter('shared', SHARED_STEPS * this.#pace);
  }

  #giveUp(): void {
    this.#enter('rest', this.#rest * this.#pace);
    this.#rest = Math.min(LONGEST_REST, this.#rest * 2);
  }

  #enter(phase: Phase, steps: number): void {
    this.#phase = phase;
    this.#stepsLeft = steps;
    this.#millis = 0;
    this.#work = 0;
  }
}
