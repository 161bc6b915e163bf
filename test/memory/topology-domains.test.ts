import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ColumnTable } from '../../src/memory/column-table.ts';
import { SharedMemory } from '../../src/memory/shared-memory.ts';
import { NO_DOMAIN, TopologyDomains } from '../../src/memory/topology-domains.ts';

const SLOTS = 12;

function newDomains(): { table: ColumnTable; domains: TopologyDomains } {
  const memory = new SharedMemory();
  const table = new ColumnTable(memory);
  return { table, domains: new TopologyDomains(memory, table) };
}

describe('TopologyDomains', () => {
  test('nodes with one value are in one domain, an empty value is one like any other', () => {
    const { domains } = newDomains();
    for (const [slot, value] of ['a', '', 'a', undefined, ''].entries()) domains.assign(slot, value);
    expect([...domains.column.values.subarray(0, 6)]).toEqual([0, 1, 0, NO_DOMAIN, 1, NO_DOMAIN]);
    expect(domains.count).toBe(2);
    expect(domains.placedNodes).toBe(4);
    expect([domains.has(''), domains.has('a'), domains.has('b')]).toEqual([true, true, false]);
  });

  test('the number of a value that is gone goes to the next new one', () => {
    const { domains } = newDomains();
    for (const [slot, value] of ['a', 'b', 'b'].entries()) domains.assign(slot, value);
    domains.clear(0);
    domains.clear(1);
    domains.assign(0, 'c');
    expect([domains.domainOf(0), domains.domainOf(1), domains.domainOf(2)]).toEqual([0, NO_DOMAIN, 1]);
    expect(domains.has('a')).toBe(false);
    expect(domains.count).toBe(2);
  });

  test('rows that come with a larger table are in no domain', () => {
    const { table, domains } = newDomains();
    domains.assign(3, 'a');
    const { capacity } = table;
    table.reserve(capacity + 1);
    expect(domains.domainOf(3)).toBe(0);
    expect(domains.column.values.subarray(capacity).every((domain) => domain === NO_DOMAIN)).toBe(true);
  });

  test('after any changes two nodes share a domain exactly when they share a value', () => {
    const names = Array.from({ length: SLOTS }, (_, slot) => String.fromCharCode(97 + slot));
    const change = fc
      .record({
        slot: fc.nat(SLOTS - 1),
        value: fc.constantFrom('a', 'b', 'c', 'd', '', undefined),
        isNamed: fc.nat(5).map((drawn) => drawn > 0),
        asks: fc.nat(9).map((drawn) => drawn === 0),
      })
      .map(({ slot, value, isNamed, asks }) => ({ slot, value: isNamed ? names[slot] : value, asks }));
    fc.assert(
      fc.property(fc.array(change, { maxLength: 60, size: 'max' }), (changes) => {
        const { domains } = newDomains();
        const values = new Array<string | undefined>(SLOTS).fill(undefined);
        let mostValues = 0;
        for (const { slot, value, asks } of changes) {
          domains.clear(slot);
          domains.assign(slot, value, names[slot]);
          values[slot] = value;
          const present = values.filter((v) => v !== undefined);
          mostValues = Math.max(mostValues, new Set(present).size);

          const shared = values.map((a) => values.map((b) => a !== undefined && a === b));
          const numbers = values.map((_, s) => domains.domainOf(s));
          expect(numbers.map((a) => numbers.map((b) => a !== NO_DOMAIN && a === b))).toEqual(shared);
          expect(numbers.every((number) => number < domains.count)).toBe(true);
          expect(domains.placedNodes).toBe(present.length);
          if (asks) expect(domains.has('a')).toBe(present.includes('a'));
        }
        // Numbers are used again: the counters of domains do not grow with history.
        expect(domains.count).toBe(mostValues);
      }),
    );
  });
});
