import { expect, test } from 'vitest';
import { CounterLease } from '../../../src/engine/topology/counter-lease.ts';
import { EngineColumns } from '../../builders/engine-columns.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';

const one = () => 1;
const onPoolX = {
  key: 'pool x',
  topologyKeys: [],
  looksAt: { taints: false, labels: ['pool'] },
  includes: ({ metadata }: ReturnType<typeof makeNode>) => metadata?.labels?.['pool'] === 'x',
};

test('counters stay until the last holder releases them, and give their memory back', () => {
  const world = new EngineColumns().add(makeNode('n0', { labels: { zone: 'a', pool: 'x' } }));
  const { cluster, topology: index } = world;
  index.podCounter('first', one);
  // Attributes of nodes are kept.
  world.attributes.columnsOf(onPoolX.looksAt);
  const before = world.memory.allocatedBytes;
  const leases = [new CounterLease(index), new CounterLease(index)] as const;
  for (const lease of leases) {
    lease.domainCounter('web', one, 'zone', onPoolX, null);
    lease.domainCounter('web', one, 'shelf', onPoolX, null);
    lease.podCounter('other', one, null);
    lease.domains('rack');
  }
  leases[0].release();
  expect(index.size).toBe(3);
  cluster.pods.add({ ...makePod('a'), spec: { ...makePod('a').spec, nodeName: 'n0' } });
  expect(leases[1].podCounter('other', one, null).total).toBe(1);
  leases[1].release();
  expect([index.size, world.memory.allocatedBytes]).toEqual([1, before]);
  cluster.pods.remove('default', 'a');
  expect(index.podCounter('other', one).total).toBe(0);
});
