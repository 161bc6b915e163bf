import { element, type Markup, text } from '../plot/markup.ts';
import type { Cells } from './fit-table.ts';

const STYLE = `
body { font: 14px/1.5 system-ui, sans-serif; color: #1f2937; background: #fff; max-width: 1100px; margin: 2rem auto;
  padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2.5rem; }
dl { display: grid; grid-template-columns: max-content auto; gap: 0.2rem 1.5rem; }
dt { color: #4b5563; } dd { margin: 0; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; white-space: nowrap; }
th, td { padding: 0.2rem 0.7rem; border-bottom: 1px solid #e5e7eb; text-align: left; }
th { color: #4b5563; font-weight: 600; } .right { text-align: right; }
svg { max-width: 100%; height: auto; }
`;

/** A self-contained HTML page. */
export function formatPage(title: string, ...content: readonly Markup[]): string {
  const head = [
    '<meta charset="utf-8">' as Markup,
    '<meta name="viewport" content="width=device-width, initial-scale=1">' as Markup,
    element('title', {}, text(title)),
    element('style', {}, STYLE as Markup),
  ];
  const body = element('body', {}, element('h1', {}, text(title)), ...content);
  return `<!doctype html>\n${element('html', { lang: 'en' }, element('head', {}, ...head), body)}\n`;
}

export function table({ titles, aligns, rows }: Cells): Markup {
  const row = (name: 'th' | 'td', cells: readonly string[]) =>
    element(
      'tr',
      {},
      ...cells.map((cell, i) => element(name, aligns[i] === 'right' ? { class: 'right' } : {}, text(cell))),
    );
  const [head, body] = [row('th', titles), rows.map((cells) => row('td', cells))];
  return wide(element('table', {}, element('thead', {}, head), element('tbody', {}, ...body)));
}

/** Content that may be wider than the page. */
export function wide(content: Markup): Markup {
  return element('div', { class: 'wide' }, content);
}

export function heading(title: string): Markup {
  return element('h2', {}, text(title));
}
