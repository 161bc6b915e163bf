import { DueHeap, type DueItem } from '../lib/due-heap.ts';
import { atTime, type EventLoop, type Timer } from '../lib/event-loop.ts';
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
const RELIST_FRACTION = 0.5;
const HOUSEKEEPING_FRACTION = 0.75;

const RELIST_MILLIS = 1000;
const HOUSEKEEPING_MILLIS = 2000;

/** When an agent with this phase relists its pods. */
export function relistGrid(phaseMillis: number): Grid {
  return { periodMillis: RELIST_MILLIS, offsetMillis: phaseMillis + RELIST_FRACTION };
}

/** When an agent with this phase cleans up behind its pods. */
export function housekeepingGrid(phaseMillis: number): Grid {
  return { periodMillis: HOUSEKEEPING_MILLIS, offsetMillis: phaseMillis + HOUSEKEEPING_FRACTION };
}

/** The time until the next whole millisecond, at which the work of a tick is done. */
export function untilWholeMillis(millis: number): number {
  return Math.ceil(millis) - millis;
}

/** How many ticks of one rank come before those of the next; there are never as many. */
const TICKS_OF_RANK = 2 ** 32;

/** The tick of an agent. At one moment the order is by rank, and of one rank that of the requests. */
class Tick implements DueItem {
  readonly dueMillis: number;
  readonly sequence: number;
  readonly task: (millis: number) => void;
  heapIndex = -1;

  constructor(dueMillis: number, sequence: number, task: (millis: number) => void) {
    this.dueMillis = dueMillis;
    this.sequence = sequence;
    this.task = task;
  }
}

/**
 * The ticks of all agents of a process, with one timer, that of the moment at which any agent has work next. Agents
 * that tick at the same time come in the order of their ranks, whichever asked first.
 */
export class TickWheel {
  readonly #loop: EventLoop;
  readonly #ticks = new DueHeap<Tick>();
  #requestCount = 0;
  #timer: Timer | undefined;
  /** The time of the timer; while ticks run, no request sets another. */
  #timerMillis = Number.POSITIVE_INFINITY;

  constructor(loop: EventLoop) {
    this.#loop = loop;
  }

  /**
   * Runs the task at that time, which it is given. A request cannot be withdrawn: a task that is no longer wanted must
   * do nothing.
   */
  at(millis: number, rank: number, task: (millis: number) => void): void {
    this.#ticks.push(new Tick(millis, rank * TICKS_OF_RANK + this.#requestCount++, task));
    if (millis < this.#timerMillis) this.#setTimer(millis);
  }

  #setTimer(millis: number): void {
    this.#timer?.cancel();
    this.#timerMillis = millis;
    this.#timer = atTime(this.#loop, millis, this.#run);
  }

  /** Runs the ticks of the timer's moment, and no later ones: if the clock is late, other tasks come between them. */
  readonly #run = (): void => {
    const millis = this.#timerMillis;
    this.#timer = undefined;
    this.#timerMillis = Number.NEGATIVE_INFINITY;
    try {
      const first = this.#ticks.pop();
      if (this.#ticks.peek()?.dueMillis === millis) this.#runAll(first as Tick);
      else first?.task(millis);
    } finally {
      const next = this.#ticks.peek();
      if (next === undefined) this.#timerMillis = Number.POSITIVE_INFINITY;
      else this.#setTimer(next.dueMillis);
    }
  };

  #runAll(first: Tick): void {
    const { dueMillis } = first;
    const ticks = [first];
    while (this.#ticks.peek()?.dueMillis === dueMillis) ticks.push(this.#ticks.pop() as Tick);
    // An error in one agent must not stop the others.
    forAll(ticks, ({ task }) => task(dueMillis));
  }
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

  /** `sinceMillis`: when it was requested; absent: now. */
  request(sinceMillis?: number): void {
    if (this.#isRequested) return;
    this.#isRequested = true;
    const { loop, wheel, wake } = this.#modules;
    wheel.at(tickAfter(this.#grid, sinceMillis ?? loop.nowMillis()), this.#rank, () => {
      this.#hasTicked = true;
      wake();
    });
  }

  /** Ticks now, for a request that somebody else has waited for. */
  tick(): void {
    this.#isRequested = true;
    this.#hasTicked = true;
  }

  /** Returns whether it has ticked since the last request, and resets that. */
  take(): boolean {
    if (!this.#hasTicked) return false;
    this.#hasTicked = false;
    this.#isRequested = false;
    return true;
  }
}
