import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type PluginFactory, Scheduler } from '../../../src/index.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';
import { runs } from '../../builders/runs.ts';
import { arbitraryLargeScript, arbitraryScript } from '../arbitrary-script.ts';
import { expectAlike } from '../expect-alike.ts';
import { arbitraryLabRule, configurationWith, type LabRule, labPlugins } from './lab-plugin.ts';

const numRuns = runs(60);

describe('with a plugin of the user all engines answer alike, over random lives of a cluster', () => {
  const optionsOf = (rule: LabRule, tieBreak: 'first' | 'upstream') => {
    const plugins = labPlugins(rule);
    return { plugins, configuration: configurationWith(plugins, rule.weight), tieBreak };
  };

  test('asked node by node or by columns, with index and without', () => {
    fc.assert(
      fc.property(arbitraryScript, arbitraryLabRule, fc.constantFrom('first', 'upstream'), (script, rule, ties) =>
        expectAlike(script, optionsOf(rule, ties)),
      ),
      { numRuns },
    );
  });

  test('in large clusters, whose tables grow', () => {
    fc.assert(
      fc.property(arbitraryLargeScript, arbitraryLabRule, (script, rule) =>
        expectAlike(script, optionsOf(rule, 'first'), false),
      ),
      { numRuns: Math.ceil(numRuns / 4) },
    );
  });
});

test('pods of a plugin that reads nodes and their pods take the index: the rows that changed are asked again', () => {
  let asked = 0;
  const rule: LabRule = {
    ...{ reads: 'nodePods', byColumns: true, rest: 8, divisor: 9, scores: 101 },
    ...{ normalization: 'none', weight: 1 },
  };
  const made = labPlugins(rule)['Lab']?.(undefined, undefined as never);
  if (made === undefined) throw new Error('the plugin is made');
  const { filterColumns } = made;
  const counted = {
    filterColumns: (...args: Parameters<NonNullable<typeof filterColumns>>) => {
      asked += args[4] - args[3];
      filterColumns?.(...args);
    },
    filter: () => {
      throw new Error('no node is looked at by itself');
    },
  };
  const plugins = { Lab: () => Object.assign(made, counted) };
  const scheduler = new Scheduler({ plugins, configuration: configurationWith(plugins) });
  for (let i = 0; i < 500; i++) scheduler.addNode(makeNode(`n${i}`));
  const pods = Array.from({ length: 200 }, (_, i) => makePod(`p${i}`, { requests: { cpu: '100m' } }));
  expect([...scheduler.scheduleBatch(pods)].every(({ status }) => status === 'scheduled')).toBe(true);
  expect(asked).toBeLessThan(500 + 2 * 200);
});

test('scores that were all zero until pods came are normalised also where other pods have a say', () => {
  const rule: LabRule = {
    ...{ reads: 'nodePods', byColumns: false, rest: 0, divisor: 6, scores: 2 },
    ...{ normalization: 'reversed', weight: 1 },
  };
  const plugins = labPlugins(rule);
  const term = { topologyKey: 'topology.kubernetes.io/zone', labelSelector: { matchLabels: { app: 'web' } } };
  const affinity = { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } };
  const podOf = (name: string, app: string) => {
    const pod = makePod(name, { spec: { affinity, priority: 5 } });
    return { ...pod, metadata: { ...pod.metadata, labels: { app } } };
  };
  const [expected, ...others] = [{ engine: 'reference' as const }, { index: false }, { index: true }].map((way) => {
    const scheduler = new Scheduler({ ...way, plugins, configuration: configurationWith(plugins, rule.weight) });
    for (const name of ['n0', 'n1']) scheduler.addNode(makeNode(name));
    scheduler.scheduleBatch([podOf('a', 'web'), podOf('b', 'web')]);
    return scheduler.schedule(podOf('c', 'db'));
  });
  expect(expected).toMatchObject({ status: 'scheduled', feasibleNodes: 2 });
  for (const other of others) expect(other).toEqual(expected);
});

test('a PreFilter that reads the pod and names no part of it is asked for every other spec', () => {
  const Fussy: PluginFactory = () => ({
    name: 'Fussy',
    stateReads: 'pod',
    preFilter: (_state, { pod }) => (pod.spec?.priority === 7 ? { code: 'Unschedulable', reasons: ['not 7'] } : null),
  });
  const plugins = { Fussy };
  for (const engine of ['reference', 'scalar', 'simd'] as const) {
    const scheduler = new Scheduler({ engine, plugins, configuration: configurationWith(plugins) });
    scheduler.addNode(makeNode('n0'));
    const results = [7, 6, 7].map((priority, i) => scheduler.schedule(makePod(`p${i}`, { spec: { priority } })));
    expect(results.map(({ status }) => status)).toEqual(['unschedulable', 'scheduled', 'unschedulable']);
  }
});
