import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { frozenCopy } from '../../../src/store/objects/frozen-copy.ts';
import { RepeatedCopy } from '../../../src/store/objects/repeated-copy.ts';

const labels = fc.dictionary(fc.constantFrom('a', 'b'), fc.constantFrom('x', 'y'), { maxKeys: 2 });

describe('RepeatedCopy', () => {
  it('copies as ever, and gives equal neighbours one copy', () => {
    fc.assert(
      fc.property(fc.array(fc.option(labels, { nil: undefined }), { maxLength: 12 }), (values) => {
        const repeated = new RepeatedCopy();
        let last: unknown;
        for (const value of values) {
          const copy = repeated.of(value);
          const isEmpty = value === undefined || Object.keys(value).length === 0;
          expect(copy).toEqual(isEmpty ? undefined : frozenCopy(value));
          expect(copy === value).toBe(value === undefined);
          if (copy !== undefined && last !== undefined) expect(copy === last).toBe(isEqual(copy, last));
          if (value !== undefined) last = copy;
        }
      }),
    );
  });

  it('does not follow what it was given', () => {
    const repeated = new RepeatedCopy();
    const given = { app: 'web' };
    const copies = [1, 2, 3].map(() => repeated.of(given));
    given.app = 'db';
    expect(repeated.of(given)).toEqual({ app: 'db' });
    expect(copies).toEqual([{ app: 'web' }, { app: 'web' }, { app: 'web' }]);
    expect(new Set(copies).size).toBe(1);
  });

  it('leaves what is no list or map to those who check it', () => {
    const repeated = new RepeatedCopy();
    const wrong = 'app=web' as unknown as object;
    expect([repeated.of(wrong), repeated.of(wrong), repeated.of(wrong)]).toEqual([wrong, wrong, wrong]);
  });
});

function isEqual(a: unknown, b: unknown): boolean {
  const text = (value: unknown): string => JSON.stringify(Object.entries(value as object).sort());
  return text(a) === text(b);
}
