import { expect, test } from 'vitest';
import type { CountedPods } from '../../../src/engine/topology/counted-pods.ts';
import { PodsPerSlot } from '../../../src/engine/topology/pods-per-slot.ts';
import { RunExclusions } from '../../../src/engine/topology-run/run-exclusions.ts';
import {
  EXCLUDED,
  EXCLUDED_WORDS,
  EXCLUDER_WORDS,
  MEMBER,
  MEMBER_WORDS,
} from '../../../src/engine/topology-run/run-layout.ts';
import { RunWords } from '../../../src/engine/topology-run/run-words.ts';
import { ColumnTable } from '../../../src/memory/column-table.ts';
import { DomainCount, PodCounter } from '../../../src/memory/domain-counter.ts';
import { SharedMemory } from '../../../src/memory/shared-memory.ts';
import { TopologyDomains } from '../../../src/memory/topology-domains.ts';
import { makePodInfo } from '../../builders/make-cluster.ts';
import { makePod } from '../../builders/make-pod.ts';

function start() {
  const memory = new SharedMemory();
  const table = new ColumnTable(memory);
  const domains = new TopologyDomains(memory, table);
  for (const slot of [0, 1, 2]) domains.assign(slot, `n${slot}`);
  const groups = new Map<PodCounter, CountedPods[]>();
  /** A count that a group counts, with the group's pods on these slots. */
  const counted = (slots: readonly number[]): { count: DomainCount; pods: CountedPods } => {
    const counter = new PodCounter(table);
    const perSlot = new PodsPerSlot();
    for (const slot of slots) {
      perSlot.add(slot);
      counter.add(slot, 1);
    }
    const pods: CountedPods = {
      ...{ pod: makePodInfo(makePod('p')), key: '', marks: [], isGone: false, hasRegistered: true, perSlot },
      counters: [{ counter, multiplicity: 1 }],
    };
    groups.set(counter, [pods]);
    return { count: new DomainCount(domains, counter, null), pods };
  };
  return { memory, exclusions: new RunExclusions((pods) => groups.get(pods) ?? []), counted };
}

test('nodes in a domain with pods of any count are listed once', () => {
  const { exclusions, counted } = start();
  const [first, second] = [counted([0, 1, 1, 3]), counted([1, 2])];
  exclusions.begin([], 4);
  expect(exclusions.slotsOf([first.count, second.count])).toEqual([0, 1, 2]);
  expect(exclusions.slotsOf([second.count])).toEqual([1, 2]);
  expect(exclusions.slotsOf([counted([]).count])).toEqual([]);
});

test('the nodes of a member have room for the pods of all members that add to them', () => {
  const { memory, exclusions, counted } = start();
  const [first, second] = [counted([0]), counted([])];
  const members = [
    { exclusions: [first.count, second.count], countedPods: first.pods, pods: 3 },
    { exclusions: [second.count], countedPods: second.pods, pods: 4 },
    { exclusions: [], countedPods: second.pods, pods: 5 },
  ];
  const words = new RunWords(memory);
  // The words must not move while they are written.
  words.take(1000);
  words.clear();
  const at = words.take(members.length * MEMBER_WORDS);
  exclusions.begin(members, 20);
  exclusions.write(words, at, members);
  const read = (pointer: number, count: number): number[] => [...new Int32Array(memory.memory.buffer, pointer, count)];
  const records = members.map((_, i) => read(words.address(at + i * MEMBER_WORDS), MEMBER_WORDS));
  const [own = 0, other = 0, none] = records.map((record) => record[MEMBER.excluded]);
  expect(none).toBe(0);
  const [to, alsoTo] = [first, second].map(({ count }) => count.domains.column.pointer);
  const excluders = records.map((record) =>
    read(record[MEMBER.excluders] ?? 0, (record[MEMBER.excluderCount] ?? 0) * EXCLUDER_WORDS),
  );
  expect(excluders).toEqual([
    [own, to],
    [own, alsoTo, other, alsoTo],
    [own, alsoTo, other, alsoTo],
  ]);
  const excluded = [own, other].map((pointer) => read(pointer, EXCLUDED_WORDS));
  expect(excluded.map((record) => record[EXCLUDED.room])).toEqual([13, 9]);
  expect(excluded.map((record) => read(record[EXCLUDED.bits] ?? 0, 1))).toEqual([[1], [0]]);
  expect(excluded.map((record) => read(record[EXCLUDED.slots] ?? 0, record[EXCLUDED.length] ?? 0))).toEqual([[0], []]);
  expect([0, 1, 2].map((member) => exclusions.skippedNodes(words, member))).toEqual([0, 0, 0]);
});
