import { describe, expect, it } from 'vitest';
import { VirtualEventLoop } from '../../../src/lib/event-loop.ts';
import { FlushTimers } from '../../../src/scheduler/queue/flush-timers.ts';

function newTimers(startMillis: number, again: () => boolean = () => false) {
  const loop = new VirtualEventLoop(startMillis);
  const flushed: string[] = [];
  const timers: FlushTimers = new FlushTimers(loop, {
    backoffCompleted: () => {
      flushed.push(`backoff ${loop.nowMillis()}`);
      if (again()) timers.watchBackoff();
    },
    unschedulableLeftover: () => {
      flushed.push(`unschedulable ${loop.nowMillis()}`);
      if (again()) timers.watchUnschedulable();
    },
  });
  return { loop, timers, flushed };
}

describe('FlushTimers', () => {
  it('flushes back-off at whole seconds, and the others every 30 s since the start', () => {
    const { loop, timers, flushed } = newTimers(5_250);
    timers.start();
    timers.watchBackoff();
    timers.watchUnschedulable();
    loop.runUntilIdle();
    expect(flushed).toEqual(['backoff 6000', 'unschedulable 35250']);
  });

  it('flushes back-off first when both are due', () => {
    const { loop, timers, flushed } = newTimers(0, () => loop.nowMillis() < 30_000);
    timers.start();
    timers.watchUnschedulable();
    timers.watchBackoff();
    loop.runUntilIdle();
    expect(flushed.slice(-2)).toEqual(['backoff 30000', 'unschedulable 30000']);
    expect(flushed).toHaveLength(31);
  });

  it('leaves the clock alone while nobody waits', () => {
    const { loop, timers } = newTimers(0);
    timers.start();
    expect(loop.pending).toBe(0);
  });

  it('stops', () => {
    const { loop, timers, flushed } = newTimers(0);
    timers.watchBackoff();
    timers.start();
    timers.watchBackoff();
    timers.stop();
    timers.watchUnschedulable();
    loop.runUntilIdle();
    expect(flushed).toEqual([]);
  });
});
