import type { EventLoop } from '../lib/event-loop.ts';

/** What an agent does from time to time, each on a grid of its own. */
export interface Grid {
  readonly periodMillis: number;
  /** Ticks are this long after multiples of the period since the epoch. */
  readonly offsetMillis: number;
}

/** The first tick of the grid after the moment. */
export function tickAfter({ periodMillis, offsetMillis }: Grid, millis: number): number {
  return (Math.floor((millis - offsetMillis) / periodMillis) + 1) * periodMillis + offsetMillis;
}

/** The last tick of the grid before the moment. */
export function tickBefore({ periodMillis, offsetMillis }: Grid, millis: number): number {
  return (Math.ceil((millis - offsetMillis) / periodMillis) - 1) * periodMillis + offsetMillis;
}

/**
 * Ticks fall between whole milliseconds, and everything else in a simulation on whole ones: so nothing else happens at
 * the moment of a tick, and it makes no difference how long before it was asked for. An agent that asks for each of its
 * ticks does the same as one that asks only for those at which there is something to do.
 */
export const SYNC_FRACTION = 0.25;
export const RELIST_FRACTION = 0.5;
export const HOUSEKEEPING_FRACTION = 0.75;

/** How long until the next whole millisecond, where what a tick leads to is done. */
export function untilWholeMillis(millis: number): number {
  return Math.ceil(millis) - millis;
}

interface Tick {
  readonly rank: number;
  readonly task: () => void;
}

/**
 * The ticks of all agents of a process: one timer for each moment at which any of them has something to do, none for
 * agents that have nothing. At one moment agents come in the order of their ranks, whoever asked first.
 */
export class TickWheel {
  readonly #loop: EventLoop;
  readonly #ticks = new Map<number, Tick[]>();

  constructor(loop: EventLoop) {
    this.#loop = loop;
  }

  /** Runs the task then. What is no longer wanted then does nothing: there is no way to take it back. */
  at(millis: number, rank: number, task: () => void): void {
    const ticks = this.#ticks.get(millis);
    if (ticks !== undefined) {
      ticks.push({ rank, task });
      return;
    }
    this.#ticks.set(millis, [{ rank, task }]);
    this.#loop.after(millis - this.#loop.nowMillis(), () => this.#run(millis));
  }

  #run(millis: number): void {
    const ticks = this.#ticks.get(millis) ?? [];
    this.#ticks.delete(millis);
    if (ticks.length > 1) ticks.sort((a, b) => a.rank - b.rank);
    const errors: unknown[] = [];
    for (const { task } of ticks) {
      try {
        task();
      } catch (error) {
        errors.push(error);
      }
    }
    // A mistake in one agent stops no other.
    if (errors.length > 0) throw errors[0];
  }
}

interface LateTickModules {
  readonly loop: EventLoop;
  readonly wheel: TickWheel;
  readonly wake: () => void;
}

/** A ticker that ticks once when it was asked to, at the next tick of its grid. */
export class LateTick {
  readonly #modules: LateTickModules;
  readonly #rank: number;
  readonly #grid: Grid;
  #isRequested = false;
  #hasTicked = false;

  constructor(modules: LateTickModules, rank: number, grid: Grid) {
    this.#modules = modules;
    this.#rank = rank;
    this.#grid = grid;
  }

  request(): void {
    if (this.#isRequested) return;
    this.#isRequested = true;
    const { loop, wheel, wake } = this.#modules;
    wheel.at(tickAfter(this.#grid, loop.nowMillis()), this.#rank, () => {
      this.#hasTicked = true;
      wake();
    });
  }

  /** Whether it has ticked since it was last asked. */
  take(): boolean {
    if (!this.#hasTicked) return false;
    this.#hasTicked = false;
    this.#isRequested = false;
    return true;
  }
}
