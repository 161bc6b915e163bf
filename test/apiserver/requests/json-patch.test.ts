import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { applyJsonPatch, JsonPatchError, type PatchOperation } from '../../../src/apiserver/requests/json-patch.ts';
import type { JsonValue } from '../../../src/kinds/object/json.ts';

const DOCUMENT = { a: { b: [1, 2, 3], 'x/y': 'z', 'm~n': 1 }, c: 'd' };

const CASES: readonly (readonly [string, PatchOperation, JsonValue])[] = [
  ['adds a member', { op: 'add', path: '/e', value: 1 }, { ...DOCUMENT, e: 1 }],
  [
    'adds before an item',
    { op: 'add', path: '/a/b/1', value: 9 },
    { ...DOCUMENT, a: { ...DOCUMENT.a, b: [1, 9, 2, 3] } },
  ],
  ['adds at the end', { op: 'add', path: '/a/b/-', value: 9 }, { ...DOCUMENT, a: { ...DOCUMENT.a, b: [1, 2, 3, 9] } }],
  ['removes an item', { op: 'remove', path: '/a/b/0' }, { ...DOCUMENT, a: { ...DOCUMENT.a, b: [2, 3] } }],
  ['replaces what is not there', { op: 'replace', path: '/e', value: 1 }, { ...DOCUMENT, e: 1 }],
  [
    'reads ~1 as a slash',
    { op: 'replace', path: '/a/x~1y', value: 1 },
    { ...DOCUMENT, a: { ...DOCUMENT.a, 'x/y': 1 } },
  ],
  [
    'reads ~0 as a tilde',
    { op: 'replace', path: '/a/m~0n', value: 2 },
    { ...DOCUMENT, a: { ...DOCUMENT.a, 'm~n': 2 } },
  ],
  ['moves', { op: 'move', from: '/c', path: '/e' }, { a: DOCUMENT.a, e: 'd' }],
  ['copies', { op: 'copy', from: '/c', path: '/e' }, { ...DOCUMENT, e: 'd' }],
  ['tests', { op: 'test', path: '/a/b', value: [1, 2, 3] }, DOCUMENT],
];

test.each(CASES)('%s', (_, operation, expected) => {
  expect(applyJsonPatch(DOCUMENT, [operation])).toEqual(expected);
});

const REFUSED: readonly PatchOperation[] = [
  { op: 'test', path: '/c', value: 'x' },
  { op: 'add', path: '/none/x', value: 1 },
  { op: 'add', path: '/a/b/7', value: 1 },
  { op: 'add', path: '/a/b/x', value: 1 },
  { op: 'add', path: 'c', value: 1 },
  { op: 'remove', path: '/none' },
  { op: 'move', from: '/none', path: '/e' },
  { op: 'add', path: '/e' },
  { op: 'frob', path: '/c' },
];

test.each(REFUSED)('refuses $op $path', (operation) => {
  expect(() => applyJsonPatch(DOCUMENT, [operation])).toThrow(JsonPatchError);
});

test('copies do not double for ever', () => {
  const doubling = { op: 'copy', from: '/list', path: '/list/-' };
  const apply = (times: number) => applyJsonPatch({ list: ['x'.repeat(50)] }, Array(times).fill(doubling));
  expect(JSON.stringify(apply(15)).length).toBeGreaterThan(1_500_000);
  expect(() => apply(50)).toThrow('copies of more than 3145728 bytes');
});

describe('any patch', () => {
  it('leaves the document as it was', () => {
    const operation = fc.record({
      op: fc.constantFrom('add', 'remove', 'replace', 'move', 'copy', 'test'),
      path: fc.constantFrom('', '/a', '/a/b', '/a/b/0', '/a/b/-', '/c', '/none/x'),
      from: fc.constantFrom('/a', '/c', '/none'),
      value: fc.jsonValue(),
    });
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 5 }), (operations) => {
        const document = structuredClone(DOCUMENT);
        try {
          applyJsonPatch(document, operations as PatchOperation[]);
        } catch (error) {
          expect(error).toBeInstanceOf(JsonPatchError);
        }
        expect(document).toEqual(DOCUMENT);
      }),
    );
  });
});
