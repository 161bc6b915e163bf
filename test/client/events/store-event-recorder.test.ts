import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Event } from '../../../src/api/event.ts';
import { nanosInHex, StoreEventRecorder } from '../../../src/client/events/store-event-recorder.ts';
import { VirtualEventLoop } from '../../../src/lib/event-loop.ts';
import { Prng } from '../../../src/lib/prng.ts';
import { ApiError, alreadyExists, notFound } from '../../../src/store/objects/api-error.ts';
import { RandomNames } from '../../../src/store/objects/names.ts';
import type { Patch, StoreClient } from '../../../src/store/objects/store-client.ts';
import { Store } from '../../../src/store/store.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';

const JOB = {
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { namespace: 'default', name: 'pi', uid: 'uid-pi', resourceVersion: '7' },
};

let loop: VirtualEventLoop;
let recorder: StoreEventRecorder;
let events: Map<string, Event>;
let calls: string[];
let reports: string[];
/** Thrown by the next calls, one each. */
let errors: unknown[];

const client = {
  create(_: string, event: Event): Event {
    const { namespace, name } = event.metadata ?? {};
    enter(`create ${event.count}`);
    if (events.has(`${namespace}/${name}`)) throw alreadyExists('events', `${name}`);
    events.set(`${namespace}/${name}`, event);
    return event;
  },
  patch(_: string, namespace: string, name: string, { body }: Patch): Event {
    enter(`patch ${(body as Event).count}`);
    const event = events.get(`${namespace}/${name}`);
    if (event === undefined) throw notFound('events', name);
    const patched = { ...event, ...(body as Event) };
    events.set(`${namespace}/${name}`, patched);
    return patched;
  },
} as unknown as StoreClient;

function enter(call: string): void {
  calls.push(call);
  if (errors.length > 0) throw errors.shift();
}

beforeEach(() => {
  loop = new VirtualEventLoop(Date.UTC(2026, 0, 1));
  [events, calls, reports, errors] = [new Map(), [], [], []];
  const reportError = (error: unknown, activity: string): unknown => reports.push(`${activity}: ${error}`);
  recorder = new StoreEventRecorder('job-controller', { client, loop, prng: new Prng(1), reportError });
});

describe('StoreEventRecorder', () => {
  it('writes an event about the object, in a later task', () => {
    recorder.event(JOB, 'Normal', 'SuccessfulCreate', 'Created pod: pi-1');
    expect(calls).toEqual([]);
    loop.runUntilIdle();
    const [[key, event] = []] = events;
    // The name is the time in nanoseconds, of which the last six decimals are drawn.
    expect(key).toMatch(/^default\/pi\.18867[0-9a-f]{11}$/);
    expect(event).toEqual({
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: key?.split('/')[1], namespace: 'default' },
      involvedObject: { apiVersion: 'batch/v1', kind: 'Job', ...JOB.metadata },
      type: 'Normal',
      reason: 'SuccessfulCreate',
      message: 'Created pod: pi-1',
      source: { component: 'job-controller' },
      reportingComponent: 'job-controller',
      firstTimestamp: '2026-01-01T00:00:00Z',
      lastTimestamp: '2026-01-01T00:00:00Z',
      count: 1,
    });
  });

  it('counts on the same event', () => {
    for (let i = 0; i < 3; i++) {
      recorder.event(JOB, 'Warning', 'FailedCreate', 'no quota');
      loop.runUntil(loop.nowMillis() + 1000);
    }
    expect(calls).toEqual(['create 1', 'patch 2', 'patch 3']);
    expect([...events.values()]).toMatchObject([
      { count: 3, firstTimestamp: '2026-01-01T00:00:00Z', lastTimestamp: '2026-01-01T00:00:02Z' },
    ]);
  });

  it('makes one event of many similar ones, which shows the last', () => {
    for (let i = 0; i < 15; i++) recorder.event(JOB, 'Normal', 'SuccessfulCreate', `Created pod: pi-${i}`);
    loop.runUntilIdle();
    expect(events.size).toBe(10);
    const message = '(combined from similar events): Created pod: pi-14';
    expect([...events.values()].at(-1)).toMatchObject({ count: 6, message });
  });

  it('puts events about objects without namespace into default', () => {
    recorder.event({ kind: 'Node', metadata: { name: 'n1' } }, 'Normal', 'NodeReady', 'ready');
    loop.runUntilIdle();
    expect([...events.keys()][0]).toMatch(/^default\/n1\./);
  });

  it('is understood by the store', () => {
    const store = new Store({ clock: loop, names: new RandomNames(new Prng(2)) });
    const modules = {
      client: store,
      loop,
      prng: new Prng(1),
      reportError: (error: unknown) => reports.push(`${error}`),
    };
    const onStore = new StoreEventRecorder('kubelet', modules);
    const pod = store.create('pods', makePod('web'));
    const node = store.create('nodes', makeNode('n1'));
    for (let i = 0; i < 2; i++) {
      onStore.event(pod, 'Warning', 'BackOff', 'Back-off restarting failed container');
      onStore.event(node, 'Normal', 'NodeReady', 'Node n1 is ready');
    }
    loop.runUntilIdle();
    expect(reports).toEqual([]);
    expect(store.list('events', { fieldSelector: 'involvedObject.kind=Pod' }).items).toMatchObject([
      { metadata: { namespace: 'default' }, involvedObject: { apiVersion: 'v1', name: 'web' }, count: 2 },
    ]);
    expect(store.list('events', { fieldSelector: 'involvedObject.name=n1,type=Normal' }).items).toMatchObject([
      { metadata: { namespace: 'default' }, involvedObject: { apiVersion: 'v1', kind: 'Node' }, count: 2 },
    ]);
  });

  it('goes on counting when the event was cleaned up', () => {
    recorder.event(JOB, 'Normal', 'Suspended', 'Job suspended');
    loop.runUntilIdle();
    events.clear();
    recorder.event(JOB, 'Normal', 'Suspended', 'Job suspended');
    loop.runUntilIdle();
    expect(calls).toEqual(['create 1', 'patch 2', 'create 2']);
    expect(events.size).toBe(1);
  });

  it('tries again what got no answer, others behind it, at most twelve times', () => {
    const start = loop.nowMillis();
    for (let i = 0; i < 2; i++) errors.push(new ApiError('Timeout', 'busy'), new Error('no route'));
    recorder.event(JOB, 'Normal', 'First', 'first');
    recorder.event(JOB, 'Normal', 'Second', 'second');
    loop.runUntilIdle();
    expect([...events.values()].map(({ reason }) => reason)).toEqual(['First', 'Second']);
    expect([calls.length, reports]).toEqual([6, []]);
    expect(loop.nowMillis() - start).toBeGreaterThanOrEqual(30_000);
    expect(loop.nowMillis() - start).toBeLessThan(40_000);

    for (let i = 0; i < 12; i++) errors.push(new Error('no route'));
    recorder.event(JOB, 'Normal', 'Third', 'third');
    recorder.event(JOB, 'Normal', 'Fourth', 'fourth');
    loop.runUntilIdle();
    expect(reports).toEqual(['record Third event: Error: no route']);
    expect([...events.values()].map(({ reason }) => reason)).toEqual(['First', 'Second', 'Fourth']);
  });

  it('reports and drops what is refused, unless the namespace is going away', () => {
    const terminating = [{ reason: 'NamespaceTerminating', message: 'being terminated' }];
    errors.push(new ApiError('Invalid', 'too long'), new ApiError('Forbidden', 'no', terminating));
    recorder.event(JOB, 'Normal', 'First', 'first');
    recorder.event(JOB, 'Normal', 'Second', 'second');
    recorder.event(JOB, 'Normal', 'Third', 'third');
    loop.runUntilIdle();
    expect(reports).toEqual(['record First event: BerthError: too long']);
    expect([...events.values()].map(({ reason }) => reason)).toEqual(['Third']);
  });

  it('takes another name when one is in use, and gives up when all are', () => {
    const inUse = alreadyExists('events', 'pi.1');
    errors.push(inUse);
    recorder.event(JOB, 'Normal', 'First', 'first');
    loop.runUntilIdle();
    expect([calls, events.size]).toEqual([['create 1', 'create 1'], 1]);
    for (let i = 0; i < 12; i++) errors.push(inUse);
    recorder.event(JOB, 'Normal', 'Second', 'second');
    loop.runUntilIdle();
    expect([events.size, reports.length]).toEqual([1, 1]);
  });

  it('gives an event a name of its own where that of the object is too long or none', () => {
    for (const name of ['a'.repeat(250), 'Upper']) {
      recorder.event({ ...JOB, metadata: { ...JOB.metadata, name } }, 'Normal', 'First', 'first');
    }
    loop.runUntilIdle();
    const uuid = /^default\/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
    expect([...events.keys()]).toEqual([expect.stringMatching(uuid), expect.stringMatching(uuid)]);
    expect(new Set(events.keys()).size).toBe(2);
  });

  it('drops what comes while a thousand wait', () => {
    for (let i = 0; i < 1010; i++) {
      recorder.event(
        { ...JOB, metadata: { ...JOB.metadata, name: `job-${i}` } },
        'Normal',
        'Completed',
        'Job completed',
      );
    }
    loop.runUntilIdle();
    expect(events.size).toBe(1000);
    recorder.event(JOB, 'Normal', 'Completed', 'Job completed');
    loop.runUntilIdle();
    expect(events.size).toBe(1001);
  });
});

it('writes nanoseconds as an integer without limits would be written', () => {
  const millis = fc.oneof(fc.nat(3), fc.integer({ min: 0, max: 8_640_000_000_000 }));
  fc.assert(
    fc.property(millis, fc.nat(999_999), (time, nanos) => {
      expect(nanosInHex(time, nanos)).toBe((BigInt(time) * 1_000_000n + BigInt(nanos)).toString(16));
    }),
  );
});
