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
  ['copies what is not there as null', { op: 'copy', from: '/none', path: '/e' }, { ...DOCUMENT, e: null }],
  ['adds null without a value', { op: 'add', path: '/e' }, { ...DOCUMENT, e: null }],
  [
    'counts from behind the last item when it adds',
    { op: 'add', path: '/a/b/-1', value: 9 },
    { ...DOCUMENT, a: { ...DOCUMENT.a, b: [1, 2, 3, 9] } },
  ],
  [
    'counts from the last item otherwise',
    { op: 'replace', path: '/a/b/-1', value: 9 },
    { ...DOCUMENT, a: { ...DOCUMENT.a, b: [1, 2, 9] } },
  ],
  ['does not read what stands before the first slash', { op: 'remove', path: 'any/c' }, { a: DOCUMENT.a }],
  ['replaces the document', { op: 'replace', path: '', value: { e: 1 } }, { e: 1 }],
  ['tests', { op: 'test', path: '/a/b', value: [1, 2, 3] }, DOCUMENT],
  ['tests for null', { op: 'test', path: '/none' }, DOCUMENT],
  ['tests the document', { op: 'test', path: '', value: DOCUMENT }, DOCUMENT],
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
  { op: 'add', path: '', value: {} },
  { op: 'add', path: '/a/b/-5', value: 1 },
  { op: 'test', path: '/a/b/3', value: null },
  { op: 'remove', path: '/a/b/-4' },
  { op: 'replace', path: '', value: 1 },
  { op: 'copy', from: '', path: '/e' },
  { op: 'copy', path: '/e' },
  { op: 'move', from: '/a/b/3', path: '/e' },
  { op: 'add', value: 1 },
  null as unknown as PatchOperation,
  { op: 'frob', path: '/c' },
];

test.each(REFUSED.map((operation) => [JSON.stringify(operation), operation] as const))('refuses %s', (_, operation) => {
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
