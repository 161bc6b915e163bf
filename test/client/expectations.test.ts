import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { Expectations } from '../../src/client/expectations.ts';
import { FakeClock } from '../../src/lib/clock.ts';

const FIVE_MINUTES_MILLIS = 300_000;

type Change = 'raise' | 'lower' | 'creationObserved' | 'deletionObserved';

let clock: FakeClock;
let expectations: Expectations;

beforeEach(() => {
  clock = new FakeClock();
  expectations = new Expectations(clock);
});

describe('Expectations', () => {
  it('are satisfied when nothing is expected', () => {
    expect([expectations.areSatisfied('a'), expectations.get('a')]).toEqual([true, undefined]);
    expectations.creationObserved('a');
    expectations.raise('a', 1, 1);
    expect(expectations.get('a')).toBeUndefined();
    expectations.expectCreations('a', 0);
    expect(expectations.areSatisfied('a')).toBe(true);
  });

  it('are satisfied when everything was seen, per key', () => {
    expectations.expectCreations('a', 2);
    expectations.expectDeletions('b', 1);
    expectations.creationObserved('a');
    expectations.deletionObserved('b');
    expect([expectations.areSatisfied('a'), expectations.areSatisfied('b')]).toEqual([false, true]);
    expectations.creationObserved('a');
    expect(expectations.areSatisfied('a')).toBe(true);
    expectations.creationObserved('a');
    expect(expectations.get('a')).toMatchObject({ creations: -1, deletions: 0 });
  });

  it('count creations and deletions apart, and both must be seen', () => {
    expectations.expectCreations('a', 1);
    expectations.raise('a', 0, 1);
    expectations.creationObserved('a');
    expectations.creationObserved('a');
    expect(expectations.areSatisfied('a')).toBe(false);
    expectations.lower('a', 0, 1);
    expect(expectations.areSatisfied('a')).toBe(true);
  });

  it('forget what was expected before, and all of a deleted key', () => {
    expectations.expectCreations('a', 3);
    expectations.expectDeletions('a', 1);
    expect(expectations.get('a')).toMatchObject({ creations: 0, deletions: 1 });
    expectations.delete('a');
    expect([expectations.areSatisfied('a'), expectations.get('a')]).toEqual([true, undefined]);
  });

  it('expire after five minutes, counted from when they were set, not from when they were raised', () => {
    expectations.expectCreations('a', 1);
    clock.advance(FIVE_MINUTES_MILLIS);
    expectations.raise('a', 1, 0);
    expect(expectations.areSatisfied('a')).toBe(false);
    clock.advance(1);
    expect([expectations.areSatisfied('a'), expectations.get('a')?.creations]).toEqual([true, 2]);
    expectations.expectCreations('a', 1);
    expect(expectations.areSatisfied('a')).toBe(false);
  });

  it('are satisfied exactly when the sums are', () => {
    const change = fc.record({
      do: fc.constantFrom<Change>('raise', 'lower', 'creationObserved', 'deletionObserved'),
      count: fc.nat(3),
    });
    fc.assert(
      fc.property(fc.nat(5), fc.array(change), (first, changes) => {
        expectations.expectCreations('a', first);
        let [creations, deletions] = [first, 0];
        for (const { do: what, count } of changes) {
          if (what === 'raise') expectations.raise('a', count, 1);
          if (what === 'lower') expectations.lower('a', 1, count);
          if (what === 'creationObserved') expectations.creationObserved('a');
          if (what === 'deletionObserved') expectations.deletionObserved('a');
          creations += { raise: count, lower: -1, creationObserved: -1, deletionObserved: 0 }[what];
          deletions += { raise: 1, lower: -count, creationObserved: 0, deletionObserved: -1 }[what];
          expect(expectations.get('a')).toMatchObject({ creations, deletions });
          expect(expectations.areSatisfied('a')).toBe(creations <= 0 && deletions <= 0);
        }
      }),
    );
  });
});
