import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Pod, PodStatus } from '../../src/api/pod.ts';
import { FakeClock } from '../../src/lib/clock.ts';
import { deepFrozen } from '../../src/lib/deep-frozen.ts';
import { runAtOnce } from '../../src/lib/maybe-promise.ts';
import { Prng } from '../../src/lib/prng.ts';
import type { StatusChange } from '../../src/scheduler/status-change.ts';
import { patchPodStatus } from '../../src/scheduler/status-patch.ts';
import { storeApi } from '../../src/scheduler/store-api.ts';
import { RandomNames } from '../../src/store/objects/names.ts';
import type { Patch } from '../../src/store/objects/store-client.ts';
import { Store } from '../../src/store/store.ts';
import { makePod } from '../builders/make-pod.ts';

const PODS = ['a', 'b', 'c'];
/** A pod that came from a manifest: it has no status yet. */
const BARE = 'bare';
const word = fc.constantFrom('x', 'y');
const condition = fc.record(
  {
    type: fc.constantFrom('PodScheduled', 'DisruptionTarget'),
    status: fc.constantFrom('True', 'False'),
    reason: word,
    message: word,
  },
  { requiredKeys: ['type', 'status'] },
);
const change: fc.Arbitrary<StatusChange> = fc.record(
  { condition, nominatedNodeName: fc.constantFrom('', 'n', 'm') },
  { requiredKeys: [] },
);
/** What others write: conditions with members of their own, and states of containers. */
const others: fc.Arbitrary<PodStatus> = fc.record(
  {
    phase: fc.constantFrom('Pending', 'Running'),
    nominatedNodeName: word,
    conditions: fc.uniqueArray(
      fc.record(
        {
          type: fc.constantFrom('PodScheduled', 'Ready', 'DisruptionTarget'),
          status: fc.constantFrom('True', 'False'),
          lastTransitionTime: fc.constant('2020-01-01T00:00:00Z'),
          observedGeneration: fc.constantFrom(1, 7),
          lastProbeTime: fc.constantFrom('2020-01-01T00:00:00Z', null),
        },
        { requiredKeys: ['type', 'status'] },
      ),
      { selector: ({ type }) => type },
    ),
    containerStatuses: fc.constantFrom(
      [{ name: 'c', ready: false, restartCount: 0, image: 'i', imageID: '', state: { terminated: { exitCode: 1 } } }],
      [{ name: 'c', ready: true, restartCount: 0, image: 'i', imageID: '', state: { running: {} } }],
    ) as unknown as fc.Arbitrary<PodStatus['containerStatuses']>,
  },
  { requiredKeys: [] },
);
const step = fc.record({
  pod: fc.constantFrom(...PODS, BARE),
  millis: fc.constantFrom(0, 0, 700),
  // Changes of the scheduler mostly follow each other; a pod is written by others in between, or after it was read.
  act: fc.oneof(
    { weight: 4, arbitrary: change.map((change) => ({ change, isLate: false })) },
    { weight: 1, arbitrary: change.map((change) => ({ change, isLate: true })) },
    { weight: 2, arbitrary: others.map((status) => ({ status })) },
  ),
});

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function bareIn(store: Store): Pod {
  const { metadata, spec } = makePod(BARE);
  const pod = deepFrozen({
    ...{ apiVersion: 'v1', kind: 'Pod' },
    metadata: { ...metadata, namespace: 'default', uid: BARE, resourceVersion: store.ledger.nextVersion },
    spec,
  });
  store.ledger.insert('pods', pod);
  return pod;
}

/** A store with the pods, to which patches go as they are, or without their outcomes. */
class Side {
  readonly store: Store;
  readonly #clock = new FakeClock(Date.UTC(2026, 0, 1));
  readonly #read = new Map<string, Pod>();

  constructor(takesOutcomes: boolean) {
    const store = new Store({ clock: this.#clock, names: new RandomNames(new Prng(1)) });
    this.store = store;
    for (const name of PODS) this.#read.set(name, store.create('pods', makePod(name)));
    this.#read.set(BARE, bareIn(store));
    if (takesOutcomes) return;
    const patch = store.patch.bind(store);
    store.patch = (resource, namespace, name, { type, body }: Patch, subresource) =>
      patch(resource, namespace, name, { type, body }, subresource);
  }

  /** Returns what came of the step; refusals are texts. */
  take({ pod: name, millis, act }: Step): unknown {
    this.#clock.advance(millis);
    const stored = this.store.get('pods', 'default', name);
    try {
      if ('status' in act) return this.store.updateStatus('pods', { ...stored, status: act.status });
      const known = act.isLate ? (this.#read.get(name) as Pod) : stored;
      this.#read.set(name, stored);
      const isCalled = runAtOnce(patchPodStatus(storeApi(this.store), known, act.change, this.#clock.nowMillis()));
      return [isCalled, this.store.get('pods', 'default', name)];
    } catch (error) {
      return String(error);
    }
  }
}

describe('the outcome of a patch', () => {
  it('is what the store makes of the patch itself', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const [given, without] = [new Side(true), new Side(false)];
        for (const each of steps) expect(given.take(each)).toStrictEqual(without.take(each));
        expect(given.store.list('pods')).toStrictEqual(without.store.list('pods'));
      }),
      { numRuns: 80 },
    );
  });

  it('is shared by pods with one status, and their conditions by pods that differ in their nominations', () => {
    const { store } = new Side(true);
    const api = storeApi(store);
    const REJECTED = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: 'no room' };
    const statusOf = (name: string, nominatedNodeName: string): PodStatus | undefined => {
      const pod = store.get('pods', 'default', name);
      runAtOnce(patchPodStatus(api, pod, { condition: REJECTED, nominatedNodeName }, 0));
      return store.get('pods', 'default', name).status;
    };
    const [a, b, c] = [statusOf('a', 'n'), statusOf('b', 'n'), statusOf('c', 'm')];
    expect(a).toBe(b);
    expect([a === c, a?.conditions === c?.conditions, c?.nominatedNodeName]).toEqual([false, true, 'm']);
  });
});
