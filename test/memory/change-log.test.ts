import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ChangeLog } from '../../src/memory/change-log.ts';

describe('ChangeLog', () => {
  test('tells each slot once, since the reader last looked', () => {
    const log = new ChangeLog();
    const start = log.end;
    for (const slot of [3, 1, 3]) log.append(slot, 10);
    expect([...(log.since(start) ?? [])]).toEqual([3, 1]);
    const cursor = log.end;
    expect([...(log.since(cursor) ?? [])]).toEqual([]);
    log.append(3, 10);
    expect([...(log.since(cursor) ?? [])]).toEqual([3]);
  });

  test('a reader that is far behind starts over; the bound follows the number of rows', () => {
    const changesUntilLost = (rows: number): number => {
      const log = new ChangeLog();
      let count = 0;
      while (log.since(0) !== null && count < 10_000) {
        log.append(0, rows);
        count++;
      }
      return count;
    };
    expect(changesUntilLost(10)).toBe(1025);
    expect(changesUntilLost(5000)).toBe(5001);
  });

  test('a reader never misses a change, whenever it looks', () => {
    // 'read': the reader catches up. Runs of changes are long enough to overflow the log.
    const step = fc.oneof(fc.constant('read' as const), fc.integer({ min: 1, max: 700 }));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), fc.constantFrom(1, 2000), (steps, rows) => {
        const log = new ChangeLog();
        let cursor = log.end;
        const pending = new Set<number>();
        let slot = 0;
        for (const event of [...steps, 'read' as const]) {
          if (event === 'read') {
            const changed = log.since(cursor);
            if (changed !== null) expect([...changed]).toEqual([...pending]);
            else expect(pending.size).toBeGreaterThan(0);
            cursor = log.end;
            pending.clear();
          } else {
            for (let i = 0; i < event; i++) {
              log.append(slot, rows);
              pending.add(slot);
              slot++;
            }
          }
        }
      }),
      { numRuns: 50 },
    );
  });
});
