import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RealEventLoop, VirtualEventLoop } from '../../src/lib/event-loop.ts';

describe('VirtualEventLoop', () => {
  it('runs tasks in the order of time, then of scheduling', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(5), { maxLength: 50 }), (delays) => {
        const loop = new VirtualEventLoop(1000);
        const ran: [number, number][] = [];
        for (const [index, delay] of delays.entries()) loop.after(delay, () => ran.push([loop.nowMillis(), index]));
        loop.runUntilIdle();
        const expected = delays.map((delay, index): [number, number] => [1000 + delay, index]);
        expect(ran).toEqual(expected.sort((a, b) => a[0] - b[0] || a[1] - b[1]));
      }),
    );
  });

  it('starts in 2026', () => {
    expect(new Date(new VirtualEventLoop().nowMillis()).toISOString()).toBe('2026-01-01T00:00:00.000Z');
  });

  it('runs what a task schedules for now after everything that is due now', () => {
    const loop = new VirtualEventLoop(0);
    const ran: string[] = [];
    loop.after(5, () => {
      ran.push('a');
      loop.soon(() => ran.push('c'));
      loop.after(-1, () => ran.push('d'));
    });
    loop.after(5, () => ran.push('b'));
    loop.runUntilIdle();
    expect(ran).toEqual(['a', 'b', 'c', 'd']);
    expect(loop.nowMillis()).toBe(5);
  });

  it('runs up to a moment, and moves the clock there', () => {
    const loop = new VirtualEventLoop(0);
    const ran: number[] = [];
    const tick = (): void => {
      ran.push(loop.nowMillis());
      loop.after(10, tick);
    };
    loop.soon(tick);
    loop.runUntil(25);
    expect(ran).toEqual([0, 10, 20]);
    expect(loop.nowMillis()).toBe(25);
    expect(loop.pending).toBe(1);
    loop.runUntil(30);
    expect(ran).toEqual([0, 10, 20, 30]);
    loop.runUntil(3);
    expect(loop.nowMillis()).toBe(30);
  });

  it('sleeps: what becomes due meanwhile runs late, in its order', () => {
    const loop = new VirtualEventLoop(0);
    const ran: string[] = [];
    const run = (name: string) => () => ran.push(`${name} ${loop.nowMillis()}`);
    loop.after(10, () => loop.sleep(100));
    loop.after(30, run('b'));
    loop.after(20, run('a'));
    loop.after(200, run('c'));
    loop.runUntilIdle();
    expect(ran).toEqual(['a 110', 'b 110', 'c 200']);
  });

  it('steps one task at a time', () => {
    const loop = new VirtualEventLoop(0);
    const ran: number[] = [];
    loop.after(1, () => ran.push(1));
    loop.after(2, () => ran.push(2));
    expect(loop.step()).toBe(true);
    expect(ran).toEqual([1]);
    expect([loop.step(), loop.step()]).toEqual([true, false]);
    expect(ran).toEqual([1, 2]);
  });

  it('does not run what was cancelled', () => {
    const loop = new VirtualEventLoop(0);
    const ran: string[] = [];
    const first = loop.after(1, () => ran.push('first'));
    const second = loop.after(1, () => ran.push('second'));
    loop.after(0, () => second.cancel());
    loop.runUntil(0);
    expect(loop.pending).toBe(1);
    loop.runUntilIdle();
    first.cancel();
    expect(ran).toEqual(['first']);
  });

  it('reports a task that throws, and goes on', () => {
    const errors: unknown[] = [];
    const loop = new VirtualEventLoop(0, (error) => errors.push(error));
    const ran: string[] = [];
    loop.soon(() => {
      throw new Error('boom');
    });
    loop.soon(() => ran.push('next'));
    loop.runUntilIdle();
    expect(errors).toEqual([new Error('boom')]);
    expect(ran).toEqual(['next']);
  });

  it('without a handler throws the first error when the run is over', () => {
    const loop = new VirtualEventLoop(0);
    const ran: string[] = [];
    for (const text of ['one', 'two']) {
      loop.soon(() => {
        throw new Error(text);
      });
    }
    loop.soon(() => ran.push('last'));
    expect(() => loop.runUntilIdle()).toThrow('one');
    expect(ran).toEqual(['last']);
    expect(() => loop.runUntilIdle()).not.toThrow();
  });

  it('refuses delays that mean nothing', () => {
    const loop = new VirtualEventLoop(0);
    for (const delay of [Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => loop.after(delay, () => {})).toThrow('a delay is a finite number');
    }
    expect(() => loop.runUntil(Number.POSITIVE_INFINITY)).toThrow('a run ends at some time');
  });
});

describe('RealEventLoop', () => {
  it('runs tasks in order, on timers and at once', async () => {
    const errors: unknown[] = [];
    const loop = new RealEventLoop((error) => errors.push(error));
    const ran: string[] = [];
    const startMillis = loop.nowMillis();
    await new Promise<void>((resolve) => {
      loop.after(20, () => {
        ran.push('later');
        loop.soon(resolve);
      });
      loop.after(5, () => ran.push('sooner'));
      loop.after(10, () => ran.push('never')).cancel();
      loop.soon(() => {
        throw new Error('boom');
      });
      loop.soon(() => {
        ran.push('soon');
        loop.soon(() => ran.push('next'));
      });
    });
    expect(ran).toEqual(['soon', 'next', 'sooner', 'later']);
    expect(errors).toEqual([new Error('boom')]);
    expect(loop.nowMillis() - startMillis).toBeGreaterThanOrEqual(19);
  });
});
