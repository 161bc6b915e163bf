import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { frozenCopy, isSame } from '../../../src/store/objects/frozen-copy.ts';
import { Pattern } from '../../../src/store/objects/pattern.ts';
import { anyJson } from '../any-json.ts';

describe('Pattern', () => {
  it('knows an equal value with members in the same order, and takes none for equal that is not', () => {
    fc.assert(
      fc.property(anyJson, anyJson, (a, b) => {
        const copy = frozenCopy({ value: a });
        const pattern = new Pattern(copy);
        expect(pattern.matches({ value: a })).toBe(true);
        expect(pattern.matches({ value: structuredClone(a) })).toBe(true);
        expect(pattern.matches({ value: b })).toBe(JSON.stringify(a) === JSON.stringify(b));
        if (pattern.matches({ value: b })) expect(frozenCopy({ value: b })).toEqual(copy);
      }),
    );
  });

  it('overlooks what a copy leaves out', () => {
    const pattern = new Pattern(frozenCopy({ a: 1, b: { c: [2] } }));
    const sparse = { n: null, a: 1, u: undefined, b: { c: [2], n: null } };
    expect(pattern.matches(sparse)).toBe(true);
    expect(isSame(sparse, frozenCopy({ a: 1, b: { c: [2] } }))).toBe(true);
  });

  it.each<[string, object, unknown]>([
    ['a list for an object', { 0: 'a' }, ['a']],
    ['an object for a list', ['a'], { 0: 'a' }],
    ['an empty list for an empty object', {}, []],
    ['a Date for an empty object', {}, new Date(0)],
    ['a longer list', ['a'], ['a', 'b']],
    ['a missing member', { a: 1, b: 2 }, { a: 1 }],
    ['one member more', { a: 1 }, { a: 1, b: 2 }],
    ['nothing', {}, null],
    ['a text', {}, ''],
  ])('does not take %s', (_, like, value) => {
    expect(new Pattern(frozenCopy(like)).matches(value)).toBe(false);
  });

  it('says no to another order of members, which a slower comparison has to decide', () => {
    expect(new Pattern(frozenCopy({ a: 1, b: 2 })).matches({ b: 2, a: 1 })).toBe(false);
  });

  it('ignores members of the outermost object by name', () => {
    const pattern = new Pattern(frozenCopy({ a: { x: 1 }, b: 2 }));
    const places = new Set(['x', 'y']);
    expect(pattern.matches({ x: 9, a: { x: 1 }, y: [], b: 2 }, places)).toBe(true);
    expect(pattern.matches({ a: { x: 9 }, b: 2 }, places)).toBe(false);
  });
});
