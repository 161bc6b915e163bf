import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isSame, SpecShapes } from '../../../src/engine/signature/spec-shapes.ts';
import type { Pod } from '../../../src/index.ts';

type Spec = NonNullable<Pod['spec']>;

const specOf = (cpu: string, extra: Partial<Spec> = {}): Spec => ({
  containers: [{ name: 'main', resources: { requests: { cpu, memory: '1Gi' } } }],
  ...extra,
});

describe('isSame', () => {
  test('holds for a copy, whatever the order of its keys', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(isSame(value, reversed(JSON.parse(JSON.stringify(value))))).toBe(true);
      }),
    );
  });

  test('holds only for values that read the same as JSON', () => {
    const leaf = fc.constantFrom<unknown>(null, 0, 1, '', 'a', true, false);
    const value = fc.letrec((tie) => ({
      any: fc.oneof({ maxDepth: 2 }, leaf, fc.array(tie('any'), { maxLength: 2 }), tie('object')),
      object: fc.dictionary(fc.constantFrom('x', 'y'), tie('any')),
    })).any;
    const sorted = (v: unknown): string => JSON.stringify(v, (_, item) => (isFields(item) ? inOrder(item) : item));
    fc.assert(
      fc.property(value, value, (a, b) => {
        expect(isSame(a, b)).toBe(sorted(a) === sorted(b));
      }),
    );
  });

  test.each([
    ['a key without a value is no key', { a: 1, b: undefined }, { a: 1 }, true],
    ['null is a value', { a: null }, {}, false],
    ['an array is not an object', [], {}, false],
    ['equal dates', new Date(5), new Date(5), true],
    ['different dates', new Date(5), new Date(6), false],
    ['a date is not an object', new Date(5), {}, false],
  ])('%s', (_, a, b, same) => {
    expect(isSame(a, b)).toBe(same);
    expect(isSame(b, a)).toBe(same);
  });
});

describe('SpecShapes', () => {
  test('finds what was kept for the same contents, and nothing for others', () => {
    const shapes = new SpecShapes<string>();
    shapes.set(specOf('1'), 'one');
    shapes.set(specOf('1', { nodeName: 'h' }), 'one, named');
    expect(shapes.get(specOf('1'))).toBe('one');
    expect(shapes.get(specOf('1', { nodeName: 'h' }))).toBe('one, named');
    expect(shapes.get(specOf('1', { nodeName: 'g' }))).toBeUndefined();
    expect(shapes.get(specOf('2'))).toBeUndefined();
  });

  test('starts over when it holds too many', () => {
    const shapes = new SpecShapes<number>();
    for (let i = 0; i <= 4096; i++) shapes.set(specOf(String(i)), i);
    expect(shapes.get(specOf('0'))).toBeUndefined();
    expect(shapes.get(specOf('4096'))).toBe(4096);
  });
});

function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function inOrder(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (!isFields(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, item]) => [key, reversed(item)]),
  );
}
