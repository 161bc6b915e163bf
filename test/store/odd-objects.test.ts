import { describe, expect, it } from 'vitest';
import type { Labels } from '../../src/api/meta.ts';
import type { Pod, PodSpec } from '../../src/api/pod.ts';
import { makeStore } from '../builders/make-store.ts';
import { refusal } from './refusal.ts';

const containers = [{ name: 'c', image: 'i' }];
const podOf = (name: string, labels: Labels, spec: PodSpec = { containers }): Pod => ({
  metadata: { name, labels },
  spec,
});

/** Objects that only JavaScript knows; each comes after ordinary ones that it could be taken for. */
describe('an odd object', () => {
  function afterOrdinary(pod: Pod, labels: Labels = { app: 'w' }) {
    const { store } = makeStore();
    for (const name of ['a', 'b', 'c']) store.create('pods', podOf(name, labels));
    return store.create('pods', pod);
  }

  it('has no members but its own', () => {
    const odd = podOf('odd', Object.create({ app: 'w' }));
    expect(afterOrdinary(odd).metadata?.labels).toBeUndefined();
    expect(refusal(() => afterOrdinary(podOf('odd', {}, Object.create({ containers })))).causes).toMatchObject([
      { field: 'spec.containers' },
    ]);
  });

  it('may be of a class', () => {
    class Spec {
      containers = containers;
    }
    const { store } = makeStore();
    const [first, second] = ['a', 'b'].map((name) => store.create('pods', podOf(name, {}, new Spec())).spec);
    expect(first?.containers).toMatchObject(containers);
    expect(second).toBe(first);
  });

  it('is checked as it is stored, whatever its getters say later', () => {
    let reads = 0;
    const spec = {
      containers,
      get nodeName(): string {
        return reads++ === 0 ? 'n1' : ({ evil: true } as unknown as string);
      },
    };
    for (const labels of [{ app: 'w' }, { app: 'x' }]) {
      reads = 0;
      expect(afterOrdinary(podOf('odd', labels, spec)).spec?.nodeName).toBe('n1');
      reads = 0;
      const { store } = makeStore();
      expect(store.create('pods', podOf('first', labels, spec)).spec?.nodeName).toBe('n1');
    }
  });

  it('leaves its symbols behind', () => {
    const secret = Symbol('secret');
    const labels = { app: 'w', tier: 'x', [secret]: { mutable: true } } as unknown as Labels;
    const stored = afterOrdinary(podOf('odd', labels)).metadata?.labels ?? {};
    expect(stored).toEqual({ app: 'w', tier: 'x' });
    expect(Object.getOwnPropertySymbols(stored)).toEqual([]);
  });

  it('is no map of labels when it is a moment', () => {
    const labels = Object.assign(new Date(0), { app: 'w' }) as unknown as Labels;
    expect(refusal(() => afterOrdinary(podOf('odd', labels))).causes).toMatchObject([{ field: 'metadata.labels' }]);
  });
});

it('a selector takes the values of each pod, also after a pod without that label', () => {
  const { store } = makeStore();
  const constraint = { maxSkew: 1, topologyKey: 'z', whenUnsatisfiable: 'DoNotSchedule', matchLabelKeys: ['hash'] };
  const labelSelector = { matchLabels: { app: 'x' } };
  const term = { topologyKey: 'z', labelSelector, mismatchLabelKeys: ['hash'] };
  const spec: PodSpec = {
    containers,
    topologySpreadConstraints: [{ ...constraint, labelSelector }],
    affinity: {
      podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: term }] },
    },
  };
  const selectorsOf = ({ spec: made }: Pod) => [
    made?.topologySpreadConstraints?.[0]?.labelSelector,
    made?.affinity?.podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution?.[0]?.podAffinityTerm
      .labelSelector,
  ];
  const merged = (value: string) => [
    { ...labelSelector, matchExpressions: [{ key: 'hash', operator: 'In', values: [value] }] },
    { ...labelSelector, matchExpressions: [{ key: 'hash', operator: 'NotIn', values: [value] }] },
  ];
  expect(selectorsOf(store.create('pods', podOf('p0', { app: 'x' }, spec)))).toEqual([labelSelector, labelSelector]);
  expect(selectorsOf(store.create('pods', podOf('p1', { app: 'x', hash: 'h1' }, spec)))).toEqual(merged('h1'));
  expect(selectorsOf(store.create('pods', podOf('p2', { app: 'x', hash: 'h2' }, spec)))).toEqual(merged('h2'));
});
