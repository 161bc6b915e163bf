import { describe, expect, it } from 'vitest';
import type { Pod } from '../../src/api/pod.ts';
import { VirtualEventLoop } from '../../src/lib/event-loop.ts';
import { HeldWatch } from '../../src/live/held-watch.ts';
import type { Watch, WatchEvent } from '../../src/store/objects/store-client.ts';

const change = (name: string): WatchEvent<Pod> => ({ type: 'MODIFIED', object: { metadata: { name } } as Pod });

/** A watch with these changes, and one that holds them back while a pod is awaited. */
function heldWatch(names: readonly string[], awaited: Set<string>) {
  const events = names.map(change);
  const inner: Watch<Pod> = { next: () => events.shift(), onReady: () => {}, stop: () => {} };
  const loop = new VirtualEventLoop();
  const watch = new HeldWatch(inner, loop, ({ metadata }) => awaited.has(metadata?.name ?? ''));
  let wakes = 0;
  watch.onReady(() => wakes++);
  const next = (): string | undefined => (watch.next() as { object: Pod } | undefined)?.object.metadata?.name;
  const pass = (millis: number): void => loop.runUntil(loop.nowMillis() + millis);
  return { pass, watch, next, wakes: () => wakes };
}

describe('a watch that holds changes back', () => {
  it('stops at a pod that is awaited, and goes on in order when it is not any more', () => {
    const awaited = new Set(['b']);
    const { watch, next, wakes } = heldWatch(['a', 'b', 'c'], awaited);
    expect([next(), next(), next()]).toEqual(['a', undefined, undefined]);
    awaited.delete('b');
    watch.release();
    expect(wakes()).toBe(1);
    expect([next(), next(), next()]).toEqual(['b', 'c', undefined]);
  });

  it('holds no change for longer than two seconds', () => {
    const { pass, next, wakes } = heldWatch(['a', 'b'], new Set(['a']));
    expect(next()).toBeUndefined();
    pass(1999);
    expect([wakes(), next()]).toEqual([0, undefined]);
    pass(1);
    expect([wakes(), next(), next()]).toEqual([1, 'a', 'b']);
  });

  it('holds each pod for its own time, and has nothing to release where nothing is held', () => {
    const { pass, watch, next, wakes } = heldWatch(['a', 'b'], new Set(['a', 'b']));
    watch.release();
    expect([wakes(), next()]).toEqual([0, undefined]);
    pass(2000);
    expect([next(), next()]).toEqual(['a', undefined]);
    pass(2000);
    expect([wakes(), next()]).toEqual([2, 'b']);
  });
});
