import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NodeSampling } from '../../../src/framework/tracing/node-sampling.ts';

/** The weights of the nodes that are chosen, by their position in a loop over `nodeCount`. */
function chosen(sampling: NodeSampling, nodeCount: number): Map<number, number> {
  const weights = new Map<number, number>();
  sampling.restart();
  for (let node = 0; node < nodeCount; node++) if (sampling.choose()) weights.set(node, sampling.weight);
  return weights;
}

describe('NodeSampling', () => {
  it('chooses the first four nodes, then one of two, then one of four', () => {
    const weights = chosen(new NodeSampling(), 4 + 8 + 16);
    expect([...weights.values()]).toEqual([1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4]);
    const blocks = [...weights.keys()].map((node) =>
      node < 4 ? node : node < 12 ? (node - 4) >> 1 : (node - 12) >> 2,
    );
    expect(blocks).toEqual([0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3]);
  });

  it('lets those that it chooses stand for all, however many there are', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000 }), (nodeCount) => {
        const weights = [...chosen(new NodeSampling(), nodeCount).values()];
        const total = weights.reduce((sum, weight) => sum + weight, 0);
        // The last block may have begun, and its node may have been chosen or not.
        expect(Math.abs(total - nodeCount)).toBeLessThan((weights.at(-1) as number) * 2);
        expect(weights.length).toBeLessThanOrEqual(4 * Math.ceil(Math.log2(nodeCount / 4 + 1)) + 4);
      }),
    );
  });

  it('gives every node its turn', () => {
    const sampling = new NodeSampling();
    const seen = new Set<number>();
    for (let loop = 0; loop < 200; loop++) for (const node of chosen(sampling, 60).keys()) seen.add(node);
    expect(seen.size).toBe(60);
  });
});
