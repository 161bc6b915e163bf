import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ResourceList } from '../../../src/api/quantity.ts';
import { NodeResourcesBalancedAllocation } from '../../../src/plugins/node-resources/balanced-allocation.ts';
import { makeNodeInfo } from '../../builders/make-cluster.ts';
import { makeNode, type NodeOptions } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';
import { rawScore } from '../ask-plugin.ts';

const GPU = 'example.com/gpu';
const THREE = ['cpu', 'memory', GPU].map((name) => ({ name, weight: 1 }));

function score(options: NodeOptions, used: ResourceList, requests: ResourceList, resources = THREE.slice(0, 2)) {
  const node = makeNodeInfo(makeNode('n', options), [makePod('used', { nodeName: 'n', requests: used })]);
  return rawScore(new NodeResourcesBalancedAllocation(resources), makePod('p', { requests }), node);
}

const EVEN = { cpu: 10, memory: 10_000 };

describe('NodeResourcesBalancedAllocation', () => {
  test('75 when the pod changes no balance, more when it evens out, less when it unbalances', () => {
    expect(score(EVEN, {}, { cpu: 1, memory: 1000 })).toBe(75);
    // before: 0.4 and 0 deviate by 0.2 = 80 points; after: even = 100
    expect(score(EVEN, { cpu: 4 }, { memory: 4000 })).toBe(85);
    expect(score(EVEN, {}, { cpu: 4 })).toBe(65);
    expect(score(EVEN, { cpu: 10 }, { memory: 10_000 })).toBe(100);
    expect(score(EVEN, {}, { cpu: 10 })).toBe(50);
  });

  test('is skipped when the pod asks for none of the resources, whatever defaults say', () => {
    expect(score(EVEN, {}, {})).toBe('skipped');
    expect(score(EVEN, {}, { cpu: 0, [GPU]: 1 })).toBe('skipped');
  });

  test('a resource that the node lacks leaves the balance; one alone is always in balance', () => {
    expect(score({ cpu: 10, memory: 0 }, {}, { cpu: 9 })).toBe(75);
    expect(score({ cpu: 0, memory: 0 }, {}, { cpu: 9 })).toBe(75);
  });

  test('use beyond allocatable counts as full', () => {
    expect(score(EVEN, { cpu: 50 }, { memory: 10_000 })).toBe(100);
  });

  test('three resources: the standard deviation; an extended one only if the pod asks for it', () => {
    const node = { ...EVEN, allocatable: { [GPU]: 10 } };
    // fractions 0.3, 0, 0 deviate by 0.1414: 85 points
    expect(score(node, {}, { cpu: 3, [GPU]: 0 }, THREE)).toBe(score(node, {}, { cpu: 3 }));
    expect(score(node, { [GPU]: 3 }, { [GPU]: 0, cpu: 3 }, THREE)).toBe(score(node, {}, { cpu: 3 }));
    expect(score(node, {}, { [GPU]: 3 }, THREE)).toBe(50 + Math.trunc((50 + 85 - 100) / 2));
  });

  test('stays within 50 and 100 for two resources, so attempts never fail', () => {
    const amount = fc.integer({ min: 0, max: 20 });
    fc.assert(
      fc.property(
        fc.array(amount, { minLength: 6, maxLength: 6 }),
        ([c1 = 0, m1 = 0, c2 = 0, m2 = 0, c3 = 0, m3 = 1]) => {
          const result = score({ cpu: c1, memory: m1 }, { cpu: c2, memory: m2 }, { cpu: c3, memory: m3 + 1 });
          expect(result).toBeGreaterThanOrEqual(50);
          expect(result).toBeLessThanOrEqual(100);
        },
      ),
    );
  });
});
