import { describe, expect, test } from 'vitest';
import type { LabelSelector } from '../../../src/api/label-selector.ts';
import type { Affinity } from '../../../src/api/pod.ts';
import type { PodAffinityTerm } from '../../../src/api/pod-affinity.ts';
import { ClusterObjects } from '../../../src/framework/cluster-objects.ts';
import { PodInfo, podRequirements } from '../../../src/framework/pod-info.ts';
import {
  affinityTermsOf,
  allTermsMatch,
  NO_TERMS,
  termMatches,
  unrolledTermsOf,
} from '../../../src/plugins/inter-pod-affinity/terms.ts';
import { pod } from '../sample-cluster.ts';

const web = { app: 'web' };

function info(affinity: Affinity | undefined, namespace = 'default', labels = {}): PodInfo {
  const object = pod('p', labels, affinity && { affinity }, namespace);
  return new PodInfo(object, podRequirements(object), '');
}

const requiring = (...terms: Partial<PodAffinityTerm>[]): Affinity => ({
  podAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: terms.map((term) => ({
      topologyKey: 'zone',
      labelSelector: { matchLabels: web },
      ...term,
    })),
  },
});

function namespaces(...named: [string, Record<string, string>][]): ClusterObjects {
  const objects = new ClusterObjects();
  for (const [name, labels] of named) objects.set('Namespace', { metadata: { name, labels } });
  return objects;
}

describe('affinityTermsOf', () => {
  test('compiles once for each affinity object and namespace', () => {
    const affinity = requiring({});
    expect(affinityTermsOf(info(affinity))).toBe(affinityTermsOf(info(affinity)));
    expect(affinityTermsOf(info(affinity, 'other'))).not.toBe(affinityTermsOf(info(affinity)));
    expect([...(affinityTermsOf(info(affinity, 'other')).requiredAffinity[0]?.namespaces ?? [])]).toEqual(['other']);
  });

  test('a pod without pod affinity has no terms', () => {
    expect(affinityTermsOf(info(undefined))).toBe(NO_TERMS);
    expect(affinityTermsOf(info({ nodeAffinity: {} }))).toBe(NO_TERMS);
  });

  test('a list with a malformed selector is empty and named; the others stay', () => {
    const labelSelector: LabelSelector = { matchExpressions: [{ key: 'app', operator: 'Near' }] };
    const term = { topologyKey: 'zone', labelSelector };
    const terms = affinityTermsOf(
      info({
        ...requiring({}, { labelSelector }),
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'zone' }],
          preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: term }],
        },
      }),
    );
    expect(terms.requiredAffinity).toEqual([]);
    expect(terms.requiredAntiAffinity).toHaveLength(1);
    expect(terms.error).toBe(
      '[requiredAffinityTerms: "Near" is not a valid label selector operator, ' +
        'preferredAntiAffinityTerms: "Near" is not a valid label selector operator]',
    );
  });
});

describe('termMatches', () => {
  const first = (term: Partial<PodAffinityTerm>, namespace = 'default') => {
    const [compiled] = affinityTermsOf(info(requiring(term), namespace)).requiredAffinity;
    if (compiled === undefined) throw new Error('no term');
    return compiled;
  };
  const unrolled = (term: Partial<PodAffinityTerm>, objects: ClusterObjects) =>
    unrolledTermsOf(info(requiring(term)), objects).requiredAffinity;
  const target = (namespace: string) => info(undefined, namespace, web);

  test.each<[string, Partial<PodAffinityTerm>, string, boolean]>([
    ["its own pod's namespace by default", {}, 'default', true],
    ['no other', {}, 'a', false],
    ['those that are named', { namespaces: ['a'] }, 'a', true],
    ['not its own when others are named', { namespaces: ['a'] }, 'default', false],
    ['all by an empty selector', { namespaceSelector: {} }, 'a', true],
    [
      'those that are named or selected',
      { namespaces: ['b'], namespaceSelector: { matchLabels: { t: 'x' } } },
      'a',
      true,
    ],
    ['none without a label selector', { labelSelector: undefined }, 'default', false],
  ])('reaches %s', (_, term, namespace, expected) => {
    expect(termMatches(first(term), target(namespace), { t: 'x' })).toBe(expected);
  });

  test('an unknown namespace has no labels', () => {
    const absent: LabelSelector = { matchExpressions: [{ key: 't', operator: 'DoesNotExist' }] };
    expect(termMatches(first({ namespaceSelector: absent }), target('a'), undefined)).toBe(true);
    expect(termMatches(first({ namespaceSelector: { matchLabels: { t: 'x' } } }), target('a'), undefined)).toBe(false);
  });

  test('unrolled terms reach the namespaces that are selected now', () => {
    const objects = namespaces(['a', { t: 'x' }], ['b', { t: 'y' }]);
    const terms = unrolled({ namespaceSelector: { matchLabels: { t: 'x' } } }, objects);
    expect(['a', 'b', 'default'].map((name) => allTermsMatch(terms, target(name)))).toEqual([true, false, false]);
  });

  test('unrolled, a selector that no labels satisfy too reaches every namespace: an upstream defect', () => {
    const objects = namespaces(['a', { t: 'x' }]);
    const namespaceSelector: LabelSelector = { matchExpressions: [{ key: 't', operator: 'DoesNotExist' }] };
    const terms = unrolled({ namespaceSelector }, objects);
    expect(allTermsMatch(terms, target('a'))).toBe(true);
    expect(termMatches(first({ namespaceSelector }), target('a'), { t: 'x' })).toBe(false);
  });

  test('keys differ by all parts of a term', () => {
    const selected = { namespaceSelector: { matchLabels: { t: 'x' } } };
    const terms = [{}, { topologyKey: 'rack' }, { labelSelector: {} }, { namespaces: ['a'] }, selected].map((term) =>
      first(term),
    );
    const both = [['a', 'x'] as const, ['b', 'x'] as const].flatMap(([name, t]) =>
      unrolled(selected, namespaces([name, { t }])),
    );
    expect(new Set([...terms, ...both].map(({ key }) => key)).size).toBe(7);
    expect(first({ namespaces: ['a', 'b'] }).key).toBe(first({ namespaces: ['b', 'a'] }).key);
  });

  test('all of no terms is no match', () => {
    expect(allTermsMatch([], target('default'))).toBe(false);
  });
});
