import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { EventChannel } from '../../../src/kubelet/pleg/event-channel.ts';
import { GenericPleg } from '../../../src/kubelet/pleg/generic-pleg.ts';
import { PodCache } from '../../../src/kubelet/pleg/pod-cache.ts';
import { FakeClock } from '../../../src/lib/clock.ts';
import { FakeRuntime, type FakeRuntimePod } from '../../builders/fake-runtime.ts';

let clock: FakeClock;
let runtime: FakeRuntime;
let cache: PodCache;
let channel: EventChannel;
let pleg: GenericPleg;

function begin(capacity?: number): void {
  clock = new FakeClock(1000);
  runtime = new FakeRuntime(clock);
  cache = new PodCache((task) => task());
  channel = new EventChannel(capacity);
  pleg = new GenericPleg({ runtime, cache, channel, clock });
}

beforeEach(() => begin());

/** A second later, with these pods in the runtime: what goes into the channel. */
function relist(pods: readonly FakeRuntimePod[]): string[] {
  clock.advance(1000);
  runtime.pods = pods;
  pleg.relist();
  return taken();
}

function taken(): string[] {
  return channel.take().map(({ podUid, containerId, type }) => [podUid, containerId, type].filter(Boolean).join(' '));
}

describe('GenericPleg', () => {
  test('fetches a status only when something happened', () => {
    const pods = [{ id: 'p', containers: ['c=running'] }];
    expect(relist(pods)).toEqual(['p c ContainerStarted']);
    expect(relist(pods)).toEqual([]);
    expect(runtime.statusCalls).toEqual(['p']);
    expect(cache.get('p').status?.containerStatuses).toMatchObject([{ id: 'c', state: 'running' }]);
  });

  test('keeps events back until the status can be fetched', () => {
    relist([{ id: 'p', containers: ['c=running'] }]);
    expect(relist([{ id: 'p', containers: ['c=exited'], statusError: 'busy' }])).toEqual([]);
    expect(cache.get('p').error?.message).toBe('busy');
    expect(relist([{ id: 'p', containers: ['c=exited'] }])).toEqual(['p c ContainerDied']);
    expect(cache.get('p').error).toBeUndefined();
  });

  test('a pod that was flagged is fetched once more, and reported by PodSync', () => {
    const pods = [{ id: 'p', containers: ['c=running'] }];
    relist(pods);
    pleg.requestReinspect('p');
    expect(relist(pods)).toEqual(['p PodSync']);
    expect(relist(pods)).toEqual([]);
  });

  test('what the channel cannot take never comes again', () => {
    begin(1);
    expect(relist([{ id: 'p', containers: ['a=running', 'b=running'] }])).toEqual(['p a ContainerStarted']);
    expect(channel.discarded).toBe(1);
    expect(relist([{ id: 'p', containers: ['a=running', 'b=running'] }])).toEqual([]);
  });

  test('a pod without sandboxes keeps the address it had', () => {
    relist([{ id: 'p', containers: ['c=running'], sandboxes: ['s=running'], ips: ['10.0.0.1'] }]);
    relist([{ id: 'p', containers: ['c=exited'], sandboxes: ['s=exited'] }]);
    expect(cache.get('p').status?.ips).toEqual(['10.0.0.1']);
    relist([{ id: 'p', containers: ['c=exited'], sandboxes: ['s=exited', 't=running'] }]);
    expect(cache.get('p').status?.ips).toEqual([]);
  });

  test('only failures of the runtime are failures of a relist', () => {
    runtime.listPods = () => {
      throw new TypeError('a mistake');
    };
    expect(() => pleg.relist()).toThrow('a mistake');
  });

  test('an on-demand relist leaves other pods alone, and pods that it does not find', () => {
    relist([
      { id: 'p', containers: ['c=running'] },
      { id: 'q', containers: ['d=running'] },
    ]);
    runtime.pods = [{ id: 'q', containers: ['d=exited'] }];
    pleg.relistPod('p');
    expect(taken()).toEqual([]);
    pleg.relistPod('q');
    expect(taken()).toEqual(['q d ContainerDied']);
    expect(relist(runtime.pods)).toEqual(['p c ContainerDied', 'p c ContainerRemoved']);
  });
});

const STATES = ['running', 'exited', 'created', 'unknown'];

/** Up to three containers of the same names, so that they change rather than come and go. */
const arbitraryPod = (id: string): fc.Arbitrary<FakeRuntimePod | undefined> => {
  const containers = fc
    .array(fc.option(fc.constantFrom(...STATES)), { minLength: 3, maxLength: 3 })
    .map((states) => states.flatMap((state, i) => (state === null ? [] : [`c${i}=${state}`])));
  const pod = fc.record({ id: fc.constant(id), containers, statusError: fc.constantFrom('', '', '', 'busy') });
  return fc.option(pod, { nil: undefined });
};
const arbitraryRuntime = fc
  .tuple(arbitraryPod('p'), arbitraryPod('q'))
  .map((pods) => pods.filter((pod) => pod !== undefined));
const arbitraryStep = fc.record({
  pods: arbitraryRuntime,
  kind: fc.constantFrom('relist', 'relist', 'relist', 'list error', 'on demand', 'reinspect'),
});

/** The expected events of a container's transition, found in another way than the implementation finds them. */
const EXPECTED: Readonly<Record<string, string>> = {
  'absent>running': 'Started',
  'unknown>running': 'Started',
  'exited>running': 'Started',
  'absent>exited': 'Died',
  'unknown>exited': 'Died',
  'running>exited': 'Died',
  'exited>absent': 'Removed',
  'unknown>absent': 'Died Removed',
  'running>absent': 'Died Removed',
};

function stateOf(pod: FakeRuntimePod | undefined, container: string): string {
  const state = pod?.containers?.find((text) => text.startsWith(`${container}=`))?.split('=')[1] ?? 'absent';
  return state === 'created' ? 'unknown' : state;
}

/** A second model of the expected events: from each state whose status was fetched to the next. */
class TransitionModel {
  readonly #committed = new Map<string, FakeRuntimePod | undefined>();
  readonly expected: string[] = [];

  see(uid: string): void {
    const [before, after] = [this.#committed.get(uid), runtime.pods.find(({ id }) => id === uid)];
    if (after?.statusError) return;
    this.#committed.set(uid, after);
    for (const id of ['c0', 'c1', 'c2']) {
      const reported = EXPECTED[`${stateOf(before, id)}>${stateOf(after, id)}`] ?? '';
      for (const type of reported.split(' ').filter(Boolean)) this.expected.push(`${uid} ${id} Container${type}`);
    }
  }
}

/** Containers apart, each with its events in order. */
function byContainer(events: readonly string[]): string[] {
  const containerOf = (text: string): string => text.slice(0, 'p c0'.length);
  return events.toSorted((a, b) => (containerOf(a) < containerOf(b) ? -1 : Number(containerOf(a) > containerOf(b))));
}

describe('over any history of the runtime', () => {
  test('every transition that a status was fetched for is reported once, in order', () => {
    fc.assert(
      fc.property(fc.array(arbitraryStep, { maxLength: 15 }), (steps) => {
        begin();
        const model = new TransitionModel();
        const got: string[] = [];
        for (const { pods, kind } of steps) {
          clock.advance(1000);
          runtime.pods = pods;
          runtime.listError = kind === 'list error' ? 'down' : '';
          if (kind === 'reinspect') pleg.requestReinspect('p');
          if (kind === 'on demand') pleg.relistPod('p');
          else pleg.relist();
          const isSeen = (uid: string): boolean =>
            kind === 'on demand' ? uid === 'p' && pods.some(({ id }) => id === uid) : kind !== 'list error';
          for (const uid of ['p', 'q'].filter(isSeen)) model.see(uid);
          got.push(...taken().filter((text) => !text.endsWith('PodSync')));
        }
        expect(byContainer(got)).toEqual(byContainer(model.expected));
      }),
      { numRuns: 300 },
    );
  });

  test('the cache shows what the runtime shows, but for pods whose status cannot be fetched', () => {
    const shown = (texts: readonly string[]): string[] => texts.map((text) => text.replace('unknown', 'created'));
    fc.assert(
      fc.property(fc.array(arbitraryRuntime, { minLength: 1, maxLength: 10 }), (history) => {
        begin();
        for (const pods of history) relist(pods);
        for (const { id, containers = [], statusError } of history.at(-1) ?? []) {
          if (statusError !== '') continue;
          const { status, error } = cache.get(id);
          const cached = status?.containerStatuses.map((container) => `${container.id}=${container.state}`);
          expect([error, shown(cached ?? [])]).toEqual([undefined, shown(containers)]);
        }
      }),
    );
  });
});
