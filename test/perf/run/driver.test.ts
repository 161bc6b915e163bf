import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../src/lib/clock.ts';
import { SkippingEventLoop } from '../../../src/lib/skipping-event-loop.ts';
import { Driver } from '../../../src/perf/run/driver.ts';
import { startTicker } from '../../../src/perf/run/ticker.ts';

function rig() {
  const work = new FakeClock();
  const loop = new SkippingEventLoop(work, 0, (error) => {
    throw error;
  });
  return { work, loop };
}

describe('Driver', () => {
  it('runs tasks until what it waits for has come, or the time is over', async () => {
    const { loop } = rig();
    const driver = new Driver(loop);
    let count = 0;
    const ticker = startTicker(loop, 10, () => (++count < 5 ? 'again' : 'over'));
    expect(await driver.until(() => count === 3, 100)).toBe(true);
    expect(loop.nowMillis()).toBe(30);
    expect(await driver.until(() => count === 9, 1000)).toBe(false);
    expect([count, ticker.isOver()]).toEqual([5, true]);
    expect(await driver.until(() => true, 0)).toBe(true);
    expect(await driver.until(() => false, Number.POSITIVE_INFINITY)).toBe(false);
  });

  it('sleeps', async () => {
    const { loop } = rig();
    await new Driver(loop).sleep(3_600_000);
    expect(loop.nowMillis()).toBe(3_600_000);
  });

  it('pauses now and then while it works', async () => {
    const { work, loop } = rig();
    const pauses: number[] = [];
    const driver = new Driver(loop, async () => {
      pauses.push(loop.nowMillis());
      return false;
    });
    let rounds = 0;
    const task = (): void => {
      work.advance(20);
      if (++rounds < 10) loop.soon(task);
    };
    loop.soon(task);
    await driver.until(() => rounds === 10, 1000);
    expect(pauses).toEqual([60, 120, 180]);
  });

  it('gives up after too much work', async () => {
    const { work, loop } = rig();
    const driver = new Driver(loop, undefined, 100);
    const task = (): void => {
      work.advance(30);
      loop.soon(task);
    };
    loop.soon(task);
    await expect(driver.until(() => false, Number.POSITIVE_INFINITY)).rejects.toThrow('takes too long');
    expect(work.nowMillis()).toBe(120);
  });
});

describe('Ticker', () => {
  it('keeps its times when a tick is late, and can be stopped', () => {
    const { work, loop } = rig();
    const ticks: number[] = [];
    const ticker = startTicker(loop, 10, () => {
      ticks.push(loop.nowMillis());
      work.advance(ticks.length === 1 ? 15 : 0);
      return 'again';
    });
    while (ticks.length < 4) loop.step();
    ticker.stop();
    expect(ticks).toEqual([10, 25, 30, 40]);
    expect(loop.step()).toBe(false);
    expect(ticker.isOver()).toBe(true);
  });
});
