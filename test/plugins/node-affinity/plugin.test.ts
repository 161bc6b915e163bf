import { describe, expect, test } from 'vitest';
import type { NodeSelectorTerm } from '../../../src/api/node-selector.ts';
import { CycleState } from '../../../src/framework/cycle-state.ts';
import { NodeAffinity } from '../../../src/plugins/node-affinity/plugin.ts';
import { makeNodeInfo, makePodInfo } from '../../builders/make-cluster.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';
import { filterVerdict, rawScore } from '../ask-plugin.ts';

const REJECTED = "UnschedulableAndUnresolvable: node(s) didn't match Pod's node affinity/selector";
const node = makeNodeInfo(makeNode('n1', { labels: { pool: 'x', rank: '5' } }));
const label = (key: string, operator: string, ...values: string[]): NodeSelectorTerm => ({
  matchExpressions: [{ key, operator, values }],
});
const name = (operator: string, ...values: string[]): NodeSelectorTerm => ({
  matchFields: [{ key: 'metadata.name', operator, values }],
});

describe('NodeAffinity filters', () => {
  test('is skipped for pods that ask for no node', () => {
    expect(filterVerdict(new NodeAffinity(), makePod('p'), node)).toBe('skipped');
    expect(filterVerdict(new NodeAffinity(), makePod('p', { preferred: [] }), node)).toBe('skipped');
  });

  test.each([
    [{}, 'fits'],
    [{ pool: 'x' }, 'fits'],
    [{ pool: 'x', rank: '5' }, 'fits'],
    [{ pool: 'x', rank: '6' }, REJECTED],
    [{ absent: '' }, REJECTED],
  ])('nodeSelector %j: %s', (nodeSelector, verdict) => {
    expect(filterVerdict(new NodeAffinity(), makePod('p', { nodeSelector }), node)).toBe(verdict);
  });

  test.each<[NodeSelectorTerm[], string]>([
    [[label('pool', 'In', 'x', 'y')], 'fits'],
    [[label('pool', 'NotIn', 'x')], REJECTED],
    [[label('absent', 'NotIn', 'x')], 'fits'],
    [[label('pool', 'Exists')], 'fits'],
    [[label('pool', 'DoesNotExist')], REJECTED],
    [[label('rank', 'Gt', '4')], 'fits'],
    [[label('rank', 'Gt', '5')], REJECTED],
    [[label('rank', 'Lt', '6')], 'fits'],
    [[label('pool', 'Lt', '6')], REJECTED],
    [[name('In', 'n1')], 'fits'],
    [[name('NotIn', 'n1')], REJECTED],
    // Terms are alternatives; within a term everything counts; an empty term matches nothing.
    [[label('pool', 'In', 'y'), label('rank', 'Exists')], 'fits'],
    [[{ ...label('pool', 'In', 'x'), ...name('NotIn', 'n1') }], REJECTED],
    [[{}], REJECTED],
    [[], REJECTED],
    [[label('rank', 'Gt', 'many')], REJECTED],
    [[label('rank', 'Gt', 'many'), label('pool', 'Exists')], 'fits'],
  ])('required %j: %s', (required, verdict) => {
    expect(filterVerdict(new NodeAffinity(), makePod('p', { required }), node)).toBe(verdict);
  });

  test('nodeSelector and required terms must both hold', () => {
    const options = { nodeSelector: { pool: 'y' }, required: [label('rank', 'Exists')] };
    expect(filterVerdict(new NodeAffinity(), makePod('p', options), node)).toBe(REJECTED);
  });
});

describe('NodeAffinity limits the search', () => {
  const preFilter = (...required: NodeSelectorTerm[]) =>
    new NodeAffinity().preFilter(new CycleState(), makePodInfo(makePod('p', { required })));

  test('to the nodes that every term names', () => {
    expect(preFilter(name('In', 'n1'), name('In', 'n2'))).toEqual({ nodeNames: new Set(['n1', 'n2']) });
    expect(preFilter({ ...name('In', 'n1'), ...label('pool', 'Exists') })).toEqual({ nodeNames: new Set(['n1']) });
  });

  test('not when some term names none', () => {
    expect(preFilter(name('In', 'n1'), label('pool', 'Exists'))).toBeNull();
    expect(preFilter(name('NotIn', 'n1'))).toBeNull();
  });

  test('to nothing when the names contradict each other', () => {
    const both = { matchFields: [...(name('In', 'n1').matchFields ?? []), ...(name('In', 'n2').matchFields ?? [])] };
    expect(preFilter(both)).toEqual({
      code: 'UnschedulableAndUnresolvable',
      plugin: 'NodeAffinity',
      reasons: ['pod affinity terms conflict'],
    });
    expect(preFilter(both, name('In', 'n3'))).toEqual({ nodeNames: new Set(['n3']) });
  });
});

describe('NodeAffinity scores', () => {
  test('the sum of the weights of the matching terms', () => {
    const preferred = [
      { weight: 3, preference: label('pool', 'In', 'x') },
      { weight: 40, preference: label('pool', 'In', 'y') },
      { weight: 100, preference: name('In', 'n1') },
      { weight: 9, preference: {} },
    ];
    expect(rawScore(new NodeAffinity(), makePod('p', { preferred }), node)).toBe(103);
    expect(new NodeAffinity().normalize).toEqual({ reverse: false });
  });

  test('nothing without preferences; a malformed one fails the attempt', () => {
    expect(rawScore(new NodeAffinity(), makePod('p'), node)).toBe('skipped');
    const preferred = [{ weight: 1, preference: label('rank', 'Gt', 'many') }];
    expect(rawScore(new NodeAffinity(), makePod('p', { preferred }), node)).toBe(
      "Error: [0].matchExpressions[0].values[0]: Invalid value: \"many\": for 'Gt', 'Lt' operators, the " +
        'value must be an integer',
    );
  });
});
