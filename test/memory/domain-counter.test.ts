import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ColumnTable } from '../../src/memory/column-table.ts';
import { DomainCounter, PodCounter, type PodsBySlot } from '../../src/memory/domain-counter.ts';
import { DomainMembers } from '../../src/memory/domain-members.ts';
import { SharedMemory } from '../../src/memory/shared-memory.ts';
import { TopologyDomains } from '../../src/memory/topology-domains.ts';

/** Counters with the same members. */
class Counting {
  readonly #memory: SharedMemory;
  readonly nodes: DomainMembers;
  readonly counters: DomainCounter[] = [];

  constructor(memory: SharedMemory, table: ColumnTable, domains: TopologyDomains, isForAll = false) {
    this.#memory = memory;
    this.nodes = new DomainMembers(memory, table, domains, isForAll);
  }

  add(pods: PodCounter): DomainCounter {
    const counter = new DomainCounter(this.#memory, pods, this.nodes);
    this.counters.push(counter);
    return counter;
  }

  join(slot: number): void {
    this.nodes.join(slot);
    for (const counter of this.counters) counter.join(slot);
  }

  leave(slot: number): void {
    for (const counter of this.counters) counter.leave(slot);
    this.nodes.leave(slot);
  }
}

function newCounter() {
  const memory = new SharedMemory();
  const table = new ColumnTable(memory);
  const domains = new TopologyDomains(memory, table);
  const pods = new PodCounter(table);
  const nodes = new Counting(memory, table, domains);
  return { domains, pods, nodes, counter: nodes.add(pods) };
}

describe('DomainCounter', () => {
  test('counts the pods of nodes that take part, whenever they come', () => {
    const { domains, pods, nodes, counter } = newCounter();
    for (const [slot, value] of ['a', 'b', 'a'].entries()) domains.assign(slot, value);
    pods.add(0, 2);
    nodes.join(0);
    nodes.join(1);
    pods.add(1, 1);
    pods.add(2, 5);
    expect([counter.counts.get(0), counter.counts.get(1), counter.total]).toEqual([2, 1, 3]);
    expect([counter.members.get(0), counter.members.get(1), counter.memberDomains]).toEqual([1, 1, 2]);
    nodes.join(2);
    expect([counter.counts.get(0), counter.members.get(0), counter.total]).toEqual([7, 2, 8]);
  });

  test('a counter that shares its members counts its own pods on the same nodes', () => {
    const memory = new SharedMemory();
    const table = new ColumnTable(memory);
    const domains = new TopologyDomains(memory, table);
    for (let slot = 0; slot < 40; slot++) domains.assign(slot, `v${slot % 20}`);
    const nodes = new Counting(memory, table, domains);
    const peer = nodes.add(new PodCounter(table));
    for (const slot of [3, 19, 23]) nodes.join(slot);
    const pods = new PodCounter(table);
    for (const slot of [3, 4, 23]) pods.add(slot, slot);
    const counter = nodes.add(pods);
    pods.add(19, 1);
    expect([3, 4, 19].map((domain) => counter.counts.get(domain))).toEqual([26, 0, 1]);
    expect([3, 4, 19].map((domain) => counter.members.get(domain))).toEqual([2, 0, 1]);
    expect([counter.total, peer.total, counter.memberDomains]).toEqual([27, 0, 2]);
    nodes.leave(23);
    expect([counter.total, peer.isMember(23), counter.isMember(23)]).toEqual([4, false, false]);
  });

  test('nodes that join at once are those that join one by one', () => {
    const memory = new SharedMemory();
    const table = new ColumnTable(memory);
    const domains = new TopologyDomains(memory, table);
    const pods = new PodCounter(table);
    for (let slot = 0; slot < 60; slot++) {
      domains.assign(slot, slot % 7 === 0 ? undefined : `v${slot % 25}`);
      pods.add(slot, slot % 3);
    }
    const takesPart = (slot: number): boolean => slot % 4 !== 1 && slot < 50;
    const atOnce = new Counting(memory, table, domains);
    const oneByOne = new Counting(memory, table, domains);
    oneByOne.add(pods);
    atOnce.nodes.joinAll(60, takesPart);
    atOnce.add(pods);
    for (let slot = 0; slot < 60; slot++) if (takesPart(slot)) oneByOne.join(slot);
    const allOf = ({ counters: [counter] }: Counting) => [
      ...[counter?.counts, counter?.members].map((vector) => Array.from({ length: 25 }, (_, i) => vector?.get(i))),
      ...[counter?.total, counter?.memberDomains],
      Array.from({ length: 60 }, (_, slot) => counter?.isMember(slot)),
    ];
    expect(allOf(atOnce)).toEqual(allOf(oneByOne));
    pods.add(8, 5);
    for (const nodes of [atOnce, oneByOne]) nodes.leave(10);
    expect(allOf(atOnce)).toEqual(allOf(oneByOne));
  });

  test('the slots of a counter are visited once, whether they are few or many', () => {
    for (const most of [3, 60]) {
      const pods = new PodCounter(new ColumnTable(new SharedMemory()));
      for (let slot = 0; slot < most; slot++) for (const delta of [2, -1]) pods.add(slot, delta);
      pods.add(1, -1);
      const visited: number[] = [];
      pods.forEachSlot((slot, count) => visited.push(slot * count));
      expect(visited).toEqual(Array.from({ length: most }, (_, slot) => slot).filter((slot) => slot !== 1));
    }
  });

  test('a column that is made when somebody reads it is one that was kept from the start', () => {
    const pod = fc.record({ slot: fc.nat(30), pods: fc.integer({ min: 1, max: 3 }), isRead: fc.nat(9) });
    fc.assert(
      fc.property(fc.array(pod, { maxLength: 40 }), (steps) => {
        const memory = new SharedMemory();
        const table = new ColumnTable(memory);
        const domains = new TopologyDomains(memory, table);
        for (let slot = 0; slot < 31; slot++) domains.assign(slot, `v${slot % 7}`);
        const known = new Map<number, number>();
        const source: PodsBySlot = {
          on: (slot) => known.get(slot) ?? 0,
          forEach: (visit) => {
            for (const [slot, pods] of known) visit(slot, pods);
          },
        };
        const [kept, late] = [new PodCounter(table), new PodCounter(table, source)];
        for (const { slot, pods, isRead } of steps) {
          known.set(slot, (known.get(slot) ?? 0) + pods);
          kept.add(slot, pods);
          late.add(slot, pods);
          if (isRead === 0) expect(late.perNode.values).toEqual(kept.perNode.values);
          expect([late.on(slot), late.total]).toEqual([kept.on(slot), kept.total]);
        }
        const nodes = new Counting(memory, table, domains, true);
        const sums = (pods: PodCounter) => [...nodes.add(pods).counts.values];
        expect(sums(late)).toEqual(sums(kept));
        late.release(table);
        kept.release(table);
      }),
    );
  });

  test('sums that are made when somebody asks for them are those that were kept from the start', () => {
    const step = fc.record({ slot: fc.nat(7), value: fc.option(fc.nat(9)), pods: fc.integer({ min: 0, max: 3 }) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const memory = new SharedMemory();
        const table = new ColumnTable(memory);
        const domains = new TopologyDomains(memory, table);
        const pods = new PodCounter(table);
        const nodes = new Counting(memory, table, domains, true);
        const [kept, late] = [nodes.add(pods), nodes.add(pods)];
        expect(kept.counts.get(0)).toBe(0);
        const countsOf = ({ count, total }: DomainCounter) => [
          ...Array.from({ length: 8 }, (_, slot) => {
            const domain = domains.domainOf(slot);
            return domain < 0 ? -1 : count.countAt(slot, domain);
          }),
          total,
        ];
        for (const { slot, value, pods: more } of steps) {
          nodes.leave(slot);
          domains.clear(slot);
          domains.assign(slot, value === null ? undefined : `v${value}`);
          nodes.join(slot);
          pods.add(slot, more);
          expect(countsOf(late)).toEqual(countsOf(kept));
          expect(late.isByNode).toBe(late.summed === null && domains.sharedDomains === 0);
        }
        const sums = ({ counts }: DomainCounter) => Array.from({ length: 10 }, (_, domain) => counts.get(domain));
        expect(sums(late)).toEqual(sums(kept));
        expect(late.total).toBe(kept.total);
      }),
    );
  });

  test('a node without the label takes no part; leaving twice is leaving once', () => {
    const { domains, pods, nodes, counter } = newCounter();
    domains.assign(0, undefined);
    domains.assign(1, 'a');
    pods.add(0, 3);
    pods.add(1, 4);
    nodes.join(0);
    nodes.join(1);
    expect([counter.total, counter.memberDomains]).toEqual([4, 1]);
    nodes.leave(0);
    nodes.leave(1);
    nodes.leave(1);
    expect([counter.total, counter.memberDomains, counter.counts.get(0)]).toEqual([0, 0, 0]);
  });

  test('a counter for all nodes is one that every node joins', () => {
    const slot = fc.nat(19);
    const value = fc.option(
      fc.nat(20).map((i) => `d${i}`),
      { nil: undefined },
    );
    const change = fc.oneof(
      fc.record({ do: fc.constant('pods' as const), slot, delta: fc.integer({ min: -3, max: 5 }) }),
      fc.record({ do: fc.constant('node' as const), slot, value }),
    );
    fc.assert(
      fc.property(fc.array(change, { maxLength: 60 }), fc.nat(30), (changes, bornAt) => {
        const memory = new SharedMemory();
        const table = new ColumnTable(memory);
        const domains = new TopologyDomains(memory, table);
        const pods = new PodCounter(table);
        const some = new Counting(memory, table, domains);
        const every = new Counting(memory, table, domains, true);
        const counters = [some.add(pods)];
        for (const [i, event] of changes.entries()) {
          if (i === bornAt) counters.push(every.add(pods));
          if (event.do === 'pods') {
            pods.add(event.slot, Math.max(event.delta, -pods.on(event.slot)));
            continue;
          }
          for (const nodes of [some, every]) nodes.leave(event.slot);
          domains.clear(event.slot);
          domains.assign(event.slot, event.value);
          for (const nodes of [some, every]) nodes.join(event.slot);
        }
        const [one = null, all = one] = counters.map(({ counts, members, total, memberDomains }) => {
          const byDomain = Array.from({ length: domains.count }, (_, at) => [counts.get(at), members.get(at)]);
          return { byDomain, total, memberDomains };
        });
        expect(all).toEqual(one);
      }),
    );
  });

  test('several counters of one kind of pod count each for themselves', () => {
    const memory = new SharedMemory();
    const table = new ColumnTable(memory);
    const [zones, racks] = [new TopologyDomains(memory, table), new TopologyDomains(memory, table)];
    const pods = new PodCounter(table);
    const [inZones, inRacks] = [new Counting(memory, table, zones), new Counting(memory, table, racks)];
    const counters = [inZones.add(pods), inRacks.add(pods)];
    zones.assign(0, 'z');
    racks.assign(0, 'r');
    inZones.join(0);
    pods.add(0, 1);
    expect(counters.map(({ total }) => total)).toEqual([1, 0]);
  });

  test('equals counting anew, after any changes of nodes and pods', () => {
    const slot = fc.nat(19);
    const change = fc.oneof(
      fc.record({ do: fc.constant('pods' as const), slot, delta: fc.integer({ min: -3, max: 5 }) }),
      fc.record({
        do: fc.constant('node' as const),
        slot,
        // More than the 16 domains that a counter has room for at first.
        value: fc.option(
          fc.nat(20).map((i) => `d${i}`),
          { nil: undefined },
        ),
        takesPart: fc.boolean(),
      }),
    );
    fc.assert(
      fc.property(fc.array(change, { maxLength: 80, size: 'max' }), (changes) => {
        const { domains, pods, nodes: taking, counter } = newCounter();
        const nodes = new Map<number, string>();
        const podCounts = new Map<number, number>();
        for (const event of changes) {
          if (event.do === 'pods') {
            podCounts.set(event.slot, (podCounts.get(event.slot) ?? 0) + event.delta);
            pods.add(event.slot, event.delta);
          } else {
            taking.leave(event.slot);
            domains.clear(event.slot);
            domains.assign(event.slot, event.value);
            if (event.takesPart) taking.join(event.slot);
            if (event.takesPart && event.value !== undefined) nodes.set(event.slot, event.value);
            else nodes.delete(event.slot);
          }
          const counts = new Map<string, { pods: number; members: number }>();
          for (const [at, value] of nodes) {
            const { pods: before, members } = counts.get(value) ?? { pods: 0, members: 0 };
            counts.set(value, { pods: before + (podCounts.get(at) ?? 0), members: members + 1 });
          }
          const expected = [...nodes].map(([at, value]) => [at, counts.get(value)]);
          const got = [...nodes.keys()].map((at) => {
            const domain = domains.domainOf(at);
            return [at, { pods: counter.counts.get(domain), members: counter.members.get(domain) }];
          });
          expect(got).toEqual(expected);
          expect(counter.memberDomains).toBe(counts.size);
          expect(counter.total).toBe([...counts.values()].reduce((sum, count) => sum + count.pods, 0));
          // Domains without members count nothing: a number that is given away again starts at 0.
          const all = Array.from({ length: domains.count }, (_, domain) => counter.counts.get(domain));
          expect(all.reduce((sum, count) => sum + count, 0)).toBe(counter.total);
        }
      }),
    );
  });
});
