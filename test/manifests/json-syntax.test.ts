import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findJsonSyntaxError, positionOf } from '../../src/manifests/json-syntax.ts';

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('findJsonSyntaxError', () => {
  it('agrees with the engine on what is JSON, and points into the text', () => {
    const damaged = fc
      .tuple(
        fc.json(),
        fc.nat({ max: 40 }),
        fc.nat({ max: 3 }),
        fc.constantFrom('', '"', '{', ']', ',', ':', '-', '1e', 'x'),
      )
      .map(([text, at, removed, added]) => text.slice(0, at) + added + text.slice(at + removed));
    fc.assert(
      fc.property(fc.oneof(fc.json(), damaged, fc.string()), (text) => {
        const found = findJsonSyntaxError(text);
        expect(found === null).toBe(isJson(text));
        if (found !== null) expect(found.offset >= 0 && found.offset <= text.length).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ['{"a": 1,}', 8, 'expected a key in double quotes, found "}"'],
    ['[1 2]', 3, 'expected \',\' or the closing bracket, found "2"'],
    ['{"a" 1}', 5, 'expected \':\', found "1"'],
    ['{} x', 3, 'expected the end of the document, found "x"'],
    ["{'a': 1}", 1, "expected a key in double quotes or '}', found \"'\""],
    ['["a\nb"]', 1, 'malformed or unfinished string'],
    ['[01]', 1, 'expected a value or \']\', found "0"'],
    ['', 0, 'it ends where a value is expected'],
  ])('%j', (text, offset, reason) => {
    expect(findJsonSyntaxError(text)).toEqual({ offset, reason });
  });

  it('stands any depth and any length', () => {
    expect(findJsonSyntaxError(`"${'a'.repeat(20_000_000)}`)?.offset).toBe(0);
    expect(findJsonSyntaxError('['.repeat(1_000_000))?.offset).toBe(1_000_000);
  });

  it('counts lines and columns from 1', () => {
    expect(positionOf('ab\ncd', 0)).toEqual({ line: 1, column: 1 });
    expect(positionOf('ab\ncd', 3)).toEqual({ line: 2, column: 1 });
    expect(positionOf('ab\ncd', 5)).toEqual({ line: 2, column: 3 });
  });
});
