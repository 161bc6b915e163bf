import { beforeEach, describe, expect, test } from 'vitest';
import { GridRelists } from '../../src/kubelet/grid-relists.ts';
import { EventChannel } from '../../src/kubelet/pleg/event-channel.ts';
import { GenericPleg } from '../../src/kubelet/pleg/generic-pleg.ts';
import { PodCache } from '../../src/kubelet/pleg/pod-cache.ts';
import { TickWheel } from '../../src/kubelet/tick-wheel.ts';
import { VirtualEventLoop } from '../../src/lib/event-loop.ts';
import { FakeRuntime } from '../builders/fake-runtime.ts';

let loop: VirtualEventLoop;
let runtime: FakeRuntime;
let errors: unknown[];
/** What was asked of the runtime: full listings, or single pods, with the time. */
let asked: string[];
let listMillis: number;
let relists: GridRelists;

/** Relists half a millisecond after each full second. */
function newRelists(isEager: boolean): GridRelists {
  const cache = new PodCache((task) => loop.soon(task));
  const pleg = new GenericPleg({ runtime, cache, channel: new EventChannel(), clock: loop });
  const grid = { periodMillis: 1000, offsetMillis: 0.5 };
  return new GridRelists(
    { pleg, cache, loop, wheel: new TickWheel(loop) },
    {
      rank: 0,
      grid,
      isEager,
      listMillis: () => listMillis,
      onTrouble: () => asked.push(`trouble ${loop.nowMillis()}`),
    },
  );
}

beforeEach(() => {
  errors = [];
  asked = [];
  listMillis = 0;
  loop = new VirtualEventLoop(0, (error) => errors.push(error));
  runtime = new FakeRuntime(loop);
  const { listPods, getPod } = runtime;
  runtime.listPods = () => {
    asked.push(`all ${loop.nowMillis()}`);
    return listPods.call(runtime);
  };
  runtime.getPod = (uid) => {
    asked.push(`${uid} ${loop.nowMillis()}`);
    return getPod.call(runtime, uid);
  };
  relists = newRelists(true);
});

describe('GridRelists', () => {
  test('relists at every tick, until it is stopped', () => {
    relists.start();
    relists.start();
    loop.runUntil(2500);
    expect(asked).toEqual(['all 0.5', 'all 1000.5', 'all 2000.5']);
    relists.stop();
    loop.runUntil(5000);
    expect(asked).toHaveLength(3);
    relists.start();
    loop.runUntil(5001);
    expect(asked.slice(3)).toEqual(['all 5000.5']);
  });

  test('skips relists of a runtime that has not changed, unless it is eager', () => {
    relists = newRelists(false);
    relists.start();
    loop.runUntil(2500);
    expect(asked).toEqual(['all 0.5']);
    relists.runtimeChanged(undefined);
    loop.runUntil(5000);
    expect(asked).toEqual(['all 0.5', 'all 3000.5']);
  });

  test('serves requests in between, a moment later, and refuses more than 200', () => {
    relists.start();
    loop.runUntil(300);
    const answers = Array.from({ length: 201 }, (_, i) => relists.requestRelist(`p${i}`));
    expect(answers.lastIndexOf(true)).toBe(199);
    expect(answers[200]).toBe(false);
    loop.runUntil(400);
    expect(asked).toHaveLength(201);
    expect(asked.slice(0, 3)).toEqual(['all 0.5', 'p0 301', 'p1 301']);
    expect(relists.requestRelist('q')).toBe(true);
  });

  test('a full relist settles the requests that are older', () => {
    loop.after(1000, () => relists.requestRelist('p'));
    relists.start();
    loop.runUntil(1900);
    expect(asked).toEqual(['all 0.5', 'all 1000.5']);
  });

  test('a relist that takes time lists at its end, and the next begins a period later', () => {
    listMillis = 1500;
    relists.start();
    loop.runUntil(5000);
    expect(asked).toEqual(['trouble 0.5', 'all 2000.5']);
    expect(relists.isTroubled).toBe(true);
  });

  test('a mistake in one relist does not end the others', () => {
    const error = new TypeError('a mistake');
    runtime.listPods = () => {
      throw error;
    };
    relists.start();
    loop.runUntil(2500);
    expect(errors).toEqual([error, error, error]);
  });
});
