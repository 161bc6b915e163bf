import fc from 'fast-check';
import { expect, test } from 'vitest';
import { namedNodeOf, withoutNamedNode } from '../../src/api/named-node.ts';
import { compileRequiredNodeAffinity, type NodeSelectorTerm } from '../../src/api/node-selector.ts';
import type { PodSpec } from '../../src/api/pod.ts';

const named = (...values: readonly string[]) => [{ key: 'metadata.name', operator: 'In', values }];
const specOf = (...nodeSelectorTerms: readonly NodeSelectorTerm[]): PodSpec => ({
  affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } },
});

test.each([
  ['one term', specOf({ matchFields: named('ip-10-0-0-1.eu') }), 'ip-10-0-0-1.eu'],
  ['terms that agree', specOf({ matchFields: named('a') }, { matchFields: named('a'), matchExpressions: [] }), 'a'],
  ['no affinity', {}, null],
  ['no term', specOf(), null],
  ['terms that differ', specOf({ matchFields: named('a') }, { matchFields: named('b') }), null],
  ['a term without a name', specOf({ matchFields: named('a') }, { matchExpressions: [] }), null],
  ['two names', specOf({ matchFields: named('a', 'b') }), null],
  ['two requirements', specOf({ matchFields: [...named('a'), ...named('a')] }), null],
  ['an invalid name', specOf({ matchFields: named('a_b') }), null],
  ['a name that ends with a dot', specOf({ matchFields: named('a.') }), null],
  ['another operator', specOf({ matchFields: [{ key: 'metadata.name', operator: 'NotIn', values: ['a'] }] }), null],
  ['a member that is unknown', specOf({ matchFields: [{ ...named('a')[0], note: null } as never] }), null],
])('the named node of a spec with %s', (_, spec, expected) => {
  expect(namedNodeOf(spec)).toBe(expected);
});

const expression = fc.record({
  key: fc.constantFrom('disk', 'zone'),
  operator: fc.constantFrom('In', 'NotIn', 'Exists'),
  values: fc.constant(['ssd']),
});

test('on the named node, the spec without the name asks the same', () => {
  const term = fc.record({
    matchFields: fc.constant(named('a')),
    matchExpressions: fc.option(fc.array(expression, { maxLength: 2 }), { nil: undefined }),
  });
  const labels = fc.record(
    { disk: fc.constantFrom('ssd', 'hdd'), zone: fc.constantFrom('ssd', 'z') },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.array(term, { minLength: 1, maxLength: 3 }), labels, (terms, nodeLabels) => {
      const spec = { ...specOf(...terms), nodeSelector: { disk: 'ssd' } };
      const node = { metadata: { name: 'a', labels: nodeLabels } };
      const matches = (each: PodSpec): boolean => compileRequiredNodeAffinity(each).match(node);
      expect(namedNodeOf(spec)).toBe('a');
      expect(namedNodeOf(withoutNamedNode(spec))).toBe(null);
      expect(matches(withoutNamedNode(spec))).toBe(matches(spec));
    }),
  );
});
