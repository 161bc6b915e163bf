import { describe, expect, test } from 'vitest';
import { ColumnCycle } from '../../../src/engine/columns/column-cycle.ts';
import { KeptRows } from '../../../src/engine/columns/kept-rows.ts';
import type { FilterPlugin, Plugin, PreFilterPlugin, ScorePlugin } from '../../../src/framework/plugin.ts';
import { PodInfo } from '../../../src/framework/pod-info.ts';
import { unresolvable, unschedulable } from '../../../src/framework/status.ts';
import type { Pod } from '../../../src/index.ts';
import { NodeResourcesFit } from '../../../src/plugins/node-resources/fit.ts';
import { EngineColumns } from '../../builders/engine-columns.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';

const door: FilterPlugin = {
  ...{ name: 'Door', filterReads: 'node' },
  filter: (_state, _pod, { node }) => (node.metadata?.labels?.['door'] ? unschedulable('Door', 'shut') : null),
};
const stars: ScorePlugin = {
  ...{ name: 'Stars', scoreReads: 'node' },
  score: (_state, _pod, { node }) => Number(node.metadata?.labels?.['stars'] ?? 0),
};
const only = (...names: string[]): PreFilterPlugin => ({
  ...{ name: 'Only', dependsOn: () => null },
  preFilter: () => ({ nodeNames: new Set(names) }),
});
const fit = new NodeResourcesFit();
/** Resources score nothing, so that totals are stars. */
const PLUGINS: readonly Plugin[] = [door, fit, stars];
const weights = new Map([[fit.name, 0]]);
const everything = { start: 0, wanted: 100 };

/** One letter a node: `o` open, `s` shut, `f` full (1 cpu), a digit for an open node with so many stars. */
class CycleWorld {
  readonly columns: EngineColumns;
  readonly cycle: ColumnCycle;

  constructor(nodes: string, plugins = PLUGINS) {
    this.columns = new EngineColumns({ plugins, weights });
    this.columns.add(...[...nodes].map((each, i) => this.node(`n${i}`, each)));
    this.cycle = new ColumnCycle(this.columns);
  }

  node(name: string, letter: string) {
    const labels: Record<string, string> = letter === 's' ? { door: 'shut' } : { stars: `${Number(letter) || 0}` };
    return makeNode(name, { labels, cpu: letter === 'f' ? 1 : 4 });
  }

  kept(): KeptRows {
    const { columns, cluster, resourceKernels } = this.columns;
    return new KeptRows({ table: columns.table, changes: cluster.changes, resourceKernels }, [fit.name]);
  }

  begin(nominatedNodeName = '', kept: KeptRows | null = null, pod: Pod = makePod('p', { requests: { cpu: 2 } })) {
    const signature = this.columns.signatureOf(pod);
    const { requirements } = signature.pod;
    this.cycle.begin(signature, new PodInfo(pod, requirements, '', nominatedNodeName), null, kept);
    return this.cycle;
  }

  get found(): string[] {
    return this.cycle.feasibleNodes().map(({ name }) => name);
  }

  get rejected(): string[] {
    return [...this.cycle.rejections()].map(([{ name }, { reasons }]) => `${name} ${reasons}`);
  }
}

describe('a search', () => {
  test('of an empty cluster finds nothing', () => {
    const world = new CycleWorld('');
    const cycle = world.begin();
    expect([cycle.filter(everything), cycle.processed, world.found, world.rejected]).toEqual([0, 0, [], []]);
  });

  test('names for each node the plugin that comes first in filter order', () => {
    const world = new CycleWorld('osf');
    const both = makeNode('both', { labels: { door: 'shut' }, cpu: 1 });
    world.columns.add(both);
    const cycle = world.begin();
    expect([cycle.filter(everything), cycle.processed, world.found]).toEqual([1, 4, ['n0']]);
    expect(world.rejected).toEqual(['n1 shut', 'n2 Insufficient cpu', 'both shut']);
    expect([...cycle.reasonCounts()]).toEqual([
      ['shut', 2],
      ['Insufficient cpu', 1],
    ]);
  });

  test('begins where its window does, and ends at one feasible node more than are wanted', () => {
    const world = new CycleWorld('oosoo');
    const cycle = world.begin();
    expect([cycle.filter({ start: 3, wanted: 2 }), world.found, cycle.processed]).toEqual([2, ['n3', 'n4'], 2]);
    expect(world.rejected).toEqual([]);
    world.begin();
    expect([cycle.filter({ start: 2, wanted: 2 }), world.found, cycle.processed]).toEqual([2, ['n3', 'n4'], 3]);
    expect(world.rejected).toEqual(['n2 shut']);
  });

  test('leaves kept rows as they are: the next attempt sees every node', () => {
    const world = new CycleWorld('oosf');
    const kept = world.kept();
    expect(world.begin('', kept).filter({ start: 1, wanted: 1 })).toBe(1);
    expect(world.found).toEqual(['n1']);
    expect(world.begin('', kept).filter(everything)).toBe(2);
    expect(world.found).toEqual(['n0', 'n1']);
  });

  test('finds the node that came to the slot of another', () => {
    const world = new CycleWorld('oso');
    world.begin().filter(everything);
    world.columns.cluster.removeNode('n0');
    world.columns.add(world.node('late', 's'));
    const cycle = world.begin();
    expect([cycle.filter(everything), world.found]).toEqual([1, ['n2']]);
    expect(cycle.nodeStatuses().statusOf('late')).toEqual(unschedulable('Door', 'shut'));
  });
});

describe('what PreFilter leaves', () => {
  test('other nodes are rejected, and not counted as dealt with', () => {
    const world = new CycleWorld('ooo', [only('n1', 'gone'), ...PLUGINS]);
    const cycle = world.begin();
    expect([cycle.rejected, cycle.limitedBy]).toEqual([null, ['Only']]);
    expect([cycle.filter(everything), world.found, cycle.processed]).toEqual([1, ['n1'], 1]);
    expect(world.rejected).toEqual(['n0', 'n2'].map((name) => `${name} node(s) didn't satisfy plugin(s) [Only]`));
  });

  test('a rejection of all nodes is the status of each', () => {
    const no = unresolvable('No', 'never');
    const plugin: PreFilterPlugin = { name: 'No', dependsOn: () => null, preFilter: () => no };
    const cycle = new CycleWorld('oo', [plugin, ...PLUGINS]).begin();
    expect(cycle.rejected).toBe(no);
    expect([...cycle.nodeStatuses().distinct()]).toEqual([no]);
  });
});

describe('the node that is nominated for the pod', () => {
  test('is taken if it will do, and no other is looked at', () => {
    const world = new CycleWorld('ooo');
    const cycle = world.begin('n1');
    expect([cycle.filter(everything), world.found, cycle.processed, world.rejected]).toEqual([1, ['n1'], 0, []]);
  });

  test('counts as dealt with when it was rejected, even where the search did not come', () => {
    const world = new CycleWorld('ooof');
    const cycle = world.begin('n3');
    expect([cycle.filter({ start: 0, wanted: 1 }), cycle.processed]).toEqual([1, 2]);
    expect(world.rejected).toEqual(['n3 Insufficient cpu']);
  });

  test('may be one that is not known', () => {
    const world = new CycleWorld('oo');
    expect(world.begin('gone').filter(everything)).toBe(2);
  });
});

test('room is left for pods that are nominated elsewhere', () => {
  const world = new CycleWorld('oo');
  const kept = world.kept();
  const before = world.begin('', kept);
  expect(before.filter(everything)).toBe(2);
  const rival = makePod('rival', { requests: { cpu: 3 }, status: { nominatedNodeName: 'n1' } });
  world.columns.cluster.pods.add(rival);
  const cycle = world.begin('', kept);
  expect([cycle.filter(everything), world.found, world.rejected]).toEqual([1, ['n0'], ['n1 Insufficient cpu']]);
  world.columns.cluster.pods.remove('default', 'rival');
  expect([world.begin('', kept).filter(everything), world.found]).toEqual([2, ['n0', 'n1']]);
});

describe.each([false, true])('the selected node, with kept rows: %s', (isKept) => {
  const select = (nodes: string, ...args: Parameters<ColumnCycle['select']>) => {
    const world = new CycleWorld(nodes);
    const cycle = world.begin('', isKept ? world.kept() : null);
    cycle.filter(everything);
    expect(cycle.score()).toBe(null);
    const { node, total, ties } = cycle.select(...args);
    expect(cycle.total(node)).toBe(total);
    return [node.name, total, ties];
  };
  const never = (): never => {
    throw new Error('nothing is drawn');
  };

  test('has the best total', () => {
    for (const tieBreak of ['first', 'random', 'upstream'] as const) {
      expect(select('3s52', tieBreak, never)).toEqual(['n2', 5, 1]);
    }
  });

  test('is among equals the first, the drawn, or the root of the heap', () => {
    expect(select('1555', 'first', never)).toEqual(['n1', 5, 3]);
    expect(select('1555', 'random', (ties) => ties - 1)).toEqual(['n3', 5, 3]);
    // n3 rises over n1 before the root is sifted, and meets its equal at n2.
    expect(select('1155', 'upstream', never)).toEqual(['n3', 5, 2]);
  });

  test('is drawn from names in the order in which nodes were learned of', () => {
    const world = new CycleWorld('55');
    world.columns.cluster.removeNode('n0');
    world.columns.add(world.node('late', '5'));
    const cycle = world.begin('', isKept ? world.kept() : null);
    cycle.filter(everything);
    cycle.score();
    const seen: (string | undefined)[] = [];
    const { node } = cycle.select('random', (ties, nameOf) => {
      for (let rank = 0; rank < ties; rank++) seen.push(nameOf?.(rank));
      return 1;
    });
    expect([seen, node.name]).toEqual([['n1', 'late'], 'late']);
    expect(cycle.select('first', never).node.name).toBe('n1');
  });

  test('is one that the search found', () => {
    const world = new CycleWorld('9123');
    const cycle = world.begin('', isKept ? world.kept() : null);
    cycle.filter({ start: 1, wanted: 2 });
    cycle.score();
    expect(cycle.select('first', never)).toMatchObject({ node: { name: 'n2' }, total: 2, ties: 1 });
  });
});
