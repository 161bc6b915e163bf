import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergePatch } from '../../../src/store/patch/merge-patch.ts';

const json: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.oneof(fc.string({ maxLength: 2 }), fc.integer({ max: 3 }), fc.constant(null)),
    fc.array(tie('value'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value'), { maxKeys: 3 }),
  ),
})).value;

describe('mergePatch', () => {
  // The examples of RFC 7386.
  it.each([
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [
      ['a', 'b'],
      ['c', 'd'],
      ['c', 'd'],
    ],
    [{ a: 'b' }, ['c'], ['c']],
    [{ a: 'foo' }, null, null],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: 'b', c: null }, { a: 'b' }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ])('%j with %j is %j', (target, patch, expected) => {
    expect(mergePatch(target, patch)).toEqual(expected);
  });

  it('changes nothing the second time, and neither of its arguments ever', () => {
    fc.assert(
      fc.property(json, json, (target, patch) => {
        const [targetBefore, patchBefore] = [structuredClone(target), structuredClone(patch)];
        const merged = mergePatch(target, patch);
        expect(mergePatch(merged, patch)).toEqual(merged);
        expect([target, patch]).toEqual([targetBefore, patchBefore]);
      }),
    );
  });

  it('ignores members that are undefined', () => {
    expect(mergePatch({ a: 1 }, { a: undefined, b: undefined })).toEqual({ a: 1 });
  });
});
