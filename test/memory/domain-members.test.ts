import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ColumnTable } from '../../src/memory/column-table.ts';
import { DomainMembers } from '../../src/memory/domain-members.ts';
import { SharedMemory } from '../../src/memory/shared-memory.ts';
import { TopologyDomains } from '../../src/memory/topology-domains.ts';

const SLOTS = 20;

const change = fc.record({
  slot: fc.nat(SLOTS - 1),
  value: fc.option(
    fc.nat(20).map((i) => `d${i}`),
    { nil: undefined },
  ),
  takesPart: fc.boolean(),
});

function newMembers(isForAll = false) {
  const memory = new SharedMemory();
  const table = new ColumnTable(memory);
  const domains = new TopologyDomains(memory, table);
  return { memory, table, domains, members: new DomainMembers(memory, table, domains, isForAll) };
}

test('members that come and go are those that join at once', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 60 }), (changes) => {
      const { memory, table, domains, members } = newMembers();
      const takingPart = new Set<number>();
      for (const { slot, value, takesPart } of changes) {
        members.leave(slot);
        domains.clear(slot);
        domains.assign(slot, value);
        if (takesPart) members.join(slot);
        if (takesPart) takingPart.add(slot);
        else takingPart.delete(slot);
      }
      const atOnce = new DomainMembers(memory, table, domains, false);
      atOnce.joinAll(SLOTS, (slot) => takingPart.has(slot));
      const contents = ({ byDomain, memberDomains, homes }: DomainMembers) => ({
        counts: Array.from({ length: domains.count }, (_, domain) => byDomain.get(domain)),
        memberDomains,
        homes: [...homes.values.subarray(0, SLOTS)],
      });
      expect(contents(members)).toEqual(contents(atOnce));
    }),
  );
});

test('where all take part the members are those of the domains, and nothing is given back', () => {
  const { memory, domains, members } = newMembers(true);
  domains.assign(0, 'a');
  domains.assign(1, 'a');
  members.join(1);
  expect([members.homeOf(1), members.homeOf(2), members.byDomain.get(0), members.memberDomains]).toEqual([0, -1, 2, 1]);
  members.leave(1);
  expect(members.homeOf(1)).toBe(0);
  const before = memory.allocatedBytes;
  members.release();
  expect(memory.allocatedBytes).toBe(before);
});

test('members of their own are given back', () => {
  const { memory, table, domains } = newMembers();
  const before = memory.allocatedBytes;
  const members = new DomainMembers(memory, table, domains, false);
  domains.assign(0, 'a');
  members.joinAll(1, () => true);
  expect([members.homeOf(0), memory.allocatedBytes > before]).toEqual([0, true]);
  members.release();
  expect(memory.allocatedBytes).toBe(before);
});
