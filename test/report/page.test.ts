import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildPage } from '../../src/report/page.ts';
import type { ReportPage, Section, TableSection } from '../../src/report/sections.ts';
import { shownData, shownText } from '../../src/report/shown-text.ts';
import { pageSections, withoutProgram } from '../builders/read-page.ts';
import { runs } from '../builders/runs.ts';

const PROGRAM = { script: "'program'", style: 'b{}' };
const HOSTILE = [
  ...[
    '</script><script>alert(1)</script>',
    '<!--<script>',
    '"><img src=x onerror=alert(1)>',
    "' onload='",
    '&lt;',
    '\u202edlrow',
  ],
  ...['\u0000\u2028\u2029', '\ud800', 'x'.repeat(1000), '</style>', '<![CDATA[', '$&', '%3Cscript%3E'],
];
const text = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.string({ unit: 'binary' }),
  fc.tuple(fc.constantFrom(...HOSTILE), fc.string()).map((parts) => parts.join('')),
);

function table(cells: readonly string[], title = 'T'): TableSection {
  return { kind: 'table', title, note: title, columns: [{ title }], rows: cells.map((cell) => [cell]) };
}

function page(sections: readonly Section[], fields: Partial<ReportPage> = {}): string {
  return buildPage({ title: 'P', facts: [], sections, ...fields }, PROGRAM);
}

/** The names of all elements in the page, and of their attributes. */
function elementsOf(html: string): ReadonlySet<string> {
  const tags = withoutProgram(html).match(/<[a-z!/][^>]*>/gi) ?? [];
  return new Set(tags.map((tag) => tag.replace(/="[^"]*"/g, '=')));
}

describe('a page', () => {
  it('takes no text for markup or program, wherever it stands', () => {
    const plain = elementsOf(
      page([table(['a']), { kind: 'text', title: 'b', group: 'g', paragraphs: ['c'] }], {
        facts: [['d', 'e']],
        about: 'f',
        highlights: [{ name: 'g', value: 'h', note: 'i' }],
      }),
    );
    fc.assert(
      fc.property(text, text, (a, b) => {
        const html = page([table([a], b), { kind: 'text', title: a, group: b, paragraphs: [b] }], {
          title: a,
          facts: [[a, b]],
          about: b === '' ? 'f' : b,
          highlights: [{ name: a, value: b, note: a }],
        });
        expect([...elementsOf(html)].filter((tag) => !plain.has(tag))).toEqual([]);
        expect(withoutProgram(html).match(/<script/g)).toHaveLength(1);
      }),
    );
  });

  it('gives its script the same data, as text or compressed', () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 20 }), fc.constantFrom(1, 2000), (cells, times) => {
        const many = Array.from({ length: times }, () => cells).flat();
        const section = table(many);
        expect(pageSections(page([section]))).toEqual(JSON.parse(JSON.stringify(shownData([section]))));
      }),
      { numRuns: runs(15) },
    );
  });

  it('allows its own script and style alone, and loads nothing', () => {
    const html = page([]);
    expect(html).toContain(`default-src 'none'; script-src 'sha256-`);
    expect(html).toContain("base-uri 'none'; form-action 'none'");
    expect(html).not.toMatch(/unsafe|https?:|@import/);
    expect(withoutProgram(html)).not.toMatch(/'program'|b\{\}/);
  });

  it('has long tables in its data, and their beginning in its text', () => {
    const html = page([table(Array.from({ length: 1000 }, (_, i) => `row-${i}`))]);
    expect(html.match(/<td/g)).toHaveLength(50);
    expect(html).toContain('950 more rows');
    expect((pageSections(html)[0] as TableSection).rows).toHaveLength(1000);
  });

  it('puts sections of one group under one heading, and lists the headings', () => {
    const html = page([
      { ...table(['a'], 'One'), group: 'Both' },
      { ...table(['b'], 'Two'), group: 'Both' },
      table(['c'], 'Three'),
    ]);
    expect([...html.matchAll(/<h(\d)[^>]*>([^<]*)</g)].map(([, level, title]) => `${level} ${title}`)).toEqual([
      ...['1 P', '2 Both', '3 One', '3 Two', '2 Three'],
    ]);
    expect(html.match(/<a href="#part-\d">/g)).toHaveLength(2);
    expect(page([table(['c'])])).not.toContain('<nav');
  });
});

describe('shown text', () => {
  it('is of bounded length, and shows what cannot be seen', () => {
    expect(shownText('a\u202eb\u0000\u200f')).toBe('a\\u202eb\\u0000\\u200f');
    expect(shownText('x'.repeat(1e6))).toBe(`${'x'.repeat(400)}… (1000000 characters)`);
    expect(shownText('שלום 😀')).toBe('שלום 😀');
    expect(shownText(`${'x'.repeat(399)}😀`)).toMatch(/x\ufffd…/);
  });
});
