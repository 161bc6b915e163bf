import { describe, expect, it } from 'vitest';
import { VirtualEventLoop } from '../../../src/lib/event-loop.ts';
import { type EventBody, EventSeriesCache } from '../../../src/remote/events/event-series.ts';

const MINUTE_MILLIS = 60_000;

function event(pod: string, note = 'no room'): EventBody {
  return {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { name: `${pod}.1`, namespace: 'default' },
    eventTime: '2026-01-01T00:00:00.000000Z',
    ...{ type: 'Warning', reason: 'FailedScheduling', action: 'Scheduling', note },
    ...{ reportingController: 'berth', reportingInstance: 'berth-1' },
    regarding: { apiVersion: 'v1', kind: 'Pod', namespace: 'default', name: pod, uid: `uid-${pod}` },
  };
}

class Rig {
  readonly loop = new VirtualEventLoop();
  readonly writes: string[] = [];
  readonly cache = new EventSeriesCache(this.loop, ({ regarding, note }, series) => {
    this.writes.push(series === null ? `${regarding.name}: ${note}` : `${regarding.name} x${series.count}`);
  });

  pass(minutes: number): void {
    this.loop.runUntil(this.loop.nowMillis() + minutes * MINUTE_MILLIS);
  }
}

describe('EventSeriesCache', () => {
  it('creates an event once, writes its second occurrence, and counts the others', () => {
    const { cache, writes } = new Rig();
    cache.occurred(event('a'));
    cache.occurred(event('b'));
    for (let i = 0; i < 5; i++) cache.occurred(event('a', `no room ${i}`));
    expect(writes).toEqual(['a: no room', 'b: no room', 'a x2']);
  });

  it('writes the last count of a series that has become silent, and forgets it', () => {
    const rig = new Rig();
    for (let i = 0; i < 4; i++) rig.cache.occurred(event('a'));
    rig.pass(13);
    expect(rig.writes).toEqual(['a: no room', 'a x2', 'a x4']);
    expect(rig.cache.size).toBe(0);
    rig.cache.occurred(event('a'));
    expect(rig.writes.at(-1)).toBe('a: no room');
  });

  it('writes the count of a series that goes on every half hour', () => {
    const rig = new Rig();
    for (let minute = 0; minute < 31; minute++) {
      rig.cache.occurred(event('a'));
      rig.pass(1);
    }
    expect(rig.writes).toEqual(['a: no room', 'a x2', 'a x30']);
  });
});
