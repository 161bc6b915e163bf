import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeDocuments } from '../../src/manifests/decode.ts';
import { runs } from '../builders/runs.ts';

const numRuns = runs(100);

const firstOf = (text: string): unknown => [...decodeDocuments(new TextEncoder().encode(text), 'f')][0]?.value;
const json = (members: string): unknown => firstOf(`{"kind":"X",${members}}`);

test.each([
  ['an attribute', '"int":9223372036854775807', { int: '9223372036854775807' }],
  ['a list of attributes', '"ints":[1,-9223372036854775808]', { ints: [1, '-9223372036854775808'] }],
  ['a generation', '"generation":9007199254740993', { generation: '9007199254740993' }],
  ['a quantity', '"value":9223372036854775807', { value: '9223372036854775807' }],
  ['a quantity by name', '"requests":{"a":9223372036854775807}', { requests: { a: '9223372036854775807' } }],
  ['a field whose last digits do not matter', '"graceSeconds":9223372036854775807', { graceSeconds: 2 ** 63 }],
  ['what a double holds', '"int":9007199254740991', { int: 9007199254740991 }],
  ['digits within a text', '"int":9007199254740993,"a":"x 9007199254740993"', { a: 'x 9007199254740993' }],
  ['a fraction', '"int":9007199254740993,"a":0.12345678901234567890', { a: 0.12345678901234568 }],
])('%s has its digits in JSON and in YAML', (_, members, expected) => {
  expect(json(members)).toMatchObject(expected);
  const block = members.replaceAll(/"(\w+)":/g, '"$1": ');
  expect(firstOf(`a: {kind: X, ${block}}`)).toMatchObject({ a: expected });
});

test('block YAML has its digits', () => {
  expect(firstOf('kind: X\na:\n  int: 9223372036854775807\n  b: 1\n')).toMatchObject({
    a: { int: '9223372036854775807', b: 1 },
  });
});

test('every integer of 64 bits is read exactly', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), fc.string(), (int, text) => {
      const label = JSON.stringify(text);
      const expected = Number.isSafeInteger(Number(int)) ? Number(int) : String(int);
      expect(json(`"label":${label},"int":${int},"more":{"label":${label}}`)).toEqual({
        ...{ kind: 'X', label: text, int: expected },
        more: { label: text },
      });
    }),
    { numRuns },
  );
});
