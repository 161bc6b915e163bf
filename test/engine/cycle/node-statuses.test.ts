import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Node } from '../../../src/api/node.ts';
import { groupsOf, NodeStatuses, SlotGroups } from '../../../src/engine/cycle/node-statuses.ts';
import type { NodeInfo } from '../../../src/framework/node-info.ts';
import type { Snapshot } from '../../../src/framework/plugin.ts';
import { unresolvable, unschedulable } from '../../../src/framework/status.ts';
import { type EngineName, Scheduler } from '../../../src/index.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';

/** More statuses than sixteen bits can number. */
const MANY = 65_600;
const SPECIAL = [0, 65_534, 65_535, 65_536, MANY - 1];
const nameOf = (i: number): string => `n${i}`;

test('every node may be rejected by a status of its own', () => {
  const nodes = Array.from({ length: MANY }, (_, slot) => ({ slot, name: nameOf(slot) }) as NodeInfo);
  const snapshot = { nodeInfos: () => nodes, node: (name: string) => nodes[Number(name.slice(1))] };
  const special = new Set(SPECIAL);
  const slots = Int32Array.from(nodes, ({ slot }) => slot);
  const groups = groupsOf(slots, MANY, (slot) =>
    special.has(slot) ? unschedulable('Plugin', `full ${nameOf(slot)}`) : unresolvable('Plugin', 'small'),
  );
  const statuses = new NodeStatuses(snapshot as unknown as Snapshot, slots, groups);
  expect(statuses.nodesWithCode('Unschedulable').map(({ slot }) => slot)).toEqual(SPECIAL);
  for (const i of SPECIAL) expect(statuses.statusOf(nameOf(i))?.reasons).toEqual([`full n${i}`]);
  expect(statuses.statusOf('n65537')?.reasons).toEqual(['small']);
  expect(statuses.reasonCounts().get('small')).toBe(MANY - SPECIAL.length);
  expect([...statuses.distinct()]).toHaveLength(MANY);
});

test('one is asked of slots that are alike', () => {
  const statuses = [null, unschedulable('Plugin', 'full'), unresolvable('Plugin', 'small')];
  const slotCount = 40;
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(slotCount - 1)), fc.array(fc.nat(2)), (slots, answers) => {
      const numbers = Array.from({ length: slotCount }, (_, slot) => slot % Math.max(1, answers.length));
      const statusOf = (slot: number) => statuses[answers[numbers[slot] as number] ?? 0] ?? null;
      const asked = new Set<number>();
      const alike = { numbers, count: answers.length + 1 };
      const groups = groupsOf(
        slots,
        slotCount,
        (slot) => {
          expect(asked.has(numbers[slot] as number)).toBe(false);
          asked.add(numbers[slot] as number);
          return statusOf(slot);
        },
        alike,
      );
      const plain = groupsOf(slots, slotCount, statusOf);
      for (let slot = 0; slot < slotCount; slot++) expect(groups.status(slot)).toBe(plain.status(slot));
      expect([...groups.reasonCounts()]).toEqual([...plain.reasonCounts()]);
    }),
  );
});

describe('a pod that fits on none of very many nodes finds its victim on the only node that has one', () => {
  const none: Node[] = Array.from({ length: MANY }, (_, i) => makeNode(nameOf(i), { cpu: 0 }));

  test.each<EngineName>(['reference', 'scalar', 'simd'])('engine %s', (engine) => {
    const scheduler = new Scheduler({ engine, validate: false });
    for (const node of none) scheduler.addNode(node);
    const large = makePod('large', { requests: { cpu: 4 }, spec: { priority: 10 } });
    const results = [65_535, 65_536].map((i) => {
      scheduler.updateNode(makeNode(nameOf(i)));
      scheduler.addPod(makePod('small', { requests: { cpu: 1 }, nodeName: nameOf(i) }));
      const result = scheduler.schedule(large);
      for (const name of ['small', 'large']) scheduler.removePod('default', name);
      scheduler.updateNode(makeNode(nameOf(i), { cpu: 0 }));
      return result;
    });
    expect(results).toEqual(
      [65_535, 65_536].map((i) => ({
        status: 'unschedulable',
        message: `0/${MANY} nodes are available: ${MANY} Insufficient cpu.`,
        nominatedNode: nameOf(i),
        victims: ['default/small'],
      })),
    );
  });
});

test('reasons are counted with other statuses of some slots as if these had been set', () => {
  const all = ['a', 'b', 'c', 'd'].map((reason) => unschedulable('Plugin', reason, 'all'));
  const statuses = fc.constantFrom(null, ...all);
  const slots = 6;
  const others = fc.uniqueArray(fc.tuple(fc.nat(slots - 1), statuses), { selector: ([slot]) => slot });
  fc.assert(
    fc.property(fc.array(statuses, { minLength: slots, maxLength: slots }), others, (given, changed) => {
      const groups = new SlotGroups(slots);
      for (const [slot, status] of given.entries()) groups.set(slot, status);
      const before = groups.reasonCounts();
      const copy = new SlotGroups(slots, groups);
      for (const [slot, status] of changed) copy.set(slot, status);
      const counts = groups.reasonCountsWith((set) => {
        for (const [slot, status] of changed) set(slot, status);
      });
      expect(counts).toEqual(copy.reasonCounts());
      expect(groups.reasonCounts()).toEqual(before);
    }),
  );
});
