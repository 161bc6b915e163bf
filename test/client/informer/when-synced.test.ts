import { expect, test } from 'vitest';
import { whenSynced } from '../../../src/client/informer/when-synced.ts';
import { VirtualEventLoop } from '../../../src/lib/event-loop.ts';

test('whenSynced runs the task once, in a later task, when the caches are full', () => {
  const loop = new VirtualEventLoop(0);
  const ranAt: number[] = [];
  let isSynced = false;
  whenSynced(
    loop,
    () => isSynced,
    () => ranAt.push(loop.nowMillis()),
  );
  loop.after(250, () => {
    isSynced = true;
  });
  loop.runUntil(250);
  expect(ranAt).toEqual([]);
  loop.runUntilIdle();
  expect(ranAt).toEqual([300]);
});

test('whenSynced waits no longer when it is cancelled, at first or later', () => {
  for (const cancelAtMillis of [0, 150]) {
    const loop = new VirtualEventLoop(0);
    let isSynced = false;
    const waiting = whenSynced(
      loop,
      () => isSynced,
      () => expect.unreachable(),
    );
    loop.runUntil(cancelAtMillis - 1);
    waiting.cancel();
    isSynced = true;
    loop.runUntilIdle();
    expect(loop.pending).toBe(0);
  }
});
