import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../src/lib/clock.ts';
import { SkippingEventLoop } from '../../src/lib/skipping-event-loop.ts';

const fail = (error: unknown): void => {
  throw error;
};

describe('SkippingEventLoop', () => {
  it('jumps over idle time and counts work as long as it takes', () => {
    const work = new FakeClock(7);
    const loop = new SkippingEventLoop(work, 1000, fail);
    const seen: [string, number][] = [];
    loop.after(500, () => {
      seen.push(['later', loop.nowMillis()]);
      work.advance(3);
    });
    loop.soon(() => {
      seen.push(['now', loop.nowMillis()]);
      work.advance(20);
    });
    expect(loop.step()).toBe(true);
    expect(loop.nowMillis()).toBe(1020);
    expect(loop.nextMillis).toBe(1500);
    loop.step();
    expect(seen).toEqual([
      ['now', 1000],
      ['later', 1500],
    ]);
    expect(loop.nowMillis()).toBe(1503);
    expect(loop.workedMillis()).toBe(30);
    expect(loop.step()).toBe(false);
  });

  it('runs what is overdue at once, in the order of the times', () => {
    const work = new FakeClock();
    const loop = new SkippingEventLoop(work, 0, fail);
    const seen: string[] = [];
    loop.after(20, () => seen.push('b'));
    loop.after(10, () => seen.push('a'));
    work.advance(100);
    loop.soon(() => seen.push('c'));
    while (loop.step());
    expect(seen).toEqual(['a', 'b', 'c']);
    expect(loop.nowMillis()).toBe(100);
  });

  it('forgets cancelled tasks and reports those that throw', () => {
    const errors: unknown[] = [];
    const loop = new SkippingEventLoop(new FakeClock(), 0, (error) => errors.push(error));
    loop.after(1, () => fail('not run')).cancel();
    loop.soon(() => fail('thrown'));
    while (loop.step());
    expect(errors).toEqual(['thrown']);
    expect(loop.nextMillis).toBe(Number.POSITIVE_INFINITY);
  });
});
