import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Affinity } from '../../../src/api/pod.ts';
import { type OwnedTerm, OwnedTerms, termMarksOf } from '../../../src/engine/topology/owned-terms.ts';
import type { PodInfo } from '../../../src/framework/pod-info.ts';
import type { DomainCounter } from '../../../src/memory/domain-counter.ts';
import { termMatches } from '../../../src/plugins/inter-pod-affinity/terms.ts';
import { makePodInfo } from '../../builders/make-cluster.ts';
import { makePod } from '../../builders/make-pod.ts';

const near = (app: string, topologyKey = 'zone') => ({ topologyKey, labelSelector: { matchLabels: { app } } });
const required = (...terms: ReturnType<typeof near>[]): Affinity => ({
  podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms },
});
const away = (...terms: ReturnType<typeof near>[]): Affinity => ({
  podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms },
});
const preferred = (weight: number, app: string): Affinity => ({
  podAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight, podAffinityTerm: near(app) }] },
});
const podWith = (affinity: Affinity | undefined, namespace = 'default'): PodInfo =>
  makePodInfo(makePod('p', { namespace, spec: { affinity } }));

/** Counters are only asked for. */
function start() {
  const asked: { readonly topologyKey: string; readonly multiplicity: (pod: PodInfo) => number }[] = [];
  const totals = new Map<string, { total: number }>();
  const dropped: string[] = [];
  const terms = new OwnedTerms({
    make: (key, multiplicity, topologyKey) => {
      asked.push({ topologyKey, multiplicity });
      const pods = { total: 1 };
      totals.set(key, pods);
      return { pods } as DomainCounter;
    },
    drop: (key) => dropped.push(key),
  });
  /** The last pod with these terms leaves its node. */
  const leave = (pod: PodInfo): void => {
    for (const key of termMarksOf(pod)) (totals.get(key) ?? { total: 0 }).total = 0;
    terms.lost(pod);
  };
  const said = () => terms.list.map(({ role, weight, term }) => `${role} ${weight} ${term.topologyKey}`);
  return { terms, asked, said, dropped, leave };
}

describe('terms of pods on nodes', () => {
  test('are none of pods without affinity', () => {
    const { terms, asked } = start();
    terms.add(podWith(undefined));
    terms.add(podWith({ nodeAffinity: {} }));
    terms.add(podWith({ podAffinity: {} }));
    expect([terms.list, asked]).toEqual([[], []]);
  });

  test('are registered by role and weight, each once', () => {
    const { terms, said } = start();
    for (const affinity of [required(near('a')), away(near('a', 'rack')), preferred(5, 'a'), preferred(6, 'a')]) {
      for (const _ of [1, 2]) terms.add(podWith({ ...affinity }));
    }
    expect(said()).toEqual([
      'requiredAffinity 0 zone',
      'requiredAntiAffinity 0 rack',
      'preferredAffinity 5 zone',
      'preferredAffinity 6 zone',
    ]);
  });

  test('are others in another namespace, which they mean by default', () => {
    const { terms } = start();
    for (const namespace of ['default', 'other', 'default']) terms.add(podWith(required(near('a')), namespace));
    expect(terms.list).toHaveLength(2);
  });

  test('count a pod as often as it brings an equal term in that role', () => {
    const { terms, asked } = start();
    terms.add(podWith(required(near('a'))));
    const [counter] = asked;
    expect(counter?.topologyKey).toBe('zone');
    const times = (affinity: Affinity): number | undefined => counter?.multiplicity(podWith(affinity));
    expect(times(required(near('a'), near('b'), near('a')))).toBe(2);
    expect(times(required(near('a', 'rack')))).toBe(0);
    expect(times(away(near('a')))).toBe(0);
    expect(times(preferred(1, 'a'))).toBe(0);
  });

  test('are dropped when all pods are gone', () => {
    const { terms, said, dropped, leave } = start();
    const pods = [podWith(required(near('a'))), podWith(away(near('b')))] as const;
    for (const pod of pods) terms.add(pod);
    leave(pods[0]);
    terms.dropUnused();
    expect([terms.epoch, dropped.length, said().length]).toEqual([0, 0, 2]);
    leave(pods[1]);
    terms.dropUnused();
    expect([terms.epoch, dropped.length, said().length]).toEqual([1, 2, 0]);
    terms.add(pods[0]);
    expect(said()).toEqual(['requiredAffinity 0 zone']);
  });

  test('are dropped many at a time; those with pods stay', () => {
    const { terms, said, dropped, leave } = start();
    const pods = Array.from({ length: 100 }, (_, i) => podWith(away(near(`a${i}`))));
    for (const pod of pods) terms.add(pod);
    for (const pod of pods.slice(0, 70)) {
      leave(pod);
      terms.dropUnused();
    }
    expect([terms.epoch, dropped.length, said().length]).toEqual([1, 64, 36]);
    // A pod that comes back saves its term.
    const back = pods[80] as PodInfo;
    terms.lost(back);
    for (const pod of pods.slice(0, 64)) terms.lost(pod);
    terms.dropUnused();
    expect(said().length).toBe(30);
  });
});

describe('terms that may match a pod with some labels', () => {
  const values = fc.constantFrom('a', 'b', 'c', 'd');
  const selector = fc.oneof(
    fc.record({ matchLabels: fc.dictionary(fc.constantFrom('app', 'tier'), values, { noNullPrototype: true }) }),
    fc.record({
      matchExpressions: fc.array(
        fc.record({
          key: fc.constantFrom('app', 'tier'),
          operator: fc.constantFrom('In', 'NotIn'),
          values: fc.array(values, { minLength: 1, maxLength: 2 }),
        }),
        { maxLength: 2 },
      ),
    }),
  );

  test('are all that match it, in the order of the list', () => {
    const plan = fc.record({
      selectors: fc.array(fc.tuple(selector, fc.nat(9)), { maxLength: 60, size: 'max' }),
      labels: fc.dictionary(fc.constantFrom('app', 'tier', 'x'), values, { noNullPrototype: true }),
      position: fc.nat(70),
      isRenewed: fc.boolean(),
    });
    fc.assert(
      fc.property(plan, ({ selectors, labels, position, isRenewed }) => {
        const { terms, leave } = start();
        const pods = selectors.map(([labelSelector, i]) =>
          podWith(required({ topologyKey: `t${i}`, labelSelector } as never)),
        );
        for (const pod of pods) terms.add(pod);
        if (isRenewed) for (const pod of pods.slice(0, pods.length / 2)) leave(pod);
        if (isRenewed) terms.dropUnused();
        const pod = makePodInfo({ metadata: { name: 'other', namespace: 'default', labels } });
        const matching = ({ term }: OwnedTerm): boolean => termMatches(term, pod, undefined);
        const found = terms.from(position, labels);
        expect(found.filter(matching)).toEqual(terms.list.slice(position).filter(matching));
        expect(found.every((each) => terms.list.indexOf(each) >= position)).toBe(true);
      }),
    );
  });

  test('are found without a look at those of other pods', () => {
    const { terms } = start();
    for (let i = 0; i < 100; i++) terms.add(podWith(required(near(`app-${i}`))));
    expect(terms.from(0, { app: 'app-7', tier: 'x' }).map(({ term }) => term.key)).toEqual([terms.list[7]?.term.key]);
    expect(terms.from(8, { app: 'app-7' })).toEqual([]);
    expect(terms.from(90, { app: 'app-7' })).toHaveLength(10);
  });
});
