import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SecondChances } from '../../src/lib/second-chances.ts';

class Value {
  lastUse = 0;
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

function lineOf(...names: string[]): { line: SecondChances<Value>; values: Value[] } {
  const line = new SecondChances<Value>();
  const values = names.map((name) => new Value(name));
  for (const value of values) line.add(value);
  return { line, values };
}

describe('SecondChances', () => {
  test('gives up what was added first, as long as nothing is used', () => {
    const { line } = lineOf('a', 'b');
    const first = line.oldest(1);
    expect(first?.name).toBe('a');
    if (first !== null) line.delete(first);
    expect([line.oldest(1)?.name, line.size]).toEqual(['b', 1]);
  });

  test('spares once what was used since it was seen', () => {
    const { line, values } = lineOf('a', 'b', 'c');
    (values[0] as Value).lastUse = 3;
    expect(line.oldest(4)?.name).toBe('b');
    line.delete(values[1] as Value);
    line.delete(values[2] as Value);
    expect(line.oldest(5)?.name).toBe('a');
  });

  test('never gives up what is in use now', () => {
    const { line, values } = lineOf('a', 'b');
    for (const value of values) value.lastUse = 7;
    expect(line.oldest(7)).toBeNull();
    expect(line.oldest(8)).not.toBeNull();
  });

  test('holds what was added and not deleted, and finds each of them in the end', () => {
    const step = fc.record({ kind: fc.constantFrom('add', 'use', 'evict', 'delete'), at: fc.nat() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
        const line = new SecondChances<Value>();
        const held: Value[] = [];
        let now = 1;
        for (const { kind, at } of steps) {
          now++;
          const value = held[at % Math.max(1, held.length)];
          if (kind === 'add') {
            held.push(new Value(`${now}`));
            line.add(held.at(-1) as Value);
          } else if (value === undefined) expect(line.oldest(now)).toBeNull();
          else if (kind === 'use') value.lastUse = now;
          else {
            const gone = kind === 'delete' ? value : line.oldest(now);
            expect(held).toContain(gone);
            held.splice(held.indexOf(gone as Value), 1);
            line.delete(gone as Value);
          }
          expect(line.size).toBe(held.length);
        }
        for (let left = held.length; left > 0; left--) line.delete(line.oldest(now + 1) as Value);
        expect([line.size, line.oldest(now + 1)]).toEqual([0, null]);
      }),
    );
  });
});
