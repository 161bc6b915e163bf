import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeFirstJson } from '../../src/lib/go-json.ts';

test('any JSON is what JSON.parse makes of it, with whatever behind it', () => {
  fc.assert(
    fc.property(fc.json(), fc.constantFrom('', ' ', '\n{}', ' nonsense', ']'), (text, behind) => {
      // Digits behind a number would be its own.
      const spaced = behind === '' ? text : `${text} ${behind}`;
      expect(decodeFirstJson(spaced)).toMatchObject({ value: JSON.parse(text) });
    }),
  );
});

test('any beginning of an object is an unexpected end', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.json()), fc.nat(), (object, at) => {
      const text = JSON.stringify(object);
      const part = text.slice(0, at % text.length);
      expect(decodeFirstJson(part)).toEqual({ error: part === '' ? 'EOF' : 'unexpected EOF' });
    }),
  );
});

test('never throws', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'{}[]:,"\\tfn01-+.eEuab \n') }), (text) => {
      const decoded = decodeFirstJson(text);
      if ('error' in decoded) expect(decoded.error).not.toBe('');
      else expect(JSON.parse(decoded.text)).toEqual(decoded.value);
    }),
    { numRuns: 500 },
  );
});

describe("errors are reported in Go's words", () => {
  test.each([
    ['', 'EOF'],
    [' \n', 'EOF'],
    ['{', 'unexpected EOF'],
    ['nonsense', "invalid character 'o' in literal null (expecting 'u')"],
    ['tru!', "invalid character '!' in literal true (expecting 'e')"],
    ['<html>', "invalid character '<' looking for beginning of value"],
    ['{a', "invalid character 'a' looking for beginning of object key string"],
    ['{"a" 1', "invalid character '1' after object key"],
    ['{"a":1 2', "invalid character '2' after object key:value pair"],
    ['[1 2', "invalid character '2' after array element"],
    ['["\n', "invalid character '\\n' in string literal"],
    ['["\\x', "invalid character 'x' in string escape code"],
    ['["\\u12g', "invalid character 'g' in \\u hexadecimal character escape"],
    ['[-a', "invalid character 'a' in numeric literal"],
    ['[1.a', "invalid character 'a' after decimal point in numeric literal"],
    ['[1e,', "invalid character ',' in exponent of numeric literal"],
    ['[01]', "invalid character '1' after array element"],
    ["'", "invalid character '\\'' looking for beginning of value"],
  ])('%j', (text, error) => {
    expect(decodeFirstJson(text)).toEqual({ error });
  });
});
