import { beforeEach, describe, expect, test } from 'vitest';
import { EventChannel } from '../../../src/kubelet/pleg/event-channel.ts';
import { GenericPleg } from '../../../src/kubelet/pleg/generic-pleg.ts';
import { PodCache } from '../../../src/kubelet/pleg/pod-cache.ts';
import { RelistLoop } from '../../../src/kubelet/pleg/relist-loop.ts';
import { type EventLoop, VirtualEventLoop } from '../../../src/lib/event-loop.ts';
import { FakeRuntime } from '../../builders/fake-runtime.ts';

let loop: VirtualEventLoop;
/** The delay of the loop, which then runs its tasks late. */
let lagMillis: number;
let relists: RelistLoop;
/** What was asked of the runtime: full listings, or single pods, with the time. */
let asked: string[];

beforeEach(() => {
  loop = new VirtualEventLoop(0);
  lagMillis = 0;
  asked = [];
  const lateLoop: EventLoop = {
    nowMillis: () => loop.nowMillis() + lagMillis,
    after: (delayMillis, task) => loop.after(delayMillis, task),
    soon: (task) => loop.soon(task),
  };
  const runtime = new FakeRuntime(lateLoop);
  const { listPods, getPod } = runtime;
  runtime.listPods = () => {
    asked.push(`all ${lateLoop.nowMillis()}`);
    return listPods.call(runtime);
  };
  runtime.getPod = (uid) => {
    asked.push(`${uid} ${lateLoop.nowMillis()}`);
    return getPod.call(runtime, uid);
  };
  const cache = new PodCache((task) => loop.soon(task));
  const pleg = new GenericPleg({ runtime, cache, channel: new EventChannel(), clock: lateLoop });
  relists = new RelistLoop({ pleg, loop: lateLoop, requestCapacity: 2 });
});

describe('RelistLoop', () => {
  test('relists at once and then every second, until it is stopped', () => {
    relists.start();
    relists.start();
    loop.runUntil(2500);
    expect(asked).toEqual(['all 0', 'all 1000', 'all 2000']);
    relists.stop();
    loop.runUntil(5000);
    expect(asked).toHaveLength(3);
    relists.start();
    loop.runUntil(5000);
    expect(asked.slice(3)).toEqual(['all 5000']);
  });

  test('serves requests in between', () => {
    relists.start();
    loop.runUntil(300);
    expect([relists.requestRelist('p'), relists.requestRelist('q'), relists.requestRelist('r')]).toEqual([
      true,
      true,
      false,
    ]);
    loop.runUntil(400);
    expect(asked).toEqual(['all 0', 'p 300', 'q 300']);
    expect(relists.requestRelist('r')).toBe(true);
  });

  test('a full relist that is due goes first', () => {
    loop.after(1000, () => relists.requestRelist('p'));
    relists.start();
    loop.runUntil(1000);
    expect(asked).toEqual(['all 0', 'all 1000', 'p 1000']);
  });

  test('a full relist answers the requests that are older', () => {
    relists.start();
    loop.runUntil(500);
    relists.requestRelist('p');
    lagMillis = 600;
    loop.runUntil(500);
    expect(asked).toEqual(['all 0', 'all 1100']);
    loop.runUntil(1500);
    expect(asked).toEqual(['all 0', 'all 1100', 'all 2100']);
  });

  test('a mistake in one relist does not end the others', () => {
    const error = new TypeError('a mistake');
    const errors: unknown[] = [];
    const loop = new VirtualEventLoop(0, (thrown) => errors.push(thrown));
    const runtime = new FakeRuntime(loop);
    runtime.listPods = () => {
      throw error;
    };
    const cache = new PodCache((task) => loop.soon(task));
    const pleg = new GenericPleg({ runtime, cache, channel: new EventChannel(), clock: loop });
    new RelistLoop({ pleg, loop }).start();
    loop.runUntil(2000);
    expect(errors).toEqual([error, error, error]);
  });
});
