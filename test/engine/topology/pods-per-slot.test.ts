import fc from 'fast-check';
import { expect, it } from 'vitest';
import { PodsPerSlot } from '../../../src/engine/topology/pods-per-slot.ts';

it('has the numbers of a plain count, however many pods came since it was read', () => {
  const slots = fc.array(fc.nat(5), { maxLength: 40 });
  fc.assert(
    fc.property(fc.array(fc.record({ slots, isLeaving: fc.boolean(), isRead: fc.boolean() })), (steps) => {
      const pods = new PodsPerSlot();
      const model = new Map<number, number>();
      for (const step of steps) {
        for (const slot of step.slots) {
          const count = model.get(slot) ?? 0;
          if (step.isLeaving && count === 0) continue;
          if (step.isLeaving) pods.remove(slot);
          else pods.add(slot);
          model.set(slot, count + (step.isLeaving ? -1 : 1));
          if (model.get(slot) === 0) model.delete(slot);
        }
        expect(pods.isEmpty).toBe(model.size === 0);
        if (step.isRead) expect(new Map(pods.entries())).toEqual(model);
      }
      expect(new Map(pods.entries())).toEqual(model);
    }),
  );
});

it('counts when very many pods have come', () => {
  const pods = new PodsPerSlot();
  for (let i = 0; i < 10_000; i++) pods.add(i % 3);
  expect([...pods.entries()]).toEqual([
    [0, 3334],
    [1, 3333],
    [2, 3333],
  ]);
});
