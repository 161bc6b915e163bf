import { describe, expect, it } from 'vitest';
import { PossibleNodes } from '../../../src/simulation/faults/check-targets.ts';
import { lossesOf } from '../../../src/simulation/faults/lost-nodes.ts';
import type { NamedObject } from '../../../src/simulation/workload/submitted-object.ts';

const node = (name: string, zone: string): NamedObject => {
  const labels = { 'topology.kubernetes.io/zone': zone, ...(name === 'b2' && { gpu: 'yes' }) };
  return { submitted: { resource: 'nodes', object: { metadata: { name, labels } } }, place: name };
};
const nodes = new PossibleNodes({
  objects: [node('a1', 'a'), node('b1', 'b'), node('b2', 'b')],
  templates: [node('late', 'c')],
  changes: [],
});
const targetsOf = (text: string) => lossesOf([text], nodes).map(({ fault }) => fault.settings);

describe('--lose of a simulation', () => {
  it.each([
    ['a1', [{ node: 'a1' }]],
    ['b1, a1,b1', [{ node: 'b1' }, { node: 'a1' }]],
    ['late-7', [{ node: 'late-7' }]],
    ['zone=b', [{ selector: 'topology.kubernetes.io/zone=b' }]],
    ['zone in (a,b),!gpu', [{ selector: 'topology.kubernetes.io/zone in (a,b),!gpu' }]],
    ['zone=c', [{ selector: 'topology.kubernetes.io/zone=c' }]],
  ])('%s', (text, settings) => {
    expect(targetsOf(text)).toEqual(settings);
  });

  it.each([
    ['q', '--lose q: there is no node "q" in the input'],
    ['a1,q', '--lose a1,q: there is no node "q" in the input'],
    ['zone=q', '--lose zone=q: no node has such labels in the input'],
    ['gpu,zone=a', '--lose gpu,zone=a: no node has such labels in the input'],
    ['zone in b', '--lose zone in b: found "b", expected'],
  ])('refuses %s', (text, message) => {
    expect(() => targetsOf(text)).toThrow(message);
  });

  it('names the flag of each loss, and says nothing of nodes when there are none', () => {
    expect(lossesOf(['a1,b1', 'zone=b'], nodes).map(({ place }) => place)).toEqual([
      '--lose a1,b1',
      '--lose a1,b1',
      '--lose zone=b',
    ]);
    const none = new PossibleNodes({ objects: [], templates: [], changes: [] });
    expect(lossesOf(['zone=b'], none)).toHaveLength(1);
  });
});
