import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Membership } from '../../../src/engine/topology/membership.ts';
import { EVERY_NODE, type NodeCondition } from '../../../src/engine/topology/node-condition.ts';
import { PodCounter } from '../../../src/memory/domain-counter.ts';
import { TopologyDomains } from '../../../src/memory/topology-domains.ts';
import { EngineColumns } from '../../builders/engine-columns.ts';
import { makeNode } from '../../builders/make-node.ts';

const OPEN: NodeCondition = {
  ...{ key: 'open', topologyKeys: [], looksAt: null },
  includes: ({ metadata }) => metadata?.labels?.['door'] === 'open',
};

const SLOTS = 8;

const change = fc.record({
  slot: fc.nat(SLOTS - 1),
  zone: fc.constantFrom('a', 'b', 'c'),
  door: fc.constantFrom('open', 'shut'),
  pods: fc.nat(3),
});

test('counters that share the nodes that take part count as those that are made at the end', () => {
  fc.assert(
    fc.property(fc.constantFrom(OPEN, EVERY_NODE), fc.array(change, { maxLength: 40 }), (condition, changes) => {
      const world = new EngineColumns();
      const { memory, cluster } = world;
      const { table } = world.columns;
      const nodeOf = (slot: number, labels = {}) => makeNode(`n${slot}`, { labels });
      for (let slot = 0; slot < SLOTS; slot++) world.add(nodeOf(slot));
      const domains = new TopologyDomains(memory, table);
      const modules = { memory, table, cluster, attributes: world.attributes, domains: () => domains };
      const membership = new Membership(modules, domains, condition);
      const pods = [new PodCounter(table), new PodCounter(table)] as const;
      const counters = pods.map((each) => membership.newCounter(each));
      for (const { slot, zone, door, pods: count } of changes) {
        const node = nodeOf(slot, { zone, door });
        membership.leave(slot);
        cluster.updateNode(node);
        domains.clear(slot);
        domains.assign(slot, zone);
        membership.join(slot, node);
        expect(membership.isUpToDate(slot, node)).toBe(true);
        pods[count % 2]?.add(slot, count);
      }
      const late = new Membership(modules, domains, condition);
      for (const [i, counter] of counters.entries()) {
        const other = late.newCounter(pods[i] as PodCounter);
        const contents = ({ counts, members, total, memberDomains }: typeof counter) => [
          ...[counts, members].map((vector) => Array.from({ length: domains.count }, (_, at) => vector.get(at))),
          ...[total, memberDomains],
        ];
        expect(contents(counter)).toEqual(contents(other));
      }
    }),
  );
});

test('the last counter that is given up takes the memory of the members with it', () => {
  const { memory, cluster, columns, attributes } = new EngineColumns();
  const domains = new TopologyDomains(memory, columns.table);
  const pods = new PodCounter(columns.table);
  const before = memory.allocatedBytes;
  const modules = { memory, table: columns.table, cluster, attributes, domains: () => domains };
  const membership = new Membership(modules, domains, OPEN);
  const [first, second] = [membership.newCounter(pods), membership.newCounter(pods)];
  expect([membership.drop(first), membership.drop(second)]).toEqual([false, true]);
  for (const counter of [first, second]) counter.release();
  expect(memory.allocatedBytes).toBe(before);
});
