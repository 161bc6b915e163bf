import { describe, expect, test } from 'vitest';
import { CountedColumnSets } from '../../../src/engine/index/counted-columns.ts';
import { ClusterState } from '../../../src/framework/cluster/cluster-state.ts';
import type { CountedResources } from '../../../src/framework/column-forms.ts';
import { podRequirements } from '../../../src/framework/pod-info.ts';
import { NodeColumns } from '../../../src/memory/node-columns.ts';
import { SharedMemory } from '../../../src/memory/shared-memory.ts';
import { makeNode } from '../../builders/make-node.ts';

const GPU = 'example.com/gpu';

/** Counts by the names of nodes, which are followed one by one. */
class Counts implements CountedResources {
  version = 1;
  readonly byNode = new Map<string, { allocatable: number; requested: number }>();
  readonly #names: string[] = [];
  asked = 0;

  backs(): boolean {
    return true;
  }

  countOn(_resource: string, { name }: { readonly name: string }) {
    this.asked++;
    return this.byNode.get(name) ?? null;
  }

  get end(): number {
    return this.#names.length;
  }

  changedSince(cursor: number): readonly string[] {
    return this.#names.slice(cursor);
  }

  set(name: string, allocatable: number, requested: number): void {
    this.byNode.set(name, { allocatable, requested });
    this.#names.push(name);
  }
}

function start() {
  const cluster = new ClusterState(podRequirements);
  const touched: number[] = [];
  const columns = new NodeColumns(new SharedMemory());
  const counts = new Counts();
  const sets = new CountedColumnSets({ columns, cluster, touch: (slot) => touched.push(slot) });
  const counted = sets.of(GPU, counts);
  cluster.addNode(makeNode('a', { allocatable: { cpu: 4, [GPU]: 3 } }));
  cluster.addNode(makeNode('b'));
  counts.set('b', 8, 2);
  counted.sync();
  const amounts = () => [0, 1].map((slot) => [counted.allocatable.values[slot], counted.requested.values[slot]]);
  return { cluster, touched, counts, sets, counted, amounts };
}

describe('counted columns', () => {
  test('have what is counted, and the amounts of nodes where nothing is', () => {
    const { amounts, touched } = start();
    expect(amounts()).toEqual([
      [3, 0],
      [8, 2],
    ]);
    expect(touched).toEqual([0, 1]);
  });

  test('count again only on nodes that have changed, and note those with other amounts', () => {
    const { cluster, touched, counts, counted, amounts } = start();
    const { asked } = counts;
    counted.sync();
    expect(counts.asked).toBe(asked);
    counts.set('b', 8, 3);
    cluster.updateNode(makeNode('a', { allocatable: { cpu: 8, [GPU]: 3 } }));
    counted.sync();
    expect(counts.asked).toBe(asked + 2);
    expect(amounts()[1]).toEqual([8, 3]);
    expect(touched).toEqual([0, 1, 1]);
  });

  test('count everywhere when resources are counted in another way', () => {
    const { counts, counted, amounts } = start();
    counts.byNode.clear();
    counts.version++;
    counted.sync();
    expect(amounts()).toEqual([
      [3, 0],
      [0, 0],
    ]);
  });

  test('are shared by all who count a resource', () => {
    const { sets, counts, counted } = start();
    expect(sets.of(GPU, counts)).toBe(counted);
  });
});
