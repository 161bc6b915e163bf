import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RecentRecords } from '../../src/lib/recent-records.ts';

const record = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.constantFrom<unknown>('1', '2', 1, undefined));

/** What the record holds, in its order. */
function textOf(given: object): string {
  return JSON.stringify(Object.entries(given).map(([name, member]) => [name, typeof member, member ?? null]));
}

describe('values by flat objects', () => {
  it('are those of an equal object, whatever became of it since, and never those of another', () => {
    fc.assert(
      fc.property(fc.array(record, { maxLength: 40, size: 'max' }), fc.integer({ min: 1, max: 4 }), (records, most) => {
        const recent = new RecentRecords<string>(most);
        for (const given of records) {
          const text = textOf(given);
          expect(recent.get(given) ?? text).toBe(text);
          if (recent.get(given) === undefined) recent.set(given, text);
          expect(recent.get({ ...given })).toBe(text);
          (given as Record<string, unknown>)['a'] = 'changed';
        }
      }),
    );
  });

  it('are kept of as many objects as may be, and the one that came last stays', () => {
    const recent = new RecentRecords<number>(2);
    recent.set({ a: 1 }, 1);
    recent.set({ a: 2 }, 2);
    expect([recent.get({ a: 1 }), recent.get({ a: 2 }), recent.get({})]).toEqual([1, 2, undefined]);
    recent.get({ a: 1 });
    recent.set({ a: 3 }, 3);
    expect([recent.get({ a: 1 }), recent.get({ a: 2 }), recent.get({ a: 3 })]).toEqual([1, undefined, 3]);
  });
});
