import { beforeEach, describe, expect, it } from 'vitest';
import { Reflector, type ReflectorTarget } from '../../../src/client/informer/reflector.ts';
import { VirtualEventLoop } from '../../../src/lib/event-loop.ts';
import { Prng } from '../../../src/lib/prng.ts';
import { ApiError } from '../../../src/store/objects/api-error.ts';
import { FakeSource, type Thing } from './fake-source.ts';

let loop: VirtualEventLoop;
let source: FakeSource;
let reported: string[];
let reports: string[];
let reflector: Reflector<Thing>;

const VERBS = { Added: 'add', Updated: 'update', Deleted: 'delete' };

/** Records every call: `replace a,b`, `add c`. */
const target: ReflectorTarget<Thing> = {
  change: (type, thing) => reported.push(`${VERBS[type]} ${thing.metadata.name}`),
  replace: (things) => reported.push(`replace ${things.map(({ metadata }) => metadata.name)}`),
};

beforeEach(() => {
  loop = new VirtualEventLoop(0);
  source = new FakeSource();
  reported = [];
  reports = [];
  const reportError = (error: unknown, activity: string): unknown => reports.push(`${activity}: ${error}`);
  reflector = new Reflector(source, target, { loop, prng: new Prng(1), reportError });
});

/** Moves on until the source is asked something again; the milliseconds that took. */
function millisUntilNextCall(): number {
  const start = loop.nowMillis();
  const calls = source.calls.length;
  while (source.calls.length === calls) expect(loop.step()).toBe(true);
  return loop.nowMillis() - start;
}

describe('Reflector', () => {
  it('lists, then follows the watch', () => {
    source.set('a');
    reflector.start();
    expect([reported, reflector.lastSyncResourceVersion]).toEqual([[], '']);
    loop.runUntilIdle();
    source.set('b');
    source.set('a');
    source.remove('b');
    loop.runUntilIdle();
    expect(reported).toEqual(['replace a', 'add b', 'update a', 'delete b']);
    expect(source.calls).toEqual(['list', 'watch 1']);
    expect(reflector.lastSyncResourceVersion).toBe('4');
  });

  it('lists in pages and replaces once', () => {
    for (let i = 0; i < 1200; i++) source.set(`n${i}`);
    reflector.start();
    loop.runUntilIdle();
    expect(source.calls).toEqual(['list', 'list after 500', 'list after 1000', 'watch 1200']);
    expect(reported.length).toBe(1);
    expect(reported[0]?.split(',').length).toBe(1200);
  });

  it('watches from the first page on, so that nothing between two pages is missed', () => {
    for (let i = 0; i < 600; i++) source.set(`n${i}`);
    reflector.start();
    loop.step();
    source.set('n0');
    loop.runUntilIdle();
    expect(source.calls).toEqual(['list', 'list after 500', 'watch 600']);
    expect(reported.slice(1)).toEqual(['update n0']);
  });

  it('takes a list that expires between pages in one piece', () => {
    for (let i = 0; i < 600; i++) source.set(`n${i}`);
    source.continueIsGone = true;
    reflector.start();
    loop.runUntilIdle();
    expect([source.calls, reports]).toEqual([['list', 'list after 500', 'list', 'watch 600'], []]);
    expect(reported[0]?.split(',').length).toBe(600);
  });

  it('remembers the version of a bookmark', () => {
    reflector.start();
    loop.runUntilIdle();
    source.set('a');
    loop.runUntilIdle();
    source.sendBookmarks();
    loop.runUntilIdle();
    source.breakWatches(new ApiError('InternalError', 'boom'));
    loop.runUntilIdle();
    expect(source.calls).toEqual(['list', 'watch 0', 'watch 2']);
  });

  it('reports a list that fails, and waits longer each time', () => {
    for (let i = 0; i < 3; i++) source.listErrors.push(new Error('no route'));
    reflector.start();
    millisUntilNextCall();
    const waits = [0, 1, 2].map(() => millisUntilNextCall());
    expect(reports).toEqual(Array(3).fill('list things: Error: no route'));
    for (const [failure, wait] of waits.entries()) {
      expect(wait).toBeGreaterThanOrEqual(800 * 2 ** failure);
      expect(wait).toBeLessThanOrEqual(1600 * 2 ** failure);
    }
    loop.runUntilIdle();
    expect(reported).toEqual(['replace ']);
  });

  it('lists again when it is too late, which is nobody’s error', () => {
    source.set('a');
    reflector.start();
    loop.runUntilIdle();
    source.remove('a');
    source.set('b');
    source.forgetHistory();
    expect(millisUntilNextCall()).toBeGreaterThanOrEqual(800);
    loop.runUntilIdle();
    expect([reported, reports]).toEqual([['replace a', 'replace b'], []]);
    expect(source.calls).toEqual(['list', 'watch 1', 'list', 'watch 3']);
    expect(source.watchCount).toBe(1);
  });

  it('goes on at the last version after a watch that broke', () => {
    reflector.start();
    loop.runUntilIdle();
    source.set('a');
    loop.runUntilIdle();
    source.breakWatches(new ApiError('InternalError', 'boom'));
    source.set('b');
    source.watchErrors.push(new ApiError('TooManyRequests', 'later'));
    loop.runUntilIdle();
    expect(reported).toEqual(['replace ', 'add a', 'add b']);
    expect(source.calls).toEqual(['list', 'watch 0', 'watch 1', 'watch 1']);
    expect(reports).toEqual(['watch things: BerthError: boom', 'watch things: BerthError: later']);
  });

  it('lists again when a watch is refused for another reason', () => {
    source.watchErrors.push(new ApiError('Forbidden', 'no'), new Error('bug'));
    reflector.start();
    loop.runUntilIdle();
    expect(source.calls).toEqual(['list', 'watch 0', 'list', 'watch 0', 'list', 'watch 0']);
    expect(reports.length).toBe(2);
  });

  describe('with a source that streams lists', () => {
    const start = (): void => {
      source.streamsLists = true;
      reflector = new Reflector(source, target, {
        ...{ loop, prng: new Prng(1) },
        reportError: (error, activity) => reports.push(`${activity}: ${error}`),
      });
      reflector.start();
      loop.runUntilIdle();
    };

    it('asks for no list, and is in step when all objects have come', () => {
      source.set('a');
      source.set('b');
      source.sendBookmarks();
      start();
      expect([reported, reflector.lastSyncResourceVersion]).toEqual([['replace a,b'], '3']);
      source.remove('a');
      loop.runUntilIdle();
      expect(reported).toEqual(['replace a,b', 'delete a']);
      expect(source.calls).toEqual(['stream']);
    });

    it('goes on from the last version when the watch breaks later', () => {
      start();
      source.set('a');
      loop.runUntilIdle();
      source.breakWatches(new ApiError('InternalError', 'boom'));
      loop.runUntilIdle();
      expect(source.calls).toEqual(['stream', 'watch 1']);
    });

    it('streams again, and replaces once, when the stream breaks before all have come', () => {
      source.holdsEndBack = true;
      source.set('a');
      start();
      source.sendBookmarks();
      loop.runUntilIdle();
      expect(reported).toEqual([]);
      source.holdsEndBack = false;
      source.breakWatches(new ApiError('ServiceUnavailable', 'broken'));
      loop.runUntilIdle();
      expect(reported).toEqual(['replace a']);
      expect(source.calls).toEqual(['stream', 'stream']);
      expect(reports).toEqual(['watch things: BerthError: broken']);
    });

    it('counts what changes while objects still come', () => {
      source.holdsEndBack = true;
      source.set('a');
      source.set('b');
      start();
      source.remove('a');
      source.set('c');
      loop.runUntilIdle();
      expect(reported).toEqual([]);
      source.endStreams();
      loop.runUntilIdle();
      expect(reported).toEqual(['replace b,c']);
    });

    it('lists when the source knows no streams, from then on, and reports nothing', () => {
      source.set('a');
      source.watchErrors.push(new ApiError('Invalid', 'sendInitialEvents: Forbidden'));
      start();
      expect(reported).toEqual(['replace a']);
      source.forgetHistory();
      source.breakWatches(new ApiError('Expired', 'too old'));
      loop.runUntilIdle();
      expect(source.calls).toEqual(['stream', 'list', 'watch 1', 'list', 'watch 1']);
      expect(reports).toEqual([]);
    });

    it('lists once when a stream is refused for another reason', () => {
      source.watchErrors.push(new ApiError('Forbidden', 'no'));
      start();
      source.breakWatches(new ApiError('Expired', 'too old'));
      loop.runUntilIdle();
      expect(source.calls).toEqual(['stream', 'list', 'watch 0', 'stream']);
    });
  });

  it('stops for good, whatever it was doing, and starts over', () => {
    for (const stepsBefore of [0, 1, 2, 3]) {
      const calls = source.calls.length;
      for (let i = 0; i < 600; i++) source.set(`n${i}`);
      reflector.start();
      for (let i = 0; i < stepsBefore; i++) loop.step();
      source.set('x');
      const callsBefore = source.calls.length;
      reflector.stop();
      loop.runUntilIdle();
      expect([source.calls.length, source.watchCount]).toEqual([callsBefore, 0]);
      expect(callsBefore - calls).toBe([0, 1, 3, 3][stepsBefore]);
    }
    source.listErrors.push(new Error('no route'));
    reflector.start();
    loop.step();
    reflector.stop();
    loop.runUntilIdle();
    reported = [];
    reflector.start();
    reflector.start();
    loop.runUntilIdle();
    expect(reported.length).toBe(1);
    expect(source.watchCount).toBe(1);
  });
});
