import { describe, expect, it } from 'vitest';
import { VirtualEventLoop } from '../../src/lib/event-loop.ts';
import { type Pace, PacedEventLoop } from '../../src/lib/paced-event-loop.ts';

const START = 1_000_000;

function paced(pace: Pace) {
  const timers = new VirtualEventLoop(0);
  const loop = new PacedEventLoop(timers, {
    pace,
    startMillis: START,
    onError: (error) => {
      throw error;
    },
  });
  const ran: string[] = [];
  const note = (name: string) => (): void => void ran.push(`${name}@${loop.nowMillis() - START}`);
  return { timers, loop, ran, note };
}

describe('PacedEventLoop', () => {
  it('runs tasks at the times that the pace gives them', () => {
    const { timers, loop, ran, note } = paced(1000);
    loop.after(60_000, note('minute'));
    loop.after(1000, note('second'));
    loop.soon(note('now'));
    timers.runUntil(0);
    expect(ran).toEqual(['now@0']);
    timers.runUntil(1);
    expect(ran).toEqual(['now@0', 'second@1000']);
    timers.runUntil(59);
    expect(loop.nowMillis() - START).toBe(59_000);
    timers.runUntil(60);
    expect(ran.at(-1)).toBe('minute@60000');
  });

  it('is not late for a task: time waits while the work takes longer than the pace allows', () => {
    const { timers, loop, ran, note } = paced(1);
    loop.after(10, () => {
      note('slow')();
      timers.sleep(500);
      note('still')();
      loop.after(5, note('after'));
    });
    timers.runUntil(1000);
    expect(ran).toEqual(['slow@10', 'still@10', 'after@15']);
    expect(loop.nowMillis() - START).toBe(1000);
  });

  it('lets input and output be served between slices of work', () => {
    const { timers, loop, ran, note } = paced('paused');
    for (let i = 0; i < 3; i++) {
      loop.soon(() => {
        note('work')();
        timers.sleep(11);
      });
    }
    timers.soon(() => ran.push('input'));
    timers.runUntilIdle();
    expect(ran).toEqual(['work@0', 'input', 'work@0', 'work@0']);
  });

  it('stands still while it is paused, except for work that is due, and steps', async () => {
    const { timers, loop, ran, note } = paced('paused');
    loop.after(3_600_000, note('hour'));
    loop.after(1, note('soon'));
    loop.soon(note('now'));
    timers.runUntil(10_000);
    expect(ran).toEqual(['now@0']);
    const stepped = loop.step(3_599_999);
    const again = loop.step(2);
    timers.runUntilIdle();
    await Promise.all([stepped, again]);
    expect(ran).toEqual(['now@0', 'soon@1', 'hour@3600000']);
    expect(loop.nowMillis() - START).toBe(3_600_001);
    timers.runUntil(99_000);
    expect(loop.nowMillis() - START).toBe(3_600_001);
  });

  it('jumps from task to task at the pace max, and goes on from there at another one', () => {
    const { timers, loop, ran, note } = paced('max');
    loop.after(86_400_000, note('day'));
    loop.after(1000, note('second'));
    expect(loop.nowMillis()).toBe(START);
    timers.runUntilIdle();
    expect(ran).toEqual(['second@1000', 'day@86400000']);
    loop.pace = 2;
    loop.after(1000, note('next'));
    timers.runUntil(499);
    expect(ran).toHaveLength(2);
    timers.runUntil(500);
    expect(ran.at(-1)).toBe('next@86401000');
  });

  it('waits anew when the pace changes, and forgets tasks that are cancelled', () => {
    const { timers, loop, ran, note } = paced(1);
    const timer = loop.after(100, note('cancelled'));
    loop.after(10_000, note('ten'));
    loop.pace = 'paused';
    timers.runUntil(20_000);
    expect(ran).toEqual([]);
    timer.cancel();
    loop.pace = 10;
    timers.runUntil(20_999);
    expect(ran).toEqual([]);
    timers.runUntil(21_000);
    expect(ran).toEqual(['ten@10000']);
  });

  it('a step under way is on top of the pace', async () => {
    const { timers, loop, ran, note } = paced(1);
    loop.after(5000, note('five'));
    const stepped = loop.step(4000);
    timers.runUntil(0);
    await stepped;
    expect(loop.nowMillis() - START).toBe(4000);
    timers.runUntil(1000);
    expect(ran).toEqual(['five@5000']);
    loop.close();
    loop.soon(note('closed'));
    timers.runUntil(2000);
    expect(ran).toHaveLength(1);
  });
});
