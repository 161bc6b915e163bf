import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BucketKeys } from '../../../src/engine/index/bucket-keys.ts';
import { ColumnTable } from '../../../src/memory/column-table.ts';
import { DomainCounter, PodCounter } from '../../../src/memory/domain-counter.ts';
import { DomainMembers } from '../../../src/memory/domain-members.ts';
import { SharedMemory } from '../../../src/memory/shared-memory.ts';
import { TopologyDomains } from '../../../src/memory/topology-domains.ts';

/** A cluster whose nodes have a zone, or none, and pods that are counted by node. */
function newCluster(nodes: readonly { readonly zone: number; readonly pods: number }[]) {
  const memory = new SharedMemory();
  const table = new ColumnTable(memory);
  table.reserve(nodes.length);
  const [zones, hosts] = [new TopologyDomains(memory, table), new TopologyDomains(memory, table)];
  const pods = new PodCounter(table);
  for (const [slot, { zone, pods: count }] of nodes.entries()) {
    zones.assign(slot, zone === 0 ? undefined : `z${zone}`);
    hosts.assign(slot, `h${slot}`);
    pods.add(slot, count);
  }
  const counterIn = (domains: TopologyDomains) =>
    new DomainCounter(memory, pods, new DomainMembers(memory, table, domains, true));
  return { zones, byHost: counterIn(hosts).count, byZone: counterIn(zones) };
}

const node = fc.record({ zone: fc.nat(3), pods: fc.nat(3) });

test('keys are equal where domains and numbers of pods are, whatever was sorted before', () => {
  const keys = new BucketKeys();
  fc.assert(
    fc.property(fc.array(node, { minLength: 1, maxLength: 40 }), (nodes) => {
      const { zones, byHost } = newCluster(nodes);
      const got = [...(keys.of(nodes.length, [zones], [byHost]) ?? [])];
      const texts = nodes.map(({ zone, pods }) => `${zone} ${pods}`);
      expect(got.map((key) => got.indexOf(key))).toEqual(texts.map((text) => texts.indexOf(text)));
    }),
  );
});

test('the pods of a domain count where they are summed by domain', () => {
  const { byZone } = newCluster([
    { zone: 1, pods: 1 },
    { zone: 2, pods: 3 },
    { zone: 1, pods: 2 },
    { zone: 0, pods: 3 },
  ]);
  expect(byZone.counts.get(0)).toBe(3);
  expect([...(new BucketKeys().of(4, [], [byZone.count]) ?? [])]).toEqual([4, 4, 4, 0]);
});

test('there are none with more than a small integer holds', () => {
  const { zones, byHost } = newCluster([{ zone: 1, pods: 127 }]);
  expect(new BucketKeys().of(1, [], [byHost])).toBeNull();
  expect(new BucketKeys().of(1, [zones, zones, zones], [])).toBeNull();
});
