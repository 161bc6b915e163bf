import type { BarsSection } from '../sections.ts';
import { formatValue } from '../units.ts';
import { COLOURS, make } from './make.ts';

/** Draws bars as elements, which stay readable at any width, and for those who hear the page. */
export function drawBars({ title, unit, categories, series, most }: BarsSection, body: HTMLElement): void {
  const values = series.flatMap((each) => each.values.filter((value) => value !== null));
  const end = most ?? values.reduce((a, b) => Math.max(a, b), 0);
  if (series.length > 1) {
    const legend = series.map(({ name }, i) => make('li', {}, swatch(i), make('bdi', {}, name)));
    body.append(make('ul', { class: 'legend still' }, ...legend));
  }
  const rows = categories.flatMap((category, k) =>
    series.map(({ name, values: all }, i) => {
      const value = all[k] ?? null;
      const bar = make('span', { class: 'fill' });
      bar.style.width = `${end > 0 && value !== null ? Math.max(0, Math.min(100, (value / end) * 100)) : 0}%`;
      bar.style.background = `var(--line-${i % COLOURS})`;
      // The name of a category stands beside all its bars.
      const head = make('th', { scope: 'rowgroup', rowspan: series.length }, make('bdi', {}, category));
      const about = make('span', { class: 'unseen' }, name);
      bar.append(about);
      return make(
        'tr',
        i === 0 ? { class: 'first' } : {},
        ...(i === 0 ? [head] : []),
        make('td', { class: 'track' }, bar),
        make('td', { class: 'number' }, formatValue(unit, value)),
      );
    }),
  );
  body.append(make('table', { class: 'bars', 'aria-label': title }, make('tbody', {}, ...rows)));
}

function swatch(i: number): HTMLElement {
  const made = make('span', { class: 'swatch', 'aria-hidden': 'true' });
  made.style.setProperty('--swatch', `var(--line-${i % COLOURS})`);
  return made;
}
