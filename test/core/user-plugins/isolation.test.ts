import { describe, expect, test } from 'vitest';
import { type EngineName, type PluginRegistry, Scheduler, type UserPlugin } from '../../../src/index.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';
import { configurationWith } from './lab-plugin.ts';

const ENGINES: readonly EngineName[] = ['reference', 'scalar', 'simd'];
const cached = { filterReads: 'nodePods', scoreReads: 'nodePods', dependsOn: () => 0 } as const;

/** Three nodes, a pod that the plugin is wrong about, and one that it is right about. */
function answersOf(engine: EngineName, members: object) {
  const plugins = { Broken: () => ({ name: 'Broken', ...members }) as UserPlugin };
  const scheduler = new Scheduler({ engine, plugins, configuration: configurationWith(plugins) });
  for (const name of ['a', 'b', 'c']) scheduler.addNode(makeNode(name));
  const wrong = makePod('wrong', { spec: { priority: 1 } });
  const explanation = scheduler.explain(wrong);
  return { wrong: scheduler.schedule(wrong), explanation, right: scheduler.schedule(makePod('right')) };
}

/** A method that gives this answer for one of the two pods only. */
const about = (answer: (...args: unknown[]) => unknown, otherwise: unknown = null) =>
  function (this: unknown, ...args: unknown[]): unknown {
    const pod = args.find((arg) => typeof arg === 'object' && arg !== null && 'priority' in arg);
    return (pod as { priority: number } | undefined)?.priority === 1 ? answer(...args) : otherwise;
  };

const boom = () => {
  throw new Error('boom');
};
const scoring = { score: () => 1 };

const CASES: readonly (readonly [string, object, string])[] = [
  ['preFilter throws', { preFilter: about(boom) }, 'running PreFilter plugin "Broken": boom'],
  [
    'preFilter, an unknown code',
    { preFilter: about(() => ({ code: 'Maybe', reasons: [] })) },
    'running PreFilter plugin "Broken": an object with code, reasons is not a status',
  ],
  [
    'preFilter, no set',
    { preFilter: about(() => ({ nodeNames: ['a'] })) },
    'running PreFilter plugin "Broken": an object with nodeNames is not a status',
  ],
  ['filter throws', { filter: about(boom) }, 'running "Broken" filter plugin: boom'],
  [
    'filter throws no error',
    {
      filter: about(() => {
        throw 'text';
      }),
    },
    'running "Broken" filter plugin: text',
  ],
  ['filter, a boolean', { filter: about(() => false) }, 'running "Broken" filter plugin: false is not a status'],
  [
    'filter, a promise',
    { filter: about(async () => null) },
    'running "Broken" filter plugin: a promise is not a status',
  ],
  [
    'filter, a code of others',
    { filter: about(() => ({ code: 'Wait', reasons: ['a while'] })) },
    'running "Broken" filter plugin: Wait, a while',
  ],
  ['preScore throws', { ...scoring, preScore: about(boom) }, 'running PreScore plugin "Broken": boom'],
  [
    'preScore rejects',
    { ...scoring, preScore: about(() => ({ code: 'Unschedulable', reasons: ['no'] })) },
    'running PreScore plugin "Broken": no',
  ],
  ['score throws', { score: about(boom, 0) }, 'running Score plugins: plugin "Broken" failed with: boom'],
  [
    'score is NaN',
    { score: about(() => Number.NaN, 0) },
    'running Score plugins: plugin "Broken" failed with: NaN is no whole number',
  ],
  [
    'score is text',
    { score: about(() => '7', 0) },
    'running Score plugins: plugin "Broken" failed with: "7" is no whole number',
  ],
  [
    'score is a fraction',
    { score: about(() => 0.5, 0) },
    'running Score plugins: plugin "Broken" failed with: 0.5 is no whole number',
  ],
  [
    'score is a status',
    { score: about(() => ({ code: 'Error', reasons: ['no idea'] }), 0) },
    'running Score plugins: plugin "Broken" failed with: no idea',
  ],
  [
    'score is nothing',
    { score: about(() => undefined, 0) },
    'running Score plugins: plugin "Broken" failed with: undefined is no whole number',
  ],
  [
    'score out of range',
    { score: about(() => 101, 0) },
    'applying score defaultWeights on Score plugins: plugin "Broken" returns an invalid score 101, ' +
      'it should in the range of [0, 100] after normalizing',
  ],
  [
    'score below zero',
    { score: about(() => -1, 0) },
    'applying score defaultWeights on Score plugins: plugin "Broken" returns an invalid score -1, ' +
      'it should in the range of [0, 100] after normalizing',
  ],
  [
    'normalizeScore throws',
    { ...scoring, normalizeScore: about(boom) },
    'running Normalize on Score plugins: plugin "Broken" failed with: boom',
  ],
  [
    'normalizeScore leaves NaN',
    {
      ...scoring,
      normalizeScore: about((_s, _p, list) => {
        for (const entry of list as { score: number }[]) entry.score = Number.NaN;
      }),
    },
    'running Normalize on Score plugins: plugin "Broken" failed with: NaN is no whole number',
  ],
  [
    'normalizeScore leaves it out of range',
    {
      score: () => 500,
      normalizeScore: (_s: unknown, pod: { priority: number }, list: { score: number }[]) => {
        for (const entry of list) entry.score = pod.priority === 1 ? 500 : 5;
      },
    },
    'applying score defaultWeights on Score plugins: plugin "Broken" returns an invalid score 500, ' +
      'it should in the range of [0, 100] after normalizing',
  ],
];

describe.each(ENGINES)('a plugin fails the attempt of that pod, and nothing else: engine %s', (engine) => {
  test.each(CASES)('%s', (_, members, message) => {
    for (const reads of [
      {},
      { ...cached, dependsOn: ({ spec }: { spec: { priority?: number } }) => spec.priority ?? 0 },
    ]) {
      const { wrong, explanation, right } = answersOf(engine, {
        ...members,
        ...reads,
        ...('preFilter' in members || 'preScore' in members ? {} : { stateReads: 'pod' }),
      });
      expect(wrong).toEqual({ status: 'error', message });
      expect(explanation).toMatchObject({ status: 'error', message });
      expect(right).toMatchObject({ status: 'scheduled' });
    }
  });

  test('preEnqueue: the pod is held back', () => {
    const { wrong, right } = answersOf(engine, { preEnqueue: about(boom) });
    expect(wrong).toEqual({ status: 'gated', plugin: 'Broken', reasons: ['boom'] });
    expect(right).toMatchObject({ status: 'scheduled' });
  });

  test('reserve: the pod goes nowhere, and what was reserved is given back', () => {
    const back: unknown[] = [];
    const unreserve = (_state: unknown, pod: { name: string }, node: string) => back.push([pod.name, node]);
    const { wrong, right } = answersOf(engine, { reserve: about(boom), unreserve });
    expect(wrong).toEqual({ status: 'error', message: 'running Reserve plugin "Broken": boom' });
    expect(right).toMatchObject({ status: 'scheduled' });
    expect(back).toEqual([['wrong', 'a']]);
  });

  test('postFilter: its name is in the message', () => {
    const filter = about(() => ({ code: 'Unschedulable', reasons: ['not here'] }));
    const messages = [
      [boom, 'boom'],
      [() => 7, '7 is not a status'],
      [() => ({ status: { code: 'Success', reasons: [] }, nominatedNodeName: 7 }), '7 is no node name'],
    ] as const;
    for (const [answer, reason] of messages) {
      const { wrong } = answersOf(engine, { filter, postFilter: answer });
      expect(wrong).toMatchObject({ message: expect.stringContaining(`plugin "Broken": ${reason}`) });
    }
  });

  test('column functions that fail leave the word to the methods', () => {
    const columns = {
      ...cached,
      score: () => 5,
      filter: () => null,
      columnStatuses: () => [{ code: 'Wait', reasons: [] }],
    };
    const broken = [
      { filterColumns: boom },
      { scoreColumns: boom },
      { columns: { own: boom }, scoreColumns: () => {}, scoreReads: 'nodePods' },
      { columnStatuses: boom, filterColumns: () => {} },
      { filterColumns: (_p: unknown, _n: unknown, out: Uint8Array) => out.fill(9) },
      { scoreColumns: (_p: unknown, _n: unknown, out: Int32Array) => out.fill(-7) },
    ];
    for (const each of broken) {
      const { wrong, right } = answersOf(engine, { ...columns, ...each });
      expect([wrong, right]).toMatchObject([{ status: 'scheduled' }, { status: 'scheduled' }]);
    }
  });
});

test('who fails on one node has failed for pods that look at it, and is well again when the node is', () => {
  for (const engine of ENGINES) {
    const plugins: PluginRegistry = {
      Picky: () => ({
        ...{ name: 'Picky', filterReads: 'node', dependsOn: () => 0 },
        filter: (_state, _pod, { node }) => {
          if (node.metadata?.labels?.['bad']) throw new Error('cannot read this');
          return null;
        },
      }),
    };
    const scheduler = new Scheduler({ engine, plugins, configuration: configurationWith(plugins) });
    scheduler.addNode(makeNode('a'));
    scheduler.addNode(makeNode('b', { labels: { bad: 'yes' } }));
    const message = 'running "Picky" filter plugin: cannot read this';
    expect(scheduler.schedule(makePod('p'))).toEqual({ status: 'error', message });
    scheduler.updateNode(makeNode('b'));
    expect(scheduler.schedule(makePod('p'))).toMatchObject({ status: 'scheduled' });
  }
});
