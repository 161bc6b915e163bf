import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { labelReadsOf } from '../../src/api/label-reads.ts';
import { compilePreferredNodeAffinity, compileRequiredNodeAffinity } from '../../src/api/node-selector.ts';

const KEYS = ['a', 'b', 'constructor'];
const value = fc.constantFrom('', 'x', 'y', '1', '2', '30');
const requirement = fc.record({
  key: fc.constantFrom(...KEYS),
  operator: fc.constantFrom('In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt', 'Near'),
  values: fc.option(fc.array(value, { maxLength: 2 }), { nil: undefined }),
});
const term = fc.record({ matchExpressions: fc.array(requirement, { maxLength: 2 }) });
const labels = fc.dictionary(fc.constantFrom(...KEYS), value, { noNullPrototype: true });

describe('what selectors read of labels', () => {
  test('nodes that are alike in it are selected and preferred alike', () => {
    const plan = fc.record({
      nodeSelector: fc.option(labels, { nil: undefined }),
      terms: fc.array(term, { maxLength: 3 }),
      nodes: fc.array(labels, { minLength: 2, maxLength: 12 }),
    });
    fc.assert(
      fc.property(plan, ({ nodeSelector, terms, nodes }) => {
        const reads = labelReadsOf(nodeSelector, terms);
        const required = compileRequiredNodeAffinity({
          ...(nodeSelector && { nodeSelector }),
          affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } } },
        });
        const preferred = compilePreferredNodeAffinity(terms.map((preference) => ({ weight: 7, preference })));
        const answers = new Map<string, string>();
        for (const [i, own] of nodes.entries()) {
          const node = { metadata: { name: `n${i}`, labels: own } };
          const look = (reads?.keys ?? []).map((key) => {
            const found = Object.hasOwn(own, key) ? (own[key] as string) : null;
            const isTold = found === null || (reads?.values.get(key)?.includes(found) ?? true);
            return isTold ? found : 7;
          });
          const answer = JSON.stringify([required.match(node), 'error' in preferred || preferred.score(node)]);
          const before = answers.get(JSON.stringify(look)) ?? answer;
          expect(answer).toBe(before);
          answers.set(JSON.stringify(look), answer);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('are not labels alone where a term reads the name of the node', () => {
    const matchFields = [{ key: 'metadata.name', operator: 'In', values: ['n'] }];
    expect(labelReadsOf({ a: 'x' }, [{ matchFields }])).toBeNull();
    expect(labelReadsOf({ a: 'x' }, [])).toEqual({ keys: ['a'], values: new Map([['a', ['x']]]) });
  });
});
