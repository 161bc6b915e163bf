import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDocument, stringify } from 'yaml';
import { BEYOND_BLOCK_YAML, readBlockYaml } from '../../src/manifests/block-yaml.ts';
import { yamlList } from '../dump/kubectl-text.ts';
import { liveObjects } from '../dump/live-objects.ts';

const keep = (text: string) => text;

/** What the complete parser reads, or that it refuses. */
function complete(text: string): unknown {
  const document = parseDocument(text, { merge: true, prettyErrors: false, logLevel: 'error' });
  return document.errors.length > 0 ? 'refused' : document.toJS();
}

function isSame(text: string): boolean {
  const value = readBlockYaml(text, keep);
  if (value === BEYOND_BLOCK_YAML) return false;
  expect({ text, value }).toEqual({ text, value: complete(text) });
  return true;
}

const string = fc.oneof(
  fc.string(),
  fc.string({ unit: fc.constantFrom(...'ab :#-\'"\n\\,[]{}&*!|>%@`~0.1eE+_<=') }),
  fc.lorem({ maxCount: 40 }),
  fc.constantFrom('true', 'null', '~', '.inf', '0x1f', '1e3', '-', '<<', '007', '100m', '2026-01-01', 'a:b', 'é ü'),
);
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    string,
    fc.constantFrom(null, true, false, 0, -1, 1.5),
    fc.array(tie('any'), { maxLength: 4 }),
    fc.dictionary(string, tie('any'), { maxKeys: 4 }),
  ),
})).any;

describe('readBlockYaml', () => {
  it('reads what kubectl prints, as JSON has it', () => {
    const objects = [...liveObjects({ nodes: 3, pods: 20, seed: 1 })];
    const text = [...yamlList(objects)].join('');
    expect(readBlockYaml(text, keep)).toMatchObject({ kind: 'List', items: objects });
    // Keys that are numbers are left to the complete parser; none of them is here.
    expect(complete(text)).toMatchObject({ items: objects });
  });

  it('reads as the complete parser, or leaves the text to it', () => {
    let read = 0;
    const options = fc.record({
      lineWidth: fc.constantFrom(0, 20, 80),
      indentSeq: fc.boolean(),
      indent: fc.constantFrom(2, 3),
      defaultStringType: fc.constantFrom(
        'PLAIN',
        'QUOTE_SINGLE',
        'QUOTE_DOUBLE',
        'BLOCK_LITERAL',
      ) as fc.Arbitrary<'PLAIN'>,
      singleQuote: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.dictionary(fc.string({ minLength: 1 }), value), options, (object, how) => {
        if (isSame(stringify(object, how))) read++;
      }),
      { numRuns: 300 },
    );
    expect(read).toBeGreaterThan(50);
  });

  it('reads lines in any order as the complete parser, or leaves them to it', () => {
    let read = 0;
    const start = fc.constantFrom(
      'a:',
      'b:',
      '- ',
      '- a:',
      '- - ',
      "'c':",
      '"d":',
      '',
      '# c',
      'x',
      '-',
      'f:g:',
      'a.b/c:',
      '---',
      '...',
    );
    const end = fc.constantFrom(
      ...[
        '',
        ' 1',
        ' x',
        ' x y',
        " 'q",
        " q'",
        ' "q',
        ' q"',
        ' "a\\n\\',
        ' |',
        ' |-',
        ' >',
        ' {}',
        ' []',
        ' [a]',
        ' # c',
        ' -',
        ' x:',
      ],
      ...[
        " 'it''s'",
        ' "\\u00e9 \\" "',
        ' x#y',
        ' x #y',
        ' *a',
        ' !t',
        ' -x',
        '  ',
        '\t',
        ' ~',
        ' "a" b',
        ' a: b',
        ' 0o7',
        ' +.5',
      ],
    );
    const line = fc.tuple(fc.constantFrom(0, 0, 1, 2, 2, 4), start, end).map(([n, a, b]) => ' '.repeat(n) + a + b);
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 7 }), fc.boolean(), (lines, hasEnd) => {
        if (isSame(lines.join('\n') + (hasEnd ? '\n' : ''))) read++;
      }),
      { numRuns: 3000 },
    );
    expect(read).toBeGreaterThan(50);
  });

  it('leaves deep nesting, and keys that objects have by themselves, to the complete parser', () => {
    expect(readBlockYaml('- '.repeat(20_000), keep)).toBe(BEYOND_BLOCK_YAML);
    expect(readBlockYaml('__proto__: 1\n', keep)).toBe(BEYOND_BLOCK_YAML);
    expect(readBlockYaml('constructor: 1\n', keep)).toBe(BEYOND_BLOCK_YAML);
    expect(readBlockYaml('a: 1\na: 2\n', keep)).toBe(BEYOND_BLOCK_YAML);
  });
});
