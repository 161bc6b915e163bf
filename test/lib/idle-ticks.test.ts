import fc from 'fast-check';
import { expect, it } from 'vitest';
import { afterPeriod, type EventLoop, VirtualEventLoop } from '../../src/lib/event-loop.ts';

interface Ticker {
  readonly startMillis: number;
  readonly periodMillis: number;
}

/** A task at a time: it wakes a ticker, and may schedule another task. */
interface Change {
  readonly atMillis: number;
  readonly ticker: number;
  readonly delayMillis: number;
}

/** What happens on a loop on which tickers tick: changes, and the ticks that follow on them. */
class World {
  readonly seen: string[] = [];
  readonly loop = new VirtualEventLoop(0);
  readonly #tickLoop: EventLoop;
  readonly #hasNews: boolean[];
  tickCount = 0;

  constructor(tickers: readonly Ticker[], changes: readonly Change[], leavesOut: boolean) {
    const { loop } = this;
    const plain: EventLoop = {
      nowMillis: () => loop.nowMillis(),
      after: (delayMillis, task) => loop.after(delayMillis, task),
      soon: (task) => loop.soon(task),
    };
    this.#tickLoop = leavesOut ? loop : plain;
    this.#hasNews = tickers.map(() => false);
    for (const [i, { startMillis, periodMillis }] of tickers.entries()) {
      loop.after(startMillis, () => this.#tick(i, periodMillis));
    }
    for (const { atMillis, ticker, delayMillis } of changes) {
      loop.after(atMillis, () => {
        this.change(ticker);
        loop.after(delayMillis, () => this.#note('later'));
      });
    }
  }

  change(ticker: number): void {
    const i = ticker % this.#hasNews.length;
    this.#hasNews[i] = true;
    this.#note(`change ${i}`);
  }

  #tick(i: number, periodMillis: number): void {
    this.tickCount++;
    afterPeriod(this.#tickLoop, () => this.#tick(i, periodMillis), { periodMillis, isIdle: () => !this.#hasNews[i] });
    if (!this.#hasNews[i]) return;
    this.#hasNews[i] = false;
    this.#note(`tick ${i}`);
  }

  #note(what: string): void {
    this.seen.push(`${this.loop.nowMillis()} ${what}`);
  }
}

// Ticks with times that are not whole are put off one by one.
const PERIOD = fc.oneof(
  { weight: 9, arbitrary: fc.integer({ min: 1, max: 6 }) },
  { weight: 1, arbitrary: fc.constant(2.5) },
);
const TICKER = fc.record({ startMillis: fc.nat(6), periodMillis: PERIOD });
const CHANGE = fc.record({ atMillis: fc.nat(60), ticker: fc.nat(3), delayMillis: fc.nat(7) });

it('what happens, and in which order, is the same when idle ticks are left out', () => {
  fc.assert(
    fc.property(
      fc.array(TICKER, { minLength: 1, maxLength: 3 }),
      fc.array(CHANGE, { maxLength: 8 }),
      fc.array(fc.record({ untilMillis: fc.nat(70), sleepMillis: fc.nat(4), ticker: fc.nat(3) }), { maxLength: 4 }),
      (tickers, changes, stops) => {
        const worlds = [true, false].map((leavesOut) => new World(tickers, changes, leavesOut));
        for (const world of worlds) {
          // In between, the world is changed from outside, and the clock moves on by itself.
          for (const { untilMillis, sleepMillis, ticker } of stops) {
            world.loop.runUntil(untilMillis);
            world.change(ticker);
            world.loop.sleep(sleepMillis);
          }
          world.loop.runUntil(100);
        }
        const [lazy, eager] = worlds as [World, World];
        expect(lazy.seen).toEqual(eager.seen);
        expect(lazy.tickCount).toBeLessThanOrEqual(eager.tickCount);
      },
    ),
    { numRuns: 1000 },
  );
});

it('ticks that nothing happens for are left out', () => {
  const world = new World([{ startMillis: 0, periodMillis: 1 }], [{ atMillis: 1e6, ticker: 0, delayMillis: 1 }], true);
  world.loop.runUntil(1e6 + 5);
  expect(world.seen).toEqual(['1000000 change 0', '1000000 tick 0', '1000001 later']);
  expect(world.tickCount).toBeLessThan(10);
});
