import fc from 'fast-check';
import { expect, test } from 'vitest';
import { semanticallyEqual } from '../../src/api/semantic-equality.ts';

test.each<[unknown, unknown, boolean]>([
  [{ a: 1 }, { a: 1 }, true],
  [{ a: 1 }, { a: 2 }, false],
  [{ a: 1 }, { a: 1, b: 2 }, false],
  [{ a: [] }, {}, true],
  [{}, { a: null, b: {}, c: [] }, true],
  [{ a: { b: undefined } }, undefined, true],
  [{ a: '' }, {}, false],
  [{ a: 0 }, {}, false],
  [{ a: false }, {}, false],
  [['x', 'y'], ['y', 'x'], false],
  [['x'], { 0: 'x' }, false],
  [[undefined], [], false],
  [new Date('2026-01-01T00:00:00Z'), '2026-01-01T00:00:00Z', true],
  [new Date('2026-01-01T00:00:00Z'), '2026-01-01T00:00:01Z', false],
  ['1', 1, false],
])('%j and %j: %s', (a, b, isEqual) => {
  expect(semanticallyEqual(a, b)).toBe(isEqual);
  expect(semanticallyEqual(b, a)).toBe(isEqual);
});

test('a value equals its copy, also when what is empty is left out', () => {
  fc.assert(
    fc.property(fc.object(), (value) => {
      const copy = structuredClone(value);
      expect(semanticallyEqual(value, copy)).toBe(true);
      expect(semanticallyEqual({ ...copy, added: [], other: {} }, value)).toBe(true);
      expect(semanticallyEqual({ ...copy, 'surely not there': 1 }, value)).toBe(false);
    }),
  );
});
