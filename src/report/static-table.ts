import { element, type Markup, text } from './markup.ts';
import type { TableSection } from './sections.ts';
import { formatCell } from './units.ts';

/** The rows that are part of the page's text. More are shown by the script. */
const ROWS_AT_FIRST = 50;

/** A table that can be read without the script. */
export function staticTable({ title, columns, rows }: TableSection): Markup[] {
  const head = columns.map((column) =>
    element('th', { scope: 'col', ...numberClass(column.unit) }, text(column.title)),
  );
  const body = rows.slice(0, ROWS_AT_FIRST).map((cells) =>
    element(
      'tr',
      {},
      ...columns.map(({ unit }, i) => {
        const shown = text(formatCell(unit, cells[i] ?? null));
        return element('td', unit === undefined ? { dir: 'auto' } : { class: 'number' }, shown);
      }),
    ),
  );
  const table = element('table', {}, element('thead', {}, element('tr', {}, ...head)), element('tbody', {}, ...body));
  const left = rows.length - body.length;
  return [
    element('div', { class: 'wide', tabindex: 0, role: 'group', 'aria-label': `${title}, table` }, table),
    ...(left > 0 ? [element('p', { class: 'left' }, text(`${left} more rows need JavaScript.`))] : []),
  ];
}

function numberClass(unit: string | undefined): Readonly<Record<string, string>> {
  return unit === undefined ? {} : { class: 'number' };
}
