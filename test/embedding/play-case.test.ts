import { describe, expect, it } from 'vitest';
import type { GoldenCase } from '../../src/embedding/golden-case.ts';
import { playCase, recordCase } from '../../src/embedding/play-case.ts';
import { unschedulable } from '../../src/embedding/statuses.ts';
import { withPlugins } from '../../src/embedding/with-plugins.ts';
import type { PluginFactory, UserReads } from '../../src/framework/user-plugin.ts';
import { makeNode } from '../builders/make-node.ts';
import { makePod } from '../builders/make-pod.ts';

const few: GoldenCase = {
  name: 'few pods a node',
  nodes: [makeNode('a'), makeNode('b', { cpu: 8 }), makeNode('c', { cpu: 1 })],
  pods: [makePod('there', { nodeName: 'c' })],
  schedule: ['p1', 'p2', 'p3'].map((name) => makePod(name, { requests: { cpu: '500m' } })),
};

/** At most one pod a node; a plugin that says that it reads less than it does is wrong. */
const onePod = (filterReads: UserReads): PluginFactory => {
  return () => ({
    name: 'OnePod',
    filterReads,
    dependsOn: ({ spec }) => spec.priority ?? 0,
    filter: (_state, _pod, { pods }) => (pods.length > 0 ? unschedulable('the node has a pod') : null),
  });
};

describe('recordCase', () => {
  it('has every decision with its reasons', () => {
    const [first, , third] = recordCase(few, withPlugins({ OnePod: onePod('nodePods') }));
    expect(first).toMatchObject({
      pod: 'default/p1',
      status: 'scheduled',
      node: 'b',
      message: '',
      rejected: { c: 'OnePod: the node has a pod' },
      victims: [],
    });
    expect(first?.scores['b']?.['NodeResourcesFit']).toBeGreaterThan(0);
    expect(third).toMatchObject({ status: 'unschedulable', node: null, scores: {} });
    expect(third?.message).toContain('0/3 nodes are available: 3 the node has a pod.');
  });

  it('is plain data', () => {
    const recorded = recordCase(few);
    expect(JSON.parse(JSON.stringify(recorded))).toEqual(recorded);
  });
});

describe('playCase', () => {
  it('finds no difference for a plugin that declares what it reads', () => {
    const options = withPlugins({ OnePod: onePod('nodePods') });
    expect(playCase(few, options)).toEqual([]);
    expect(playCase(few, options, JSON.parse(JSON.stringify(recordCase(few, options))))).toEqual([]);
  });

  it('finds a plugin that reads more than it declares', () => {
    const differences = playCase(few, withPlugins({ OnePod: onePod('node') }));
    expect(differences).toContain('few pods a node (simd, index on, in a batch): default/p2 node is "b", expected "a"');
    expect(differences.every((line) => !line.includes('(reference)'))).toBe(true);
  });

  it('names every way on which the decision is another', () => {
    const expected = recordCase(few);
    const wrong = expected.map((decision) => ({ ...decision, node: 'z' }));
    const differences = playCase({ ...few, name: 'x' }, {}, wrong);
    expect(differences).toHaveLength(9 * few.schedule.length);
    expect(differences[0]).toBe('x (reference): default/p1 node is "b", expected "z"');
    expect(playCase(few, {}, expected.slice(1))[0]).toContain('number of decisions is 3, expected 2');
  });
});

describe('a case that comes from a file', () => {
  it.each<[string, unknown, string]>([
    ['nothing', undefined, 'case: must be an object, not nothing'],
    ['a list', [], 'case: must be an object, not a list'],
    ['without pods to schedule', { name: 'x', nodes: [] }, 'case.schedule: must be a list, not nothing'],
    ['with a wrong name', { ...few, node: [] }, 'case "node": there is no such member'],
    ['with pods by name', { ...few, pods: {} }, 'case.pods: must be a list, not an object'],
    ['with an object that is none', { ...few, objects: [null] }, 'case.objects[0]: must be an object, not nothing'],
    ['with a pod that is none', { ...few, schedule: [7] }, 'Pod: must be an object, not the number 7'],
  ])('%s is refused', (_, given, message) => {
    for (const play of [recordCase, playCase]) {
      expect(() => play(given as GoldenCase)).toThrow(expect.objectContaining({ code: 'Invalid', message }));
    }
  });

  it('is held against decisions, and nothing else', () => {
    for (const expected of [null, {}, [null]]) {
      const play = () => playCase(few, {}, expected as never);
      expect(play).toThrow(expect.objectContaining({ name: 'SchedulerError', code: 'Invalid' }));
    }
  });
});
