import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { viewSource } from './source-view.ts';

describe('viewSource', () => {
  it.each([
    ['a line comment', 'a(); // b()', 'a();       ', '     // b()'],
    ['a block comment', 'a(/* b */)', 'a(       )', '  /* b */ '],
    ['a quoted string', 'a(\'b()\', "c")', 'a(\'   \', " ")', '             '],
    ['an escaped quote', "a('\\'b()')", "a('     ')", '          '],
    ['a comment mark in a string', "a('//b')", "a('   ')", '        '],
    ['a quote in a comment', "// it's\nb()", '       \nb()', "// it's\n   "],
    ['a template', 'a(`b()`)', 'a(`   `)', '        '],
    ['a hole in a template', 'a(`b ${c()} d`)', 'a(`  ${c()}  `)', ' '.repeat(15)],
    ['an object in a hole', '`${f({a: 1})} b` + c', '`${f({a: 1})}  ` + c', ' '.repeat(20)],
    ['a template in a hole', '`a${`b${c}`}d` + e', '` ${` ${c}`} ` + e', ' '.repeat(18)],
    ['a regular expression', 'a(/b"c/g) // d', 'a(/    g)     ', '          // d'],
    ['a slash in a class', 'return /[/"]/.x', 'return /    /.x', ' '.repeat(15)],
    ['a division', 'a / b / "c"', 'a / b / " "', '           '],
    ['a division after a call', 'f() / g("c") / 2', 'f() / g(" ") / 2', ' '.repeat(16)],
  ])('%s', (_, text, code, comments) => {
    const view = viewSource(text);
    expect(view.code).toBe(code);
    expect(view.comments).toBe(comments);
  });

  it('keeps every character at its place, whatever the text', () => {
    const soup = fc.string({
      unit: fc.constantFrom('a', '`', '${', '}', '{', "'", '"', '/', '*', '\\', '\n', '😀', ' '),
    });
    fc.assert(
      fc.property(soup, (text) => {
        for (const view of Object.values(viewSource(text))) {
          expect(view).toHaveLength(text.length);
          for (let at = 0; at < text.length; at++) {
            const blank = text[at] === '\n' ? '\n' : ' ';
            expect([blank, text[at]]).toContain(view[at]);
          }
        }
      }),
    );
  });
});
