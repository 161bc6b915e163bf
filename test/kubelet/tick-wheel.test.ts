import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LateTick, TickWheel, tickAfter, tickBefore } from '../../src/kubelet/tick-wheel.ts';
import { VirtualEventLoop } from '../../src/lib/event-loop.ts';

test('at one moment agents come in the order of their ranks, whoever asked first', () => {
  const loop = new VirtualEventLoop(0);
  const wheel = new TickWheel(loop);
  const ran: string[] = [];
  for (const rank of [2, 0, 1]) wheel.at(5.5, rank, () => ran.push(`${rank} at ${loop.nowMillis()}`));
  wheel.at(3.5, 9, () => ran.push('first'));
  // All share the timer of the first.
  expect(loop.pending).toBe(1);
  loop.runUntilIdle();
  expect(ran).toEqual(['first', '0 at 5.5', '1 at 5.5', '2 at 5.5']);
});

test('ticks come as if each had a timer of its own, also where others run between them, and on a late clock', () => {
  interface Plan {
    readonly atMillis: number;
    readonly delayMillis: number;
    readonly rank: number;
    readonly sleepMillis: number;
  }
  /** The order in which ticks, and the tasks that ask for them, run; a tick asks once more. */
  const orderOf = (plans: readonly Plan[], isShared: boolean): string[] => {
    const loop = new VirtualEventLoop(0);
    const wheel = new TickWheel(loop);
    const seen: string[] = [];
    const request = (millis: number, rank: number, task: (millis: number) => void): void => {
      if (isShared) wheel.at(millis, rank, task);
      else loop.after(millis - loop.nowMillis(), () => task(millis));
    };
    for (const [i, { atMillis, delayMillis, rank, sleepMillis }] of plans.entries()) {
      loop.after(atMillis, () => {
        seen.push(`${i} at ${loop.nowMillis()}`);
        // Without the wheel nothing puts ticks of one moment in order, so each plan has its own fraction.
        const fraction = (i + 1) / 32;
        const grid = { periodMillis: 1, offsetMillis: fraction };
        request(tickAfter(grid, loop.nowMillis() + delayMillis), rank, (millis) => {
          seen.push(`${i} ticks at ${loop.nowMillis()} for ${millis}`);
          request(tickAfter(grid, loop.nowMillis() + delayMillis), rank, (again) =>
            seen.push(`${i} again for ${again}`),
          );
          loop.after(delayMillis, () => seen.push(`${i} after ${millis}`));
        });
        if (sleepMillis > 0) loop.sleep(sleepMillis);
      });
    }
    loop.runUntilIdle();
    return seen;
  };
  const plan = fc.record({
    atMillis: fc.nat(20),
    delayMillis: fc.nat(10),
    rank: fc.nat(3),
    sleepMillis: fc.oneof(fc.constant(0), fc.nat(12)),
  });
  fc.assert(
    fc.property(fc.array(plan, { maxLength: 20 }), (plans) => {
      expect(orderOf(plans, true)).toEqual(orderOf(plans, false));
    }),
  );
});

test('an error of one agent is reported, and stops no other', () => {
  const errors: unknown[] = [];
  const loop = new VirtualEventLoop(0, (error) => errors.push(error));
  const wheel = new TickWheel(loop);
  const error = new TypeError('a mistake');
  let hasRun = false;
  wheel.at(1, 0, () => {
    throw error;
  });
  wheel.at(1, 1, () => {
    hasRun = true;
  });
  loop.runUntilIdle();
  expect([hasRun, errors]).toEqual([true, [error]]);
});

test('ticks of a grid: the next is after, the last before, one period apart', () => {
  const grid = fc.record({ periodMillis: fc.constantFrom(1000, 2000), offsetMillis: fc.nat(999).map((n) => n + 0.5) });
  fc.assert(
    fc.property(grid, fc.nat(10_000_000), (each, millis) => {
      const [before, after] = [tickBefore(each, millis), tickAfter(each, millis)];
      expect(before < millis && millis < after).toBe(true);
      expect(after - before).toBe(each.periodMillis);
      expect([tickAfter(each, before), tickBefore(each, after)]).toEqual([after, before]);
    }),
  );
});

test('a late tick comes once, however often it was asked for', () => {
  const loop = new VirtualEventLoop(0);
  let wakes = 0;
  const grid = { periodMillis: 1000, offsetMillis: 0.5 };
  const tick = new LateTick({ loop, wheel: new TickWheel(loop), wake: () => wakes++ }, 0, grid);
  tick.request();
  tick.request();
  expect(tick.take()).toBe(false);
  loop.runUntilIdle();
  expect([wakes, tick.take(), tick.take()]).toEqual([1, true, false]);
  tick.request();
  loop.runUntilIdle();
  expect([wakes, loop.nowMillis()]).toEqual([2, 1000.5]);
});
