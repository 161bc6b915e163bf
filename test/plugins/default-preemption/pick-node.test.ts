import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Candidate,
  CandidateList,
  candidateOf,
  numCandidates,
} from '../../../src/plugins/default-preemption/candidates.ts';
import { everPicked, inNodeOrder, leastHarmful } from '../../../src/plugins/default-preemption/pick-node.ts';
import { makeCluster, makePodInfo } from '../../builders/make-cluster.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';

interface Shape {
  readonly pdbViolations: number;
  /** [priority, day of January when it started] */
  readonly victims: readonly (readonly [number, number])[];
}

function candidates(shapes: readonly Shape[]): Candidate[] {
  const nodes = makeCluster(shapes.map((_, i) => makeNode(`n${i}`))).nodeInfos();
  return nodes.map((node, i) => {
    const { victims = [], pdbViolations = 0 } = shapes[i] ?? {};
    const pods = victims.map(([priority, day], j) =>
      makePodInfo(makePod(`p${j}`, { spec: { priority }, status: { startTime: `2026-01-0${day}T00:00:00Z` } })),
    );
    return candidateOf(node, pods, pdbViolations);
  });
}

const names = (picked: readonly Candidate[]): string[] => picked.map(({ node }) => node.name);
const best = (...shapes: Shape[]): string[] => names(leastHarmful(candidates(shapes)));
const victims = (...pods: (readonly [number, number])[]): Shape => ({ pdbViolations: 0, victims: pods });

describe('the least harmful candidate', () => {
  test('violates the fewest budgets, whatever else it costs', () => {
    expect(best({ pdbViolations: 1, victims: [[0, 1]] }, victims([9, 1], [9, 1], [9, 1]))).toEqual(['n1']);
  });

  test('then its most important victim is the least important', () => {
    expect(best(victims([5, 1]), victims([4, 1], [4, 1], [4, 1]))).toEqual(['n1']);
  });

  test('then the sum of priorities decides, and so fewer victims, however low their priorities', () => {
    expect(best(victims([5, 1], [3, 1]), victims([5, 1], [2, 1]))).toEqual(['n1']);
    expect(best(victims([5, 1]), victims([5, 1], [-1000, 1]))).toEqual(['n0']);
  });

  test('the number of victims decides only where more of them weigh nothing', () => {
    expect(best(victims([5, 1], [-(2 ** 31), 1]), victims([5, 1]))).toEqual(['n1']);
  });

  test('then the victims of the highest priority have started latest', () => {
    expect(best(victims([5, 2], [5, 3], [1, 1]), victims([5, 1], [5, 9], [1, 9]))).toEqual(['n0']);
  });

  test('all that are still equal are ties, counted in the order in which the nodes were learned of', () => {
    const list = candidates([victims([5, 1]), victims([6, 1]), victims([5, 1])]);
    const ties = leastHarmful(list.toReversed());
    expect([0, 1].map((rank) => inNodeOrder(ties, rank)?.node.name)).toEqual(['n0', 'n2']);
    expect(leastHarmful([])).toEqual([]);
    expect(inNodeOrder([], 0)).toBeUndefined();
  });
});

test('the arguments limit the number of candidates', () => {
  const limits = { minCandidateNodesPercentage: 10, minCandidateNodesAbsolute: 100 };
  expect([0, 5, 100, 999, 1009, 5000].map((nodes) => numCandidates(nodes, limits))).toEqual([0, 5, 100, 100, 100, 500]);
  expect(numCandidates(9, { minCandidateNodesPercentage: 10, minCandidateNodesAbsolute: 0 })).toBe(0);
});

describe('everPicked', () => {
  const shape: fc.Arbitrary<Shape> = fc.record({
    pdbViolations: fc.nat(1),
    victims: fc.array(fc.tuple(fc.nat(1), fc.constant(1)), { minLength: 1, maxLength: 2 }),
  });

  test('is what walking the nodes in every possible order can choose', () => {
    fc.assert(
      fc.property(fc.array(shape, { maxLength: 5 }), fc.nat(6), (shapes, limit) => {
        const list = candidates(shapes);
        const chosen = new Set<Candidate>();
        for (const walk of permutations(list)) {
          const found = new CandidateList(limit);
          for (const candidate of walk) if (!found.isComplete) found.add(candidate);
          for (const candidate of leastHarmful(found.all())) chosen.add(candidate);
        }
        expect(names(everPicked(list, limit))).toEqual(names(list.filter((candidate) => chosen.has(candidate))));
      }),
      { numRuns: 200 },
    );
  });

  test('is the ties where everything is looked at', () => {
    const list = candidates([victims([5, 1]), victims([6, 1]), victims([5, 1])]);
    expect(names(everPicked(list, 3))).toEqual(['n0', 'n2']);
    expect(names(everPicked(list, 1))).toEqual(['n0', 'n1', 'n2']);
    expect(names(leastHarmful(list))).toEqual(['n0', 'n2']);
  });
});

function* permutations<T>(items: readonly T[]): Iterable<readonly T[]> {
  if (items.length === 0) yield [];
  for (const [i, first] of items.entries()) {
    for (const rest of permutations(items.filter((_, other) => other !== i))) yield [first, ...rest];
  }
}
