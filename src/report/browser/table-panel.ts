import type { TableSection } from '../sections.ts';
import { formatCell } from '../units.ts';
import { make, makeButton } from './make.ts';
import { filteredRows, type Row, sortedRows, type TableOrder } from './table-model.ts';

/** The rows that are in the page at once. */
const PAGE_ROWS = 50;
/** Tables with at least this many rows can be filtered. */
const FILTER_ROWS = 12;

/** Lets a table that is on the page already be sorted, filtered, and read to its end. */
export class TablePanel {
  readonly #section: TableSection;
  readonly #rows: readonly Row[];
  readonly #body: HTMLElement;
  readonly #status = make('p', { class: 'left', role: 'status' });
  readonly #more: HTMLButtonElement;
  readonly #heads: readonly HTMLElement[];
  #order: TableOrder | null = null;
  #text = '';
  #shown = PAGE_ROWS;

  constructor(section: TableSection, body: HTMLElement) {
    this.#section = section;
    const table = body.querySelector('table') as HTMLTableElement;
    this.#body = table.tBodies[0] as HTMLElement;
    this.#rows = section.rows;
    this.#heads = [...table.querySelectorAll('thead th')] as HTMLElement[];
    this.#more = makeButton('Show more', { class: 'quiet' }, () => {
      this.#shown *= 4;
      this.#show();
    });
    body.querySelector('.left')?.remove();
    if (this.#rows.length >= FILTER_ROWS) body.prepend(this.#filter());
    for (const [i, head] of this.#heads.entries()) {
      if (this.#rows.length < 2) break;
      const text = head.textContent ?? '';
      head.replaceChildren(makeButton(text, { class: 'sort' }, () => this.#sortBy(i)));
    }
    body.append(make('div', { class: 'below' }, this.#status, this.#more));
    this.#show();
  }

  #filter(): HTMLElement {
    const input = make('input', {
      type: 'search',
      placeholder: 'Filter',
      'aria-label': `Filter ${this.#section.title}`,
    });
    input.addEventListener('input', () => {
      this.#text = input.value;
      this.#shown = PAGE_ROWS;
      this.#show();
    });
    return input;
  }

  #sortBy(column: number): void {
    const isSame = this.#order?.column === column;
    const isNumber = this.#section.columns[column]?.unit !== undefined;
    // A column of numbers begins with the largest, one of texts with the beginning of the alphabet.
    const isDescending = isSame ? !(this.#order as TableOrder).isDescending : isNumber;
    this.#order = { column, isDescending };
    for (const [i, head] of this.#heads.entries()) {
      if (i === column) head.setAttribute('aria-sort', isDescending ? 'descending' : 'ascending');
      else head.removeAttribute('aria-sort');
    }
    this.#show();
  }

  #show(): void {
    const { columns } = this.#section;
    const found = sortedRows(filteredRows(this.#rows, columns, this.#text), this.#order);
    const rows = found.slice(0, this.#shown).map((row) =>
      make(
        'tr',
        {},
        ...columns.map(({ unit }, i) => {
          const text = formatCell(unit, row[i] ?? null);
          return make('td', unit === undefined ? { dir: 'auto' } : { class: 'number' }, text);
        }),
      ),
    );
    this.#body.replaceChildren(...rows);
    this.#more.hidden = found.length <= this.#shown;
    const isPart = found.length < this.#rows.length || found.length > this.#shown;
    const among = found.length < this.#rows.length ? ` found in ${this.#rows.length}` : '';
    this.#status.textContent = isPart ? `${Math.min(this.#shown, found.length)} of ${found.length}${among}` : '';
  }
}
