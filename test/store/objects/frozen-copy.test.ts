import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { frozenCopy, isSame } from '../../../src/store/objects/frozen-copy.ts';
import { anyJson } from '../any-json.ts';

function isDeeplyFrozen(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return Object.isFrozen(value) && Object.values(value).every(isDeeplyFrozen);
}

describe('frozenCopy', () => {
  it('is equal, frozen all the way down, and of nothing that was given', () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        const copy = frozenCopy({ value });
        expect(JSON.stringify(copy)).toBe(JSON.stringify({ value }));
        expect(isDeeplyFrozen(copy)).toBe(true);
        if (typeof value === 'object') expect(copy.value).not.toBe(value);
      }),
    );
  });

  it('is `like` itself exactly when they are equal', () => {
    fc.assert(
      fc.property(anyJson, anyJson, (a, b) => {
        const like = frozenCopy({ value: a });
        const other = frozenCopy({ value: b }, like);
        expect(canonical(other)).toBe(canonical({ value: b }));
        expect(isDeeplyFrozen(other)).toBe(true);
        expect(other === like).toBe(isSame({ value: b }, like));
        if (other === like) expect(a).toEqual(b);
        // A member that reads as an object where there is none makes objects differ.
        const hasTrap = JSON.stringify(a)?.includes('__proto__') ?? false;
        if (!hasTrap) expect(frozenCopy({ value: structuredClone(a) }, like)).toBe(like);
      }),
    );
  });

  it('keeps parts of another copy where they stand there, and is equal to a copy without it', () => {
    fc.assert(
      fc.property(anyJson, anyJson, anyJson, fc.boolean(), (a, b, c, isList) => {
        const made = (part: unknown): unknown => (isList ? [part, { b }] : { part, other: { b } });
        const kept = frozenCopy({ value: made(a), rest: c });
        // As defaults do, what is new takes some parts over, at their place or elsewhere.
        const { value } = kept as { value: Record<string, unknown> & unknown[] };
        const parts: unknown = isList ? [...value, { c }] : { ...value, added: value['other'], c };
        const next = { value: parts, rest: b };
        const copy = frozenCopy(next, frozenCopy({ value: made(c), rest: c }), kept) as typeof next;
        expect(canonical(copy)).toBe(canonical(frozenCopy(next)));
        expect(isDeeplyFrozen(copy)).toBe(true);
        const other = (of: unknown): unknown => (isList ? (of as unknown[])[1] : (of as { other: unknown }).other);
        expect(other(frozenCopy(next, undefined, kept).value)).toBe(other(value));
      }),
    );
  });

  it('shares the equal members beside others, wherever they stand', () => {
    const members = fc.dictionary(
      fc.constantFrom('a', 'b', 'c', 'd', '__proto__', 'toString'),
      fc.constantFrom(0, 1, 2),
    );
    const values = fc.tuple(anyJson, anyJson, fc.constant(undefined));
    fc.assert(
      fc.property(values, members, members, (drawn, first, second) => {
        const of = (from: typeof first): Record<string, unknown> => {
          const made = Object.fromEntries(Object.entries(from).map(([key, i]) => [key, structuredClone(drawn[i])]));
          return { inner: made, text: 'x', outer: { made } };
        };
        const like = frozenCopy(of(first));
        const copy = frozenCopy(of(second), like);
        expect(canonical(copy)).toBe(canonical(frozenCopy(of(second))));
        expect(isDeeplyFrozen(copy)).toBe(true);
        expect(copy === like).toBe(isSame(of(second), like));
        if (isSame(of(second)['inner'], like['inner'])) expect(copy['inner']).toBe(like['inner']);
      }),
    );
  });

  it('does not take an inherited member for one of its own', () => {
    const like = frozenCopy({ z: 1 });
    const trap = JSON.parse('{"__proto__":{}}');
    expect(JSON.stringify(frozenCopy(trap, like))).toBe('{"__proto__":{}}');
    expect(isDeeplyFrozen(frozenCopy(trap, like))).toBe(true);
    expect(frozenCopy({ toString: 'x' }, like)).toEqual({ toString: 'x' });
  });

  it('shares the parts that are equal', () => {
    const like = frozenCopy({ a: { x: 1 }, b: [{ y: 2 }, { z: 3 }], c: 1 });
    const copy = frozenCopy({ a: { x: 1 }, b: [{ y: 2 }, { z: 4 }] }, like);
    expect(copy.a).toBe(like.a);
    expect(copy.b).not.toBe(like.b);
    expect(copy.b[0]).toBe(like.b[0]);
  });

  it('leaves out what JSON leaves out, and null', () => {
    const copy = frozenCopy({
      a: undefined,
      b: null,
      c: () => 1,
      d: Symbol('d'),
      e: { f: null },
      g: [null, undefined],
    });
    expect(copy).toEqual({ e: {}, g: [null, null] });
    expect(Object.keys(copy)).toEqual(['e', 'g']);
    expect(frozenCopy({ a: undefined, b: 1, n: null }, frozenCopy({ b: 1 }))).toEqual({ b: 1 });
    expect(isSame({ a: undefined, b: 1 }, frozenCopy({ b: 1 }))).toBe(true);
    expect(isSame({ b: 1 }, frozenCopy({ b: 1, c: 1 }))).toBe(false);
  });

  it('writes moments as the API does', () => {
    const moment = new Date('2026-01-02T03:04:05.678Z');
    const copy = frozenCopy({ startTime: moment, renewTime: moment });
    expect(copy).toEqual({ startTime: '2026-01-02T03:04:05Z', renewTime: '2026-01-02T03:04:05.678000Z' });
    expect(frozenCopy({ startTime: moment, renewTime: moment }, copy)).toBe(copy);
    const later = new Date(moment.getTime() + 1);
    expect(frozenCopy([{ renewTime: later }, { renewTime: later }])).toEqual([
      { renewTime: '2026-01-02T03:04:05.679000Z' },
      { renewTime: '2026-01-02T03:04:05.679000Z' },
    ]);
  });

  it('takes own members only', () => {
    const inherited = Object.create({ inherited: 1 }, { own: { value: 2, enumerable: true } });
    expect(frozenCopy(inherited)).toEqual({ own: 2 });
  });

  it.each([
    ['a bigint', { count: 1n }, 'a bigint cannot be stored: count'],
    ['an invalid Date', { at: new Date(Number.NaN) }, 'an invalid Date cannot be stored: at'],
    ['an object in itself', endless(), 'nested deeper than 100 levels, or contains itself'],
  ])('refuses %s', (_, value, message) => {
    expect(() => frozenCopy(value)).toThrow(message);
    expect(() => frozenCopy(value, frozenCopy({ a: { a: { a: {} } } }))).toThrow(message);
  });
});

/** JSON with the members of each object in order. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, member]) => `${key}:${canonical(member)}`);
  return `{${members.sort().join()}}`;
}

function endless(): unknown {
  const self: Record<string, unknown> = {};
  self['a'] = self;
  return self;
}
