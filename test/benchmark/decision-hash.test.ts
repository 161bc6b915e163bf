import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decisionHash, hashDecisions } from '../../src/benchmark/decision-hash.ts';
import { POD_LADDER, rungBelow } from '../../src/benchmark/pod-ladder.ts';

describe('decision hashes', () => {
  it('are over one line a pod', () => {
    const expected = createHash('sha256').update('node-1\n\nnode-2 default/a default/b\n').digest('hex').slice(0, 32);
    expect(decisionHash(['node-1', '', 'node-2 default/a default/b'])).toBe(expected);
  });

  it('differ by order and holes', () => {
    const hashes = [['a', 'b'], ['b', 'a'], ['a', 'b', ''], ['ab']].map(decisionHash);
    expect(new Set(hashes).size).toBe(4);
  });

  it('of prefixes are those of shorter runs', () => {
    // Long names, so that the pieces in which is hashed end in between.
    const decisions = fc.array(fc.string({ minLength: 100, maxLength: 900 }), { maxLength: 60 });
    fc.assert(
      fc.property(decisions, (names) => {
        const { hash, prefixes } = hashDecisions(names, new Set(POD_LADDER));
        expect(hash).toBe(decisionHash(names));
        expect([...prefixes.keys()]).toEqual(POD_LADDER.filter((rung) => rung <= names.length));
        for (const [count, prefix] of prefixes) expect(prefix).toBe(decisionHash(names.slice(0, count)));
      }),
      { numRuns: 30 },
    );
  });
});

it('the pod ladder has three rungs a decade', () => {
  expect(POD_LADDER.slice(0, 7)).toEqual([1, 2, 5, 10, 20, 50, 100]);
  expect([0.3, 1, 4.9, 5, 9, 1999, 1e9].map(rungBelow)).toEqual([1, 1, 2, 5, 5, 1000, 10_000_000]);
});
