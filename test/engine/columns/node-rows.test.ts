import { expect, test } from 'vitest';
import { NodeRows } from '../../../src/engine/columns/node-rows.ts';
import { NodeColumns } from '../../../src/memory/node-columns.ts';
import { SharedMemory } from '../../../src/memory/shared-memory.ts';
import { makeCluster } from '../../builders/make-cluster.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';

const GPU = 'example.com/gpu';

function amountsAt(columns: NodeColumns, slot: number, ...names: readonly string[]): unknown {
  return names.map((name) => {
    const { allocatable, requested } = columns.resource(name);
    return [allocatable.values[slot], requested.values[slot]];
  });
}

test('rows hold what nodes offer and what their pods request, those of a copy as well', () => {
  const cluster = makeCluster(
    [makeNode('plain'), makeNode('a', { allocatable: { cpu: 8, memory: 1000, pods: 10, [GPU]: 4 } })],
    [makePod('p', { requests: { cpu: 2, [GPU]: 1, 'ephemeral-storage': 50 }, spec: { nodeName: 'a' } })],
  );
  const node = cluster.node('a');
  if (node === undefined) throw new Error('no node');
  const columns = new NodeColumns(new SharedMemory());
  const rows = new NodeRows(columns);
  rows.nodeChanged(node);
  expect(columns.isCommon('ephemeral-storage')).toBe(false);
  rows.podsChanged(node, node.pods);
  const expected = [
    [10, 1],
    [8000, 2000],
    [0, 50],
    [4, 1],
  ];
  const names = ['pods', 'cpu', 'ephemeral-storage', GPU];
  expect(amountsAt(columns, node.slot, ...names)).toEqual(expected);
  expect(columns.fixed.nonZeroMilliCPU.values[node.slot]).toBe(2000);
  const copy = new NodeColumns(new SharedMemory());
  new NodeRows(copy).copyFrom(columns, cluster);
  expect(amountsAt(copy, node.slot, ...names)).toEqual(expected);
});
