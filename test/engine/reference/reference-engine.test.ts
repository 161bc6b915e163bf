import { describe, expect, test } from 'vitest';
import type { Cycle } from '../../../src/engine/cycle/engine.ts';
import { ReferenceEngine } from '../../../src/engine/reference/reference-engine.ts';
import type { NodeInfo } from '../../../src/framework/node-info.ts';
import type { FilterPlugin, Plugin, PreFilterPlugin, ScorePlugin } from '../../../src/framework/plugin.ts';
import { PodInfo } from '../../../src/framework/pod-info.ts';
import { Framework } from '../../../src/framework/runtime/framework.ts';
import { errorStatus, unresolvable, unschedulable } from '../../../src/framework/status.ts';
import { atEveryPoint } from '../../builders/framework-plugins.ts';
import { makeCluster, makePodInfo } from '../../builders/make-cluster.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';

const doorOf = ({ node }: NodeInfo): string | undefined => node.metadata?.labels?.['door'];

/** Accepts nodes without a door, rejects shut ones, fails at broken ones. */
function door(asked: string[] = []): FilterPlugin {
  return {
    ...{ name: 'Door', filterReads: 'node' },
    filter: (_state, _pod, node) => {
      asked.push(node.name);
      if (doorOf(node) === 'broken') return errorStatus('Door', 'stuck');
      return doorOf(node) === 'shut' ? unschedulable('Door', 'shut') : null;
    },
  };
}

const order: ScorePlugin = { name: 'Order', scoreReads: 'node', score: (_state, _pod, node) => node.order };
const only = (...names: string[]): PreFilterPlugin => ({
  ...{ name: 'Only', dependsOn: () => null },
  preFilter: () => ({ nodeNames: new Set(names) }),
});

/** One letter a node: `o` open, `s` shut, `b` broken. */
function begin(doors: string, plugins: readonly Plugin[], nominatedNodeName = ''): Cycle {
  const labels = { o: {}, s: { door: 'shut' }, b: { door: 'broken' } };
  const cluster = makeCluster(
    [...doors].map((each, i) => makeNode(`n${i}`, { labels: labels[each as keyof typeof labels] })),
  );
  const framework = new Framework(atEveryPoint(plugins, new Map()));
  const pod = makePodInfo(makePod('p'));
  return new ReferenceEngine(framework, cluster).begin(new PodInfo(pod.pod, pod.requirements, '', nominatedNodeName));
}

const everything = { start: 0, wanted: 100 };
const found = (cycle: Cycle) => cycle.feasibleNodes().map(({ name }) => name);
const rejected = (cycle: Cycle) => [...cycle.rejections()].map(([{ name }, { reasons }]) => `${name} ${reasons}`);

describe('a search', () => {
  test('of an empty cluster finds nothing', () => {
    const cycle = begin('', [door()]);
    expect([cycle.filter(everything), cycle.processed, cycle.failure]).toEqual([0, 0, null]);
    expect([...cycle.reasonCounts(), ...cycle.nodeStatuses().distinct()]).toEqual([]);
  });

  test('says of each node whether it is feasible, or why not', () => {
    const cycle = begin('osos', [door()]);
    expect([cycle.filter(everything), cycle.processed]).toEqual([2, 4]);
    expect([found(cycle), rejected(cycle)]).toEqual([
      ['n0', 'n2'],
      ['n1 shut', 'n3 shut'],
    ]);
    expect([...cycle.reasonCounts()]).toEqual([['shut', 2]]);
    expect(cycle.nodeStatuses().statusOf('n3')).toEqual(unschedulable('Door', 'shut'));
    expect(cycle.nodeStatuses().statusOf('n0')).toBe(null);
  });

  test('begins where its window does, and ends at one feasible node more than are wanted', () => {
    const asked: string[] = [];
    const cycle = begin('oosoo', [door(asked)]);
    expect(cycle.filter({ start: 3, wanted: 2 })).toBe(2);
    expect([found(cycle), asked, cycle.processed]).toEqual([['n3', 'n4'], ['n3', 'n4', 'n0'], 2]);
  });

  test('a rejected node behind the last wanted one is still dealt with', () => {
    const cycle = begin('osoo', [door()]);
    expect(cycle.filter({ start: 0, wanted: 1 })).toBe(1);
    expect([found(cycle), rejected(cycle), cycle.processed]).toEqual([['n0'], ['n1 shut'], 2]);
  });

  test('that fails says nothing of any node', () => {
    const cycle = begin('osbo', [door()]);
    expect(cycle.filter(everything)).toBe(0);
    expect(cycle.failure?.reasons).toEqual(['running "Door" filter plugin: stuck']);
    expect([found(cycle), rejected(cycle)]).toEqual([[], []]);
  });
});

describe('what PreFilter leaves', () => {
  test('other nodes are rejected, and not counted as dealt with', () => {
    const asked: string[] = [];
    const cycle = begin('ooo', [only('n1', 'gone'), door(asked)]);
    expect([cycle.rejected, cycle.limitedBy]).toEqual([null, ['Only']]);
    expect([cycle.filter(everything), found(cycle), asked, cycle.processed]).toEqual([1, ['n1'], ['n1'], 1]);
    expect(rejected(cycle)).toEqual([
      "n0 node(s) didn't satisfy plugin(s) [Only]",
      "n2 node(s) didn't satisfy plugin(s) [Only]",
    ]);
  });

  test('a rejection of all nodes is the status of each', () => {
    const no = unresolvable('No', 'never');
    const cycle = begin('oo', [{ name: 'No', dependsOn: () => null, preFilter: () => no } as PreFilterPlugin]);
    expect(cycle.rejected).toBe(no);
    expect(cycle.nodeStatuses().statusOf('n1')).toBe(no);
  });

  test('nodes that do not exist are as good as none', () => {
    expect(begin('oo', [only('gone')]).rejected?.reasons).toEqual(["node(s) didn't satisfy plugin(s) [Only]"]);
  });
});

describe('the node that is nominated for the pod', () => {
  test('is taken if it will do, and no other is looked at', () => {
    const asked: string[] = [];
    const cycle = begin('ooo', [door(asked)], 'n1');
    expect([cycle.filter(everything), found(cycle), asked, cycle.processed]).toEqual([1, ['n1'], ['n1'], 0]);
  });

  test('is not asked about again when it was rejected', () => {
    const asked: string[] = [];
    const cycle = begin('oso', [door(asked)], 'n1');
    expect([cycle.filter(everything), asked, cycle.processed]).toEqual([2, ['n1', 'n0', 'n2'], 3]);
    expect(rejected(cycle)).toEqual(['n1 shut']);
  });

  test('counts as dealt with, even where the search did not come', () => {
    const cycle = begin('ooos', [door()], 'n3');
    expect([cycle.filter({ start: 0, wanted: 1 }), cycle.processed]).toEqual([1, 2]);
    expect(rejected(cycle)).toEqual(['n3 shut']);
  });

  test('a failure there ends nothing, until the search comes there', () => {
    const cycle = begin('oob', [door()], 'n2');
    expect([cycle.filter({ start: 0, wanted: 1 }), cycle.failure, cycle.processed]).toEqual([1, null, 1]);
    const whole = begin('oob', [door()], 'n2');
    expect([whole.filter(everything), whole.failure?.code]).toEqual([0, 'Error']);
  });

  test('is looked at even if PreFilter left it out', () => {
    const cycle = begin('oo', [only('gone'), door()], 'n1');
    expect([cycle.rejected, cycle.filter(everything), found(cycle)]).toEqual([null, 1, ['n1']]);
  });
});

test('scores the feasible nodes and selects the best', () => {
  const cycle = begin('oso', [door(), order]);
  cycle.filter(everything);
  expect(cycle.score()).toBe(null);
  const selected = cycle.select('first', () => 0);
  expect([selected.node.name, selected.total, selected.ties]).toEqual(['n2', 2, 1]);
  expect(cycle.total(selected.node)).toBe(2);
  expect(cycle.pluginScores().map(({ plugin, raw }) => [plugin, raw(selected.node)])).toEqual([['Order', 2]]);
});
