import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { Program } from '../../src/cel/program.ts';
import { CelError } from '../../src/cel/values/value.ts';
import { compiled, evaluate, evaluation, mistake, programOf } from './evaluate.ts';

describe('values', () => {
  it.each<[string, unknown]>([
    ['1 + 2 * 3', 7n],
    ['-2 - -3', 1n],
    ['7 / -2', -3n],
    ['-7 % 3', -1n],
    ['1.5 + 2.0', 3.5],
    ['"a" + \'b\'', 'ab'],
    ['r"\\n" + "\\u00e4\\x41\\101"', '\\näAA'],
    ['[1, 2] + [3] == [1, 2, 3]', true],
    ['{"a": 1}["a"] == {"b": 1}.b', true],
    ['1 == 1u || 2.0 == 2', 'found no matching overload'],
    ['dyn(1) == dyn(1u) && dyn(2.0) == 2', true],
    ['1 < 1.5 && 2u > 1', true],
    ['dyn(9007199254740993) == 9007199254740992.0', true],
    ['double("NaN") < 1.0', 'error: NaN values cannot be ordered'],
    ['double("NaN") == double("NaN")', false],
    ['x.all(k, k > 1)', 'error: no such overload'],
    ['[1, 2, 3].map(i, i * 2).filter(i, i > 2)', [4n, 6n]],
    ['[1, 2, 3].transformList(i, v, i + v)', [1n, 3n, 5n]],
    ['{"a": 1}.transformMap(k, v, v + 1).a', 2n],
    ['cel.bind(a, 2, a * a)', 4n],
    ['true ? 1 : 1 / 0', 1n],
    ['timestamp("2026-01-31T23:00:00Z").getDate("+02:00")', 1n],
    ['timestamp("2026-01-31T23:00:00Z").getHours("Europe/Berlin")', 0n],
    ['timestamp("2026-01-01T7:00:00Z").getHours()', 7n],
    ['timestamp("2026-01-02T00:00:00+24:60").getDayOfMonth()', 30n],
    ['duration("90m").getHours()', 1n],
    ['string(timestamp("2026-01-01T00:00:00.5Z") + duration("1s"))', '2026-01-01T00:00:01.5Z'],
    ['int("12") + int(3.9) + int(2u)', 17n],
    ['string(b"\\xc3\\xa4")', 'ä'],
    ['type(1u) == uint && type([]) == list', true],
    ['optional.none().orValue(3)', 3n],
    ['[optional.of(1), optional.none()].unwrapOpt() == [1]', true],
    ['[?optional.none(), 2] == [2]', true],
  ])('%s', (text, expected) => {
    if (typeof expected === 'string' && expected.startsWith('found')) expect(mistake(text)).toContain(expected);
    else expect(evaluate(text)).toEqual(expected);
  });

  it('integers stay within 64 bits', () => {
    expect(evaluate('9223372036854775807 + 1')).toBe('error: integer overflow');
    expect(evaluate('-9223372036854775808 - 1')).toBe('error: integer overflow');
    expect(evaluate('0u - 1u')).toBe('error: unsigned integer overflow');
    expect(evaluate('1 % 0')).toBe('error: modulus by zero');
  });

  it('one side of a condition that decides absorbs an error of the other', () => {
    expect(evaluate('1 / 0 == 1 || true')).toBe(true);
    expect(evaluate('false && 1 / 0 == 1')).toBe(false);
    expect(evaluate('1 / 0 == 1 && true')).toBe('error: division by zero');
    expect(evaluate('[1, 0].exists(i, 1 / i == 1)')).toBe(true);
  });
});

describe('mistakes', () => {
  it.each<[string, string]>([
    ['1 +', `ERROR: <input>:1:4: Syntax error: mismatched input '<EOF>' expecting {'[', '{'`],
    ['(1', `ERROR: <input>:1:3: Syntax error: missing ')' at '<EOF>'\n | (1\n | ..^`],
    ['1 = 2', `ERROR: <input>:1:3: Syntax error: token recognition error at: '= '`],
    ['nosuch', `ERROR: <input>:1:1: undeclared reference to 'nosuch' (in container '')\n | nosuch\n | ^`],
    ['"a" < 1', `found no matching overload for '_<_' applied to '(string, int)'`],
    [
      'true || true || 1 || true',
      `ERROR: <input>:1:19: found no matching overload for '_||_' applied to '(int, bool)'`,
    ],
    ['has(x)', 'invalid argument to has() macro'],
    ['[1].all(1, true)', 'argument must be a simple name'],
    ['[1, "a"]', `ERROR: <input>:1:5: expected type 'int' but found 'string'`],
    ['"a".matches("(")', 'invalid matches argument'],
    ['duration("1 hour")', 'invalid duration argument'],
    ['for', 'reserved identifier: for'],
    ['"ä" == y\n', `ERROR: <input>:1:8: undeclared reference to 'y' (in container '')\n | "ä" == y\n | .．.....^`],
    ['true &&\n  y', `ERROR: <input>:2:3: undeclared reference to 'y' (in container '')\n |   y\n | ..^`],
    ['int("x") == 1', `program instantiation failed: type conversion error from 'string' to 'int'`],
  ])('%j', (text, expected) => {
    expect(mistake(text)).toContain(expected);
  });

  test('no text makes the compiler throw', () => {
    const pieces = [
      'x',
      '.a',
      '[0]',
      '(',
      ')',
      '"s"',
      '1',
      '&&',
      '||',
      '?',
      ':',
      '!',
      '-',
      'in',
      '{',
      '}',
      ',',
      '[',
      ']',
    ];
    const macros = ['.all(i, ', '.map(i, ', 'has(', 'cel.bind(v, 1, ', '.?b', "'", '\n', 'ä', '0x', '1e', '//'];
    const text = fc.array(fc.oneof(fc.constantFrom(...pieces, ...macros), fc.string({ maxLength: 3 })), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(text, (parts) => {
        const program = compiled(parts.join(''));
        if (!(program instanceof Program)) expect(program.message).not.toBe('');
      }),
    );
  });

  it('very deep nesting is refused', () => {
    expect(mistake(`${'('.repeat(5000)}1${')'.repeat(5000)}`)).toContain('expression recursion limit exceeded');
    // A chain is not nested.
    expect(evaluate(Array(20_000).fill('true').join('&&'))).toBe(true);
  });
});

describe('costs', () => {
  it.each<[string, number]>([
    ['1 + 1 == 2', 2],
    ['x', 1],
    ['x == "a"', 2],
    ['[x, x]', 12],
    ['[1, 2]', 0],
    ['[1, 2, 3].exists(i, i == 3)', 19],
    ['cel.bind(v, [x], 1)', 0],
    ['true || x == 1', 0],
    ['[1, 2].reverse()', 13],
    ['[1, 2, 3].slice(0, 2)', 13],
    ['[[1], [2]].flatten()', 13],
    ['[1, 1].distinct()', 19],
    ['[3, 1, 2].sort()', 29],
    ['["c", "a", "b"].sort()', 29],
    ['["d", "c", "a", "b", "e"].sort()', 63],
  ])('%s costs %d', (text, cost) => {
    expect(evaluation(text).cost).toBe(cost);
  });

  it('an evaluation ends at the limit', () => {
    const { value, cost } = programOf('[1, 2, 3].all(i, x == 1 || i > 0)').evaluate(new Map([['x', 1n]]), 10);
    expect(value).toBeInstanceOf(CelError);
    expect(cost).toBe(11);
  });

  test('never above the estimate', () => {
    const list = fc.array(fc.integer({ min: -3, max: 3 }).map(BigInt), { maxLength: 6 });
    fc.assert(
      fc.property(arbitraryExpression(3), list, (text, x) => {
        const program = programOf(text);
        const { cost } = program.evaluate(new Map([['x', x]]), 1_000_000);
        expect(BigInt(cost) <= program.maxCost, `${text} costs ${cost}, estimated ${program.maxCost}`).toBe(true);
      }),
    );
  });
});

/** Conditions over the list `x`. */
function arbitraryExpression(depth: number): fc.Arbitrary<string> {
  const leaf = fc.constantFrom('x.size() > 2', '1 in x', 'x[0] == 1', 'x.sum() > 3', '"ab".contains("b")', 'true');
  if (depth === 0) return leaf;
  const inner = arbitraryExpression(depth - 1);
  const body = fc.constantFrom('i > 1', 'i == x[0]', 'i * 2 in x', 'string(i).matches("^-?[0-9]$")');
  return fc.oneof(
    leaf,
    fc.tuple(inner, fc.constantFrom('&&', '||'), inner).map(([a, operator, b]) => `(${a} ${operator} ${b})`),
    fc.tuple(inner, inner, inner).map(([a, b, c]) => `(${a} ? ${b} : ${c})`),
    inner.map((a) => `!(${a})`),
    fc.tuple(fc.constantFrom('all', 'exists', 'exists_one'), body).map(([macro, test]) => `x.${macro}(i, ${test})`),
    body.map((test) => `x.filter(i, ${test}).map(i, i + 1).size() > 1`),
  );
}
