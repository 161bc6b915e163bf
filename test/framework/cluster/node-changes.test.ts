import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NODE_AND_PODS, NODE_ONLY, NodeChanges } from '../../../src/framework/cluster/node-changes.ts';

describe('NodeChanges', () => {
  test('returns each slot once, since the reader last looked', () => {
    const changes = new NodeChanges();
    const start = changes.end;
    for (const slot of [3, 1, 3]) changes.append(slot, 'node', 10);
    expect([...(changes.since(start, NODE_ONLY) ?? [])]).toEqual([3, 1]);
    const cursor = changes.end;
    expect([...(changes.since(cursor, NODE_ONLY) ?? [])]).toEqual([]);
    changes.append(3, 'node', 10);
    expect([...(changes.since(cursor, NODE_ONLY) ?? [])]).toEqual([3]);
  });

  test('a reader names the reasons that matter to it, and how many changes are too many', () => {
    const changes = new NodeChanges();
    changes.append(1, 'node', 10);
    for (let i = 0; i < 5000; i++) changes.append(i % 7, 'pods', 10);
    expect([...(changes.since(0, NODE_ONLY) ?? [])]).toEqual([1]);
    expect(changes.since(0, NODE_AND_PODS)).toBeNull();
    const cursor = changes.end;
    changes.append(2, 'pods', 10);
    changes.append(4, 'node', 10);
    expect([...(changes.since(cursor, NODE_AND_PODS) ?? [])].sort()).toEqual([2, 4]);
    expect(changes.since(cursor, NODE_AND_PODS, 1)).toBeNull();
  });

  test('a reader that is far behind starts over; the bound follows the number of nodes', () => {
    const changesUntilLost = (nodes: number): number => {
      const changes = new NodeChanges();
      let count = 0;
      while (changes.since(0, NODE_ONLY) !== null && count < 10_000) {
        changes.append(0, 'node', nodes);
        count++;
      }
      return count;
    };
    expect(changesUntilLost(10)).toBe(1025);
    expect(changesUntilLost(5000)).toBe(5001);
  });

  test('a reader never misses a change, whenever it looks, and whatever for', () => {
    // 'read': the reader catches up. Runs of changes are long enough to overflow the log.
    const run = fc.record({ length: fc.integer({ min: 1, max: 700 }), reason: fc.constantFrom('node', 'pods') });
    const step = fc.oneof(fc.constant('read' as const), run);
    const cases = [fc.array(step, { maxLength: 20 }), fc.constantFrom(1, 2000), fc.boolean()] as const;
    fc.assert(
      fc.property(...cases, (steps, nodes, readsPods) => {
        const reasons = readsPods ? NODE_AND_PODS : NODE_ONLY;
        const changes = new NodeChanges();
        let cursor = changes.end;
        const pending = new Set<number>();
        let slot = 0;
        for (const event of [...steps, 'read' as const]) {
          if (event === 'read') {
            const changed = changes.since(cursor, reasons);
            if (changed !== null) expect(new Set(changed)).toEqual(pending);
            else expect(pending.size).toBeGreaterThan(0);
            cursor = changes.end;
            pending.clear();
            continue;
          }
          for (let i = 0; i < event.length; i++, slot++) {
            changes.append(slot, event.reason as 'node' | 'pods', nodes);
            if (readsPods || event.reason === 'node') pending.add(slot);
          }
        }
      }),
      { numRuns: 50 },
    );
  });
});
