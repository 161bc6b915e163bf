import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PodSpec } from '../../../src/api/pod.ts';
import { VirtualEventLoop } from '../../../src/lib/event-loop.ts';
import { Prng } from '../../../src/lib/prng.ts';
import { frozenCopy } from '../../../src/store/objects/frozen-copy.ts';
import { RandomNames } from '../../../src/store/objects/names.ts';
import { Store } from '../../../src/store/store.ts';

const newStore = (): Store => new Store({ clock: new VirtualEventLoop(), names: new RandomNames(new Prng(1)) });

/** More templates than are compared one after the other, some of which differ in nothing but rare members. */
const drawnSpec: fc.Arbitrary<PodSpec> = fc.record(
  {
    containers: fc.array(
      fc.record(
        {
          name: fc.constantFrom('a', 'b'),
          image: fc.constantFrom('i:1', 'i:2'),
          resources: fc.record({ requests: fc.record({ cpu: fc.constantFrom('1', '2', 3) }, { requiredKeys: [] }) }),
        },
        { requiredKeys: ['name', 'image'] },
      ),
      { minLength: 1, maxLength: 1 },
    ),
    nodeSelector: fc.record({ zone: fc.constantFrom('x', 'y') }),
    priority: fc.constant(0),
    hostname: fc.constantFrom('h', 'k'),
    nodeName: fc.constant('n'),
    volumes: fc.array(fc.record({ name: fc.constantFrom('v', 'w'), emptyDir: fc.constant({}) }), { maxLength: 1 }),
    restartPolicy: fc.constantFrom('Never', 'Always'),
  },
  { requiredKeys: ['containers'] },
);

describe('PodSpecs', () => {
  test('prepare a spec that is remembered as one that is new', () => {
    fc.assert(
      fc.property(fc.array(drawnSpec, { minLength: 10, maxLength: 40 }), (specs) => {
        const store = newStore();
        for (const [i, spec] of [...specs, ...specs].entries()) {
          const given = { metadata: { name: `p${i}`, namespace: 'default' }, spec };
          const [pod, other] = [store.create('pods', given), newStore().create('pods', given)];
          expect(JSON.stringify([pod.spec, pod.status])).toBe(JSON.stringify([other.spec, other.status]));
        }
      }),
      { numRuns: 30 },
    );
  });

  test('prepare a frozen spec that comes again as one that is new', () => {
    const frozen = fc.array(
      drawnSpec.map((spec) => frozenCopy(spec)),
      { minLength: 1, maxLength: 8 },
    );
    fc.assert(
      fc.property(frozen, fc.array(fc.nat(7), { minLength: 10, maxLength: 40 }), (specs, order) => {
        const store = newStore();
        for (const [i, place] of order.entries()) {
          const given = {
            metadata: { name: `p${i}`, namespace: 'default' },
            spec: specs[place % specs.length] as PodSpec,
          };
          const [pod, other] = [store.create('pods', given), newStore().create('pods', given)];
          expect(JSON.stringify([pod.spec, pod.status])).toBe(JSON.stringify([other.spec, other.status]));
        }
      }),
      { numRuns: 50 },
    );
  });

  test('read a spec again that can still be changed', () => {
    const requests = { cpu: '1' };
    const spec: PodSpec = Object.freeze({
      containers: Object.freeze([{ name: 'main', image: 'i', resources: { requests } }]),
    });
    const store = newStore();
    const cpuOf = (name: string) =>
      store.create('pods', { metadata: { name, namespace: 'default' }, spec }).spec?.containers?.[0]?.resources
        ?.requests;
    expect([cpuOf('a'), cpuOf('b'), cpuOf('c')]).toEqual([{ cpu: '1' }, { cpu: '1' }, { cpu: '1' }]);
    requests.cpu = '2';
    expect(cpuOf('d')).toEqual({ cpu: '2' });
  });

  test('share the specs of many templates', () => {
    const store = newStore();
    const specOf = (i: number): PodSpec => ({
      containers: [{ name: 'main', image: 'i', resources: { requests: { cpu: `${i + 1}` } } }],
    });
    const create = (round: number, i: number) =>
      store.create('pods', { metadata: { name: `p${round}-${i}`, namespace: 'default' }, spec: specOf(i) });
    const first = Array.from({ length: 100 }, (_, i) => create(0, i).spec);
    for (let i = 0; i < 100; i++) expect(create(1, i).spec).toBe(first[i]);
  });
});
