import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { History } from '../../../src/store/ledger/history.ts';

describe('History', () => {
  it('holds the last entries, and finds the first after a version', () => {
    const gaps = fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 30 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), gaps, (limit, steps) => {
        const history = new History<string>(limit);
        const versions: number[] = [];
        for (const gap of steps) {
          const version = (versions.at(-1) ?? 0) + gap;
          versions.push(version);
          history.push({ type: 'ADDED', version, object: `o${version}`, previous: undefined });
        }
        expect(history.end).toBe(versions.length);
        expect(history.start).toBe(Math.max(0, versions.length - limit));
        expect(history.forgottenVersion).toBe(versions[history.start - 1] ?? 0);
        for (let number = history.start; number < history.end; number++) {
          expect(history.at(number).version).toBe(versions[number]);
        }
        for (let version = history.forgottenVersion; version <= (versions.at(-1) ?? 0); version++) {
          const expected = versions.findIndex((other) => other > version);
          expect(history.firstAfter(version)).toBe(expected < 0 ? history.end : expected);
        }
        expect(() => history.at(history.end)).toThrow('an entry that is known');
        expect(() => history.at(history.start - 1)).toThrow('an entry that is known');
      }),
    );
  });

  it('holds as many entries as a plain list, also where the limit ends within a chunk', () => {
    const limits = fc.constantFrom(1, 1023, 1024, 1025, 1500, 2048, 2049, 5000);
    fc.assert(
      fc.property(limits, fc.integer({ min: 0, max: 6000 }), (limit, count) => {
        const history = new History<number>(limit);
        for (let i = 0; i < count; i++) history.push({ type: 'ADDED', version: i + 1, object: i, previous: undefined });
        expect(history.start).toBe(Math.max(0, count - limit));
        const kept = Array.from({ length: count - history.start }, (_, i) => history.at(history.start + i).object);
        expect(kept).toEqual(Array.from({ length: count - history.start }, (_, i) => history.start + i));
        expect(history.forgottenVersion).toBe(history.start);
      }),
      { numRuns: 60 },
    );
  });
});
