import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Node } from '../../src/api/node.ts';
import { KnownNodes } from '../../src/caller/known-nodes.ts';
import { ObjectChecks } from '../../src/caller/object-checks.ts';
import { jsonFormOf, withoutNulls } from '../../src/lib/json-form.ts';
import { arbitraryNode, PLAIN_AMOUNTS } from '../builders/arbitrary-cluster.ts';
import { makeNode } from '../builders/make-node.ts';
import { arbitraryBadValue, spoiled } from '../core/spoil.ts';

const numRuns = Number(process.env['BERTH_RUNS'] ?? 100);

/** A bigint that nobody reads is refused in the first node only. */
const arbitraryReadable = arbitraryBadValue.filter((value) => jsonFormOf(value) !== 'with a bigint');

/** Nodes, some of which are bad, and each of which comes several times. */
const arbitraryNodes = fc.array(
  fc.record({
    node: arbitraryNode(PLAIN_AMOUNTS),
    extra: fc.constantFrom<object>({}, { podCIDR: '10.0.0.0/24' }, { taints: [{ key: 'a', effect: 'Never' }] }),
    name: fc.constantFrom<unknown>('n1', 'n-2.example.com', 'Bad_Name', '', 7, null),
    place: fc.nat(60),
    bad: arbitraryReadable,
  }),
  { minLength: 1, maxLength: 6 },
);

describe('nodes', () => {
  test.each([true, false])('are checked as if each was the first, thoroughly: %s', (isThorough) => {
    const answer = (checks: ObjectChecks, node: Node): unknown => {
      try {
        return withoutNulls(checks.checkNode(node));
      } catch (error) {
        return String(error);
      }
    };
    fc.assert(
      fc.property(arbitraryNodes, (drawn) => {
        const checks = new ObjectChecks(isThorough);
        for (const { node, extra, name, place, bad } of drawn) {
          const first = { ...node, spec: { ...node.spec, ...extra } } as Node;
          const other = { ...first, metadata: { ...first.metadata, name } } as Node;
          const valueless = spoiled(first, place, { a: undefined });
          const empty = spoiled(first, place, {});
          const spoiledOnes = [spoiled(first, place, bad), spoiled(other, place, bad), empty, valueless];
          for (const given of [first, other, ...spoiledOnes, first]) {
            expect(answer(checks, given)).toEqual(answer(new ObjectChecks(isThorough), given));
          }
        }
      }),
      { numRuns },
    );
  });

  test('that differ in their metadata alone are known', () => {
    const known = new KnownNodes();
    expect(known.has(makeNode('n1', { cpu: '4' }))).toBe(false);
    known.add(makeNode('n1', { cpu: '4' }));
    expect(known.has(makeNode('n2', { cpu: '4' }))).toBe(true);
    expect(known.has(makeNode('n2', { cpu: '5' }))).toBe(false);
  });

  test('with a member that has no value are checked, since a check may refuse it', () => {
    const withAmounts = (allocatable: object): Node => ({ ...makeNode('n'), status: { allocatable } }) as Node;
    const checks = new ObjectChecks(true);
    checks.checkNode(withAmounts({ cpu: '4' }));
    expect(checks.checkNode(withAmounts({ cpu: '4' })).status).toEqual({ allocatable: { cpu: '4' } });
    expect(() => checks.checkNode(withAmounts({ cpu: '4', a: undefined }))).toThrow(
      'Node n: status.allocatable.a: must be a quantity such as "100m" or "2Gi", not nothing',
    );
  });

  test('are not looked up any more where none is like another', () => {
    const known = new KnownNodes();
    for (let i = 0; i < 1000; i++) known.add(makeNode('n', { cpu: String(i) }));
    expect(known.has(makeNode('n', { cpu: '0' }))).toBe(false);
    const mostly = new KnownNodes();
    for (let i = 0; i < 1000; i++) {
      if (!mostly.has(makeNode('n', { cpu: String(i % 3) }))) mostly.add(makeNode('n', { cpu: String(i % 3) }));
    }
    expect(mostly.has(makeNode('n', { cpu: '0' }))).toBe(true);
  });
});
