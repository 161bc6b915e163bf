import { describe, expect, test } from 'vitest';
import { type Explanation, Scheduler, type UserPlugin } from '../../../src/index.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';
import { configurationWith } from '../../core/user-plugins/lab-plugin.ts';

const NODES = 150;

/** Nodes in three zones, and a filter of the embedder that reads whatever it likes. */
function start(engine: 'simd' | 'reference', filter: UserPlugin['filter'], percentageOfNodesToScore = 100): Scheduler {
  const plugin: UserPlugin = { name: 'Moody', ...(filter && { filter }) };
  const plugins = { Moody: () => plugin };
  const scheduler = new Scheduler({
    ...{ engine, percentageOfNodesToScore, tieBreak: 'upstream' },
    ...{ plugins, configuration: configurationWith(plugins) },
  });
  for (let i = 0; i < NODES; i++) scheduler.addNode(makeNode(`n${i}`, { labels: { zone: 'abc'[i % 3] ?? '' } }));
  return scheduler;
}

describe('a filter that reads the whole cluster', () => {
  test('is asked in every attempt', () => {
    let closed = '';
    const asked: string[] = [];
    const scheduler = start('simd', (_state, _pod, { name }) => {
      asked.push(name);
      return name === closed ? { code: 'Unschedulable', reasons: ['closed'] } : null;
    });
    expect(scheduler.explain(makePod('p')).feasible.length).toBe(NODES);
    closed = 'n7';
    asked.length = 0;
    const { feasible, nodes } = scheduler.explain(makePod('q'));
    expect([feasible.length, asked.length]).toEqual([NODES - 1, NODES]);
    expect(nodes[7]?.rejected).toMatchObject({ plugin: 'Moody', reasons: ['closed'] });
  });

  test('is not asked beyond the nodes that the search reaches', () => {
    const answers = (['reference', 'simd'] as const).map((engine) => {
      const asked = new Set<string>();
      const scheduler = start(
        engine,
        (_state, _pod, { name }) => {
          asked.add(name);
          return name.endsWith('3') ? { code: 'Unschedulable', reasons: ['three'] } : null;
        },
        10,
      );
      const results = ['p', 'q', 'r'].map((name) => scheduler.schedule(makePod(name)));
      return [results, [...asked].sort()];
    });
    expect(answers[1]).toEqual(answers[0]);
  });

  test('that fails on a node fails the attempt as the plugins alone would', () => {
    const [expected, found] = (['reference', 'simd'] as const).map((engine): Explanation => {
      const scheduler = start(engine, (_state, _pod, { name }) => {
        return name === 'n9' ? { code: 'Error', reasons: ['broken'] } : null;
      });
      return scheduler.explain(makePod('p'));
    });
    expect(found).toEqual(expected);
    expect(found).toMatchObject({ status: 'error' });
  });

  test('is asked before the filters that come later in order', () => {
    const answers = (['reference', 'simd'] as const).map((engine) => {
      const moody: UserPlugin = {
        name: 'Moody',
        filter: (_state, _pod, { name }) => (name === 'n1' ? null : { code: 'Unschedulable', reasons: ['closed'] }),
      };
      const strict: UserPlugin = {
        ...{ name: 'Strict', filterReads: 'node', dependsOn: () => null },
        filter: () => ({ code: 'Unschedulable', reasons: ['strict'] }),
      };
      const plugins = { Moody: () => moody, Strict: () => strict };
      const scheduler = new Scheduler({ engine, plugins, configuration: configurationWith(plugins) });
      for (const name of ['n0', 'n1']) scheduler.addNode(makeNode(name));
      return scheduler.explain(makePod('p')).nodes.map(({ rejected }) => rejected?.plugin);
    });
    expect(answers).toEqual([
      ['Moody', 'Strict'],
      ['Moody', 'Strict'],
    ]);
  });
});
