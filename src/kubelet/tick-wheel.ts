import type { EventLoop } from '../lib/event-loop.ts';
import { forAll } from '../lib/for-all.ts';

/** The moments of a periodic task. Each agent has grids of its own. */
export interface Grid {
  readonly periodMillis: number;
  /** How long after multiples of the period since the epoch the ticks come. */
  readonly offsetMillis: number;
}

/** The first tick of the grid after this time. */
export function tickAfter({ periodMillis, offsetMillis }: Grid, millis: number): number {
  return (Math.floor((millis - offsetMillis) / periodMillis) + 1) * periodMillis + offsetMillis;
}

/** The last tick of the grid before this time. */
export function tickBefore({ periodMillis, offsetMillis }: Grid, millis: number): number {
  return (Math.ceil((millis - offsetMillis) / periodMillis) - 1) * periodMillis + offsetMillis;
}

/**
 * Ticks fall between whole milliseconds, and everything else in a simulation on whole ones: so nothing else happens at
 * the time of a tick, and it does not matter how early the tick was requested. An agent that requests each of its ticks
 * behaves like one that requests only those with work to do.
 */
export const SYNC_FRACTION = 0.25;
export const RELIST_FRACTION = 0.5;
export const HOUSEKEEPING_FRACTION = 0.75;

/** The time until the next whole millisecond, at which the work of a tick is done. */
export function untilWholeMillis(millis: number): number {
  return Math.ceil(millis) - millis;
}

/** The tick of an agent. Those of one moment are a chain, since mostly there is one. */
interface Tick {
  readonly rank: number;
  readonly task: (millis: number) => void;
  next: Tick | undefined;
  /** The end of the chain, which only its first tick knows, and only if there are several. */
  last: Tick | undefined;
}

/**
 * The ticks of all agents of a process: one timer for each moment at which any agent has work, none for agents that
 * have none. Agents that tick at the same time come in the order of their ranks, whichever asked first.
 */
export class TickWheel {
  readonly #loop: EventLoop;
  readonly #ticks = new Map<number, Tick>();

  constructor(loop: EventLoop) {
    this.#loop = loop;
  }

  /**
   * Runs the task at that time, which it is given, so that an agent needs no function of its own for each tick. A
   * request cannot be withdrawn: a task that is no longer wanted must do nothing.
   */
  at(millis: number, rank: number, task: (millis: number) => void): void {
    const first = this.#ticks.get(millis);
    const tick: Tick = { rank, task, next: undefined, last: undefined };
    if (first !== undefined) {
      (first.last ?? first).next = tick;
      first.last = tick;
      return;
    }
    this.#ticks.set(millis, tick);
    this.#loop.after(millis - this.#loop.nowMillis(), () => this.#run(millis));
  }

  #run(millis: number): void {
    const first = this.#ticks.get(millis);
    this.#ticks.delete(millis);
    if (first?.next === undefined) {
      first?.task(millis);
      return;
    }
    const ticks: Tick[] = [];
    for (let tick: Tick | undefined = first; tick !== undefined; tick = tick.next) ticks.push(tick);
    if (!areInOrder(ticks)) ticks.sort((a, b) => a.rank - b.rank);
    // An error in one agent must not stop the others.
    forAll(ticks, ({ task }) => task(millis));
  }
}

function areInOrder(ticks: readonly Tick[]): boolean {
  let rank = Number.NEGATIVE_INFINITY;
  for (const tick of ticks) {
    if (tick.rank < rank) return false;
    rank = tick.rank;
  }
  return true;
}

interface LateTickModules {
  readonly loop: EventLoop;
  readonly wheel: TickWheel;
  readonly wake: () => void;
}

/** A ticker that ticks once for each request, at the next tick of its grid. */
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

  /** Returns whether it has ticked since the last request, and resets that. */
  take(): boolean {
    if (!this.#hasTicked) return false;
    this.#hasTicked = false;
    this.#isRequested = false;
    return true;
  }
}
