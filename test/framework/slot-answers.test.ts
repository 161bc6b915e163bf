import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SlotAnswers } from '../../src/framework/slot-answers.ts';

test('slots get the answers that they would get by themselves, and slots that are alike are asked about once', () => {
  const slots = fc.array(fc.integer({ min: -1, max: 4 }), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(slots, fc.boolean(), fc.array(fc.nat(20), { maxLength: 40 }), (likeness, isKnown, reads) => {
      const asked: number[] = [];
      const answer = (slot: number): string => `answer ${likeness[slot] ?? -1}`;
      const ask = (slot: number): string => {
        asked.push(likeness[slot] ?? -1);
        return answer(slot);
      };
      const answers = new SlotAnswers(ask, isKnown ? Int32Array.from(likeness) : null);
      for (const slot of reads) expect(answers.of(slot)).toBe(answer(slot));
      const known = isKnown ? asked.filter((number) => number >= 0) : [];
      expect(known).toEqual([...new Set(known)]);
    }),
  );
});
