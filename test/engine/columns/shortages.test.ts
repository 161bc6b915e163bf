import { expect, test } from 'vitest';
import { Shortages } from '../../../src/engine/columns/shortages.ts';
import { EngineColumns } from '../../builders/engine-columns.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';

test('the answers of one slot are renewed alone, and the statuses follow', () => {
  const world = new EngineColumns();
  world.add(makeNode('n0', { cpu: 2 }), makeNode('n1', { cpu: 8 }));
  const signature = world.signatureOf(makePod('p', { requests: { cpu: 4, memory: '1Gi' } }));
  const out = world.columns.table.add('i32');
  const shortages = new Shortages(world.resourceKernels, () => out);
  const answers = shortages.of(signature, 2);
  const statuses = shortages.statuses(signature, answers);
  const reasons = (): unknown[] => [0, 1].map((slot) => statuses.status(slot)?.reasons ?? null);
  expect(reasons()).toEqual([['Insufficient cpu'], null]);
  world.cluster.pods.add(makePod('there', { nodeName: 'n1', requests: { cpu: 5 } }));
  world.cluster.updateNode(makeNode('n0', { cpu: 8 }));
  shortages.renew(signature, 1, answers);
  expect(reasons()).toEqual([['Insufficient cpu'], ['Insufficient cpu']]);
  shortages.renew(signature, 0, answers);
  expect(reasons()).toEqual([null, ['Insufficient cpu']]);
  expect(shortages.of(signature, 2)).toEqual(answers);
});
