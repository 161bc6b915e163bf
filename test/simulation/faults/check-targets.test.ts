import { describe, expect, it } from 'vitest';
import { checkFaultTargets, type FaultField } from '../../../src/simulation/faults/check-targets.ts';
import type { PlannedFault } from '../../../src/simulation/faults/fault-file.ts';
import { makeNode } from '../../builders/make-node.ts';

const node = (name: string, labels = {}) => ({
  submitted: { resource: 'nodes' as const, object: makeNode(name, { labels }) },
  place: '',
});
const change = (verb: 'apply' | 'patch' | 'delete', name: string, labels = {}) => ({
  ...node(name, labels).submitted,
  ...{ verb, atMillis: 1000, place: '' },
});
const fault = (kind: string, settings: PlannedFault['settings'] = {}, atMillis = [1000]): PlannedFault => ({
  ...{ kind, settings, times: { atMillis }, length: undefined },
});

const FIELD: FaultField = {
  ...{ objects: [node('a', { zone: 'x' })], templates: [], changes: [] },
  ...{ hasThreads: true, untilMillis: undefined, placeOf: (i) => `f: faults[${i}]` },
};
const check = (faults: readonly PlannedFault[], field: Partial<FaultField> = {}) =>
  checkFaultTargets(faults, { ...FIELD, ...field });
const zone = (value: string) => fault('networkPartition', { nodes: { zone: value } });

describe('checkFaultTargets', () => {
  it('accepts what is there from the beginning, and what may come later', () => {
    const faults = [fault('nodeCrash'), fault('nodeCrash', { node: 'a' }), zone('x'), fault('workerDeath')];
    expect(check(faults)).toEqual([]);
    expect(check([fault('nodeCrash', { selector: 'zone in (x,y),!gpu' })])).toEqual([]);
    const templates = [node('late', { zone: 'y' })];
    expect(check([fault('nodeCrash', { node: 'late-3' }), zone('y')], { objects: [], templates })).toEqual([]);
    const changes = [change('apply', 'new', { zone: 'z' }), change('patch', 'a', { zone: 'w' })];
    expect(check([fault('nodeCrash', { node: 'new' }), zone('z'), zone('w')], { changes })).toEqual([]);
    // Faults of the API need no node.
    expect(check([fault('lostWatch'), fault('clockJump', { by: '1m' })], { objects: [] })).toEqual([]);
  });

  it.each<[string, PlannedFault, Partial<FaultField>, string]>([
    ['a name', fault('nodeCrash', { node: 'b' }), {}, 'there is no node "b" in the input'],
    ['labels', zone('y'), {}, 'no node in the input has the label zone=y'],
    [
      'a selector',
      fault('nodeCrash', { selector: 'zone in (y,z)' }),
      {},
      'no node in the input is selected by zone in (y,z)',
    ],
    ['any node', fault('runtimeErrors', { operation: 'pull' }), { objects: [] }, 'there is no node in the input'],
    [
      'a name that no arrival has',
      fault('nodeCrash', { node: 'later-1' }),
      { templates: [node('late')] },
      'there is no node "later-1" in the input',
    ],
    ['labels of nodes that are removed', zone('q'), { changes: [change('delete', 'a', { zone: 'q' })] }, 'zone=q'],
    [
      'a thread',
      fault('workerDeath'),
      { hasThreads: false },
      'there is no thread that could end (--workers 2 or more)',
    ],
  ])('refuses a fault without a target: %s', (_, wrong, field, message) => {
    expect(() => check([fault('lostWatch'), wrong], field)).toThrow(`f: faults[1]: `);
    expect(() => check([fault('lostWatch'), wrong], field)).toThrow(message);
  });

  it('warns of faults that come too late', () => {
    const faults = [fault('lostWatch', {}, [500, 5000]), fault('lostWatch', {}, [5000, 6000])];
    expect(check(faults, { untilMillis: 4000 })).toEqual(['f: faults[1]: begins only after the time of --until']);
  });
});
