import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseJson } from '../../src/config/decode/parse-json.ts';
import { parseYaml } from '../../src/config/decode/parse-yaml.ts';
import { toPlain } from '../../src/config/decode/value.ts';

describe('parseJson', () => {
  test('reads what JSON.parse reads', () => {
    const spaces = fc.constantFrom('', ' ', 2, '\t');
    fc.assert(
      fc.property(fc.json(), spaces, (text, space) => {
        const written = JSON.stringify(JSON.parse(text), null, space);
        expect(toPlain(parseJson(written))).toEqual(JSON.parse(written));
      }),
    );
  });

  test('keeps the text of numbers and members that repeat', () => {
    expect(parseJson('{"a": 2.0, "a": [1e3]}')).toEqual({
      kind: 'object',
      members: [
        { key: 'a', value: { kind: 'number', text: '2.0' } },
        { key: 'a', value: { kind: 'list', items: [{ kind: 'number', text: '1e3' }] } },
      ],
    });
  });

  test.each(['', '{', '{"a":1}{', '{a: 1}', '{"a":1,}'])('refuses %j', (text) => {
    expect(() => parseJson(text)).toThrow(SyntaxError);
  });
});

describe('parseYaml', () => {
  const read = (text: string): unknown => {
    const parsed = parseYaml(text);
    return 'error' in parsed ? parsed : toPlain(parsed.value);
  };

  test.each<[string, string, unknown]>([
    ['octal numbers', 'a: 010', { a: 8 }],
    ['yes and off', 'a: yes\nb: Off', { a: true, b: false }],
    ['strings in quotes', `a: "yes"\nb: '010'`, { a: 'yes', b: '010' }],
    ['whole floats', 'a: 2.0', { a: 2 }],
    ['dates as strings', 'a: 2026-11-21', { a: '2026-11-21' }],
    ['times as strings', 'a: 1:30', { a: '1:30' }],
    ['anchors', 'a: &x 5\nb: *x', { a: 5, b: 5 }],
    ['merged mappings', 'a: &x {p: 1}\nb:\n  <<: *x\n  q: 2', { a: { p: 1 }, b: { p: 1, q: 2 } }],
    ['numbers as keys', '1: x', { '1': 'x' }],
    ['nothing', '# only a comment', null],
    ['the first of two documents', 'a: 1\n---\nb: {', { a: 1 }],
  ])('%s', (_, text, value) => {
    expect(read(text)).toEqual(value);
  });

  test('keys that stand twice', () => {
    const parsed = parseYaml('a:\n- x: 1\n  y: 2\n- x: 1\n  x: 2\nb: 1\nb: 2\n');
    if ('error' in parsed) throw new Error(parsed.error);
    expect(parsed.duplicates.map(({ field, message }) => [field, message])).toEqual([
      ['b', 'yaml: line 7: key "b" already set in map'],
      ['a[1].x', 'yaml: line 5: key "x" already set in map'],
    ]);
  });

  test.each<[string, string, RegExp]>([
    ['a tab', 'a: 1\n\tb: 2\n', /^yaml: line \d+: .*/],
    ['an alias to nothing', 'a: *nobody', /^yaml: .*nobody/],
    ['an open bracket', 'a: [1', /^yaml: line \d+: /],
  ])('says what is wrong: %s', (_, text, error) => {
    expect(read(text)).toEqual({ error: expect.stringMatching(error) });
  });
});
