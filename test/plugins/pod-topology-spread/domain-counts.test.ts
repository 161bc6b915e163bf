import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DomainCounts } from '../../../src/plugins/pod-topology-spread/domain-counts.ts';

describe('DomainCounts', () => {
  test('a domain of 0 pods is a domain', () => {
    const counts = new DomainCounts();
    counts.add('a', 3);
    counts.add('b', 0);
    expect([counts.size, counts.lowest()]).toEqual([2, 0]);
  });

  test('without domains the minimum is beyond every count', () => {
    expect(new DomainCounts().lowest()).toBe(2 ** 31 - 1);
  });

  test('a domain may be called the empty string', () => {
    const counts = new DomainCounts();
    counts.add('', 2);
    expect([counts.size, counts.get(''), counts.lowest()]).toEqual([1, 2, 2]);
  });

  test('a copy goes its own way', () => {
    const counts = new DomainCounts(new Map([['a', 1]]));
    const copy = counts.clone();
    copy.add('a', 4);
    expect([counts.lowest(), copy.lowest()]).toEqual([1, 5]);
  });

  test('the minimum is that of all counts after any changes, on copies too', () => {
    const step = fc.record({
      domain: fc.constantFrom('', 'a', 'b', 'c'),
      count: fc.integer({ min: -2, max: 3 }),
      clone: fc.boolean(),
      ask: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 20 }), (steps) => {
        let counts = new DomainCounts();
        const expected = new Map<string, number>();
        for (const { domain, count, clone, ask } of steps) {
          if (clone) counts = counts.clone();
          counts.add(domain, count);
          expected.set(domain, (expected.get(domain) ?? 0) + count);
          if (ask) expect(counts.lowest()).toBe(Math.min(...expected.values()));
        }
        expect(counts.lowest()).toBe(Math.min(...expected.values()));
        expect(counts.size).toBe(expected.size);
      }),
    );
  });
});
