import { expect, it } from 'vitest';
import { RealEventLoop } from '../../src/lib/event-loop.ts';
import { SteppedEventLoop } from '../../src/lib/stepped-event-loop.ts';

function newLoops(onError?: (error: unknown) => void): { timers: RealEventLoop; loop: SteppedEventLoop } {
  const report =
    onError ??
    ((error) => {
      throw error;
    });
  const timers = new RealEventLoop(report);
  return { timers, loop: new SteppedEventLoop(timers, 1000, report) };
}

/** Resolves when the real loop has served everything that was due, and what that made due. */
async function served(timers: RealEventLoop): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise<void>((resolve) => timers.soon(resolve));
}

it('runs what is due by itself, after the caller has returned, and nothing else', async () => {
  const { timers, loop } = newLoops();
  const seen: string[] = [];
  loop.after(1, () => seen.push('later'));
  loop.soon(() => {
    seen.push('soon');
    loop.after(0, () => seen.push('at once'));
  });
  expect(seen).toEqual([]);
  await served(timers);
  expect(seen).toEqual(['soon', 'at once']);
  expect(loop.nowMillis()).toBe(1000);
});

it('advances from task to task, and does what comes in meanwhile at that time', async () => {
  const { timers, loop } = newLoops();
  const seen: [string, number][] = [];
  const note = (what: string) => () => seen.push([what, loop.nowMillis()]);
  loop.after(10, () => {
    note('first')();
    // A request that arrives between two moments of the cluster.
    timers.soon(() => loop.soon(note('request')));
  });
  loop.after(10_000, note('second'));
  loop.after(20_001, note('beyond'));
  await loop.advance(20_000);
  expect(seen).toEqual([
    ['first', 1010],
    ['request', 1010],
    ['second', 11_000],
  ]);
  expect(loop.nowMillis()).toBe(21_000);
  expect(loop.pending).toBe(1);
});

it('reports a task that throws, and goes on', async () => {
  const errors: unknown[] = [];
  const { timers, loop } = newLoops((error) => errors.push(error));
  const seen: string[] = [];
  loop.soon(() => {
    throw new Error('broken');
  });
  loop.soon(() => seen.push('next'));
  await served(timers);
  expect(errors).toEqual([new Error('broken')]);
  expect(seen).toEqual(['next']);
});
