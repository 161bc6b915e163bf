import uPlot from 'uplot';
import type { LinesSection } from '../sections.ts';
import { formatValue } from '../units.ts';
import { type DrawnLine, differences, type LineModel, overlaid, stacked } from './line-model.ts';
import { COLOURS, lineColour, make, makeButton } from './make.ts';
import { plotOptions } from './plot-options.ts';
import type { PageState, Zoom } from './state.ts';

const HEIGHT = 260;
const HEIGHT_NARROW = 220;
const ZOOM_STEP = 2;
/** Marks so near to the cursor are named, in pixels. */
const MARK_PIXELS = 5;
const MARKS_NAMED = 4;

/** A plot of lines with its legend, its tools and its tooltip. */
export class LinesPanel {
  readonly #section: LinesSection;
  readonly #state: PageState;
  readonly #zoomKey: string;
  readonly #legend = make('ul', { class: 'legend' });
  readonly #place = make('div', { class: 'plot', tabindex: 0, role: 'group' });
  readonly #tip = make('div', { class: 'tip', hidden: true });
  readonly #all: HTMLButtonElement;
  readonly #hidden = new Set<string>();
  #model: LineModel;
  #isDifference = false;
  #plot: uPlot | undefined;
  #isFollowing = false;

  constructor(section: LinesSection, index: number, state: PageState, body: HTMLElement) {
    this.#section = section;
    this.#state = state;
    this.#zoomKey = section.syncKey ?? `section-${index}`;
    this.#model = overlaid(section);
    this.#place.setAttribute(
      'aria-label',
      `${section.title}: plot. Arrow keys read values, plus and minus zoom, 0 shows everything.`,
    );
    this.#all = makeButton('Show all', { class: 'quiet', hidden: true }, () => this.#zoomTo(null));
    const tools = make('div', { class: 'tools' }, this.#all);
    tools.append(
      makeButton('−', { class: 'quiet square', 'aria-label': 'Zoom out', title: 'Zoom out' }, () =>
        this.#zoomBy(1 / ZOOM_STEP),
      ),
      makeButton('+', { class: 'quiet square', 'aria-label': 'Zoom in', title: 'Zoom in' }, () =>
        this.#zoomBy(ZOOM_STEP),
      ),
    );
    if (section.runs.length === 2) tools.prepend(this.#differenceButton());
    body.append(make('div', { class: 'bar' }, this.#legend, tools), this.#place);
    this.#place.append(this.#tip);
    this.#place.addEventListener('keydown', (event) => this.#onKey(event));
    this.#place.addEventListener('blur', () => this.#showTip(null));
    this.#showLegend();
    state.zoom(this.#zoomKey).onSet((zoom) => this.#follow(zoom));
  }

  /** Draws the plot anew, in the colours and the width of now. */
  draw(): void {
    this.#plot?.destroy();
    const { xs } = this.#model;
    const { lines, values } = this.#drawn();
    const isWide = this.#place.clientWidth > 600;
    const options = plotOptions({
      ...{ section: this.#section, lines, isDifference: this.#isDifference },
      width: this.#place.clientWidth,
      height: isWide ? HEIGHT : HEIGHT_NARROW,
      hooks: {
        setCursor: [(plot) => this.#showTip(plot.cursor.idx ?? null)],
        setScale: [(plot, key) => this.#onScale(plot, key)],
        ready: [(plot) => plot.over.addEventListener('click', () => this.#choose(plot))],
      },
    });
    if (this.#section.syncKey !== undefined) {
      options.cursor = { ...options.cursor, sync: { key: this.#section.syncKey, scales: ['x', null] } };
    }
    this.#plot = new uPlot(options, [xs, ...values] as unknown as uPlot.AlignedData, this.#place);
    for (const [i, { name }] of lines.entries())
      if (this.#hidden.has(name)) this.#plot.setSeries(i + 1, { show: false });
    this.#follow(this.#state.zoom(this.#zoomKey).value);
  }

  resize(): void {
    const width = this.#place.clientWidth;
    if (this.#plot !== undefined && width > 0 && width !== this.#plot.width) {
      this.#plot.setSize({ width, height: this.#plot.height });
    }
  }

  get isDrawn(): boolean {
    return this.#plot !== undefined;
  }

  get place(): HTMLElement {
    return this.#place;
  }

  /** The last line is drawn on top of the others, so areas that are stacked come from the highest to the lowest. */
  #drawn(): { lines: readonly DrawnLine[]; values: readonly (readonly (number | null)[])[] } {
    const { lines } = this.#model;
    if (this.#section.isStacked !== true || this.#isDifference)
      return { lines, values: lines.map(({ values }) => values) };
    const values = stacked(lines, (i) => !this.#hidden.has((lines[i] as DrawnLine).name));
    return { lines: lines.toReversed(), values: values.toReversed() };
  }

  /** A button for each name, which stands for the lines of all runs; and which run has which dashes. */
  #showLegend(): void {
    const { lines } = this.#model;
    const byName = new Map(lines.map((line) => [line.name, line]).reverse() as [string, DrawnLine][]);
    const names = [...byName.keys()].reverse();
    const isOne = names.length < 2 && lines.length < 2;
    const buttons = names.map((name) => {
      const { colour, dash } = byName.get(name) as DrawnLine;
      const pressed = make('button', { type: 'button', 'aria-pressed': `${!this.#hidden.has(name)}` });
      pressed.append(swatch(colour, dash), make('bdi', {}, name));
      pressed.addEventListener('click', () => {
        if (!this.#hidden.delete(name)) this.#hidden.add(name);
        pressed.setAttribute('aria-pressed', `${!this.#hidden.has(name)}`);
        this.draw();
      });
      return make('li', {}, pressed);
    });
    const runs = [...new Set(lines.map(({ run }) => run))].filter((run) => run !== '');
    const keys = runs.map((run, i) => make('li', { class: 'run' }, swatch(null, i), make('bdi', {}, run)));
    this.#legend.replaceChildren(...(isOne ? [] : buttons), ...(runs.length > 1 ? keys : []));
  }

  #differenceButton(): HTMLButtonElement {
    const [a, b] = this.#section.runs;
    const text = 'Difference';
    const title = `${b?.name} minus ${a?.name}`;
    const made = makeButton(text, { class: 'quiet', 'aria-pressed': 'false', title }, () => {
      this.#isDifference = !this.#isDifference;
      made.setAttribute('aria-pressed', `${this.#isDifference}`);
      this.#model = this.#isDifference ? differences(this.#section) : overlaid(this.#section);
      this.#showLegend();
      this.draw();
    });
    return made;
  }

  #onScale(plot: uPlot, key: string): void {
    if (key !== 'x' || this.#isFollowing || plot.status !== 1) return;
    const { min, max } = plot.scales['x'] ?? {};
    if (min === undefined || max === undefined || min === null || max === null) return;
    const [first, last] = [this.#model.xs[0] ?? 0, this.#model.xs.at(-1) ?? 0];
    const isAll = min <= first && max >= last;
    const known = this.#state.zoom(this.#zoomKey);
    if (isAll ? known.value === null : known.value?.[0] === min && known.value[1] === max) return;
    known.set(isAll ? null : [min, max]);
  }

  #follow(zoom: Zoom): void {
    this.#all.hidden = zoom === null;
    const plot = this.#plot;
    if (plot === undefined) return;
    const { xs } = this.#model;
    const [min, max] = zoom ?? [xs[0] ?? 0, xs.at(-1) ?? 1];
    const now = plot.scales['x'];
    if (now?.min === min && now.max === max) return;
    this.#isFollowing = true;
    plot.batch(() => plot.setScale('x', { min, max }));
    this.#isFollowing = false;
  }

  #zoomTo(zoom: Zoom): void {
    this.#state.zoom(this.#zoomKey).set(zoom);
  }

  #zoomBy(factor: number): void {
    const { xs } = this.#model;
    const [first, last] = [xs[0] ?? 0, xs.at(-1) ?? 0];
    const [from, to] = this.#state.zoom(this.#zoomKey).value ?? [first, last];
    const index = this.#plot?.cursor.idx;
    const middle = index === null || index === undefined ? (from + to) / 2 : (xs[index] ?? (from + to) / 2);
    const half = (to - from) / 2 / factor;
    const wanted: [number, number] = [Math.max(first, middle - half), Math.min(last, middle + half)];
    this.#zoomTo(wanted[0] <= first && wanted[1] >= last ? null : wanted);
  }

  #onKey(event: KeyboardEvent): void {
    const plot = this.#plot;
    if (plot === undefined || event.target !== this.#place || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = { ArrowLeft: -1, ArrowRight: 1, PageUp: -20, PageDown: 20 }[event.key];
    if (step !== undefined) this.#moveTo(plot, (plot.cursor.idx ?? (step > 0 ? -1 : this.#model.xs.length)) + step);
    else if (event.key === 'Home') this.#moveTo(plot, 0);
    else if (event.key === 'End') this.#moveTo(plot, this.#model.xs.length - 1);
    else if (event.key === '+' || event.key === '=') this.#zoomBy(ZOOM_STEP);
    else if (event.key === '-') this.#zoomBy(1 / ZOOM_STEP);
    else if (event.key === '0' || event.key === 'Escape') this.#zoomTo(null);
    else if (event.key === 'Enter') this.#choose(plot);
    else return;
    event.preventDefault();
  }

  #moveTo(plot: uPlot, index: number): void {
    const { xs } = this.#model;
    const wanted = Math.max(0, Math.min(index, xs.length - 1));
    this.#tip.setAttribute('aria-live', 'polite');
    plot.setCursor({ left: plot.valToPos(xs[wanted] ?? 0, 'x'), top: plot.over.clientHeight / 2 });
  }

  #choose(plot: uPlot): void {
    const index = plot.cursor.idx;
    if (this.#section.syncKey === undefined || index === null || index === undefined) return;
    this.#state.moment.set(this.#model.xs[index] ?? null);
  }

  #showTip(index: number | null): void {
    const plot = this.#plot;
    const x = index === null ? undefined : this.#model.xs[index];
    if (plot === undefined || index === null || x === undefined || (plot.cursor.left ?? -1) < 0) {
      this.#tip.hidden = true;
      return;
    }
    const { x: xAxis, y: yAxis } = this.#section;
    const rows = this.#model.lines
      .filter(({ name, values }) => !this.#hidden.has(name) && (values[index] ?? null) !== null)
      .map(({ name, run, colour, values }) => {
        const dot = make('span', { class: 'dot', 'aria-hidden': 'true' });
        dot.style.background = lineColour(colour);
        const value = values[index] ?? null;
        const sign = this.#isDifference && value !== null && value > 0 ? '+' : '';
        return make(
          'div',
          {},
          dot,
          make('bdi', {}, run === '' ? name : `${name}, ${run}`),
          make('b', {}, sign + formatValue(yAxis.unit, value)),
        );
      });
    this.#tip.replaceChildren(
      make('div', { class: 'at' }, `${xAxis.name} ${formatValue(xAxis.unit, x)}`),
      ...rows,
      ...this.#marksNear(plot).map((text) => make('div', { class: 'event' }, text)),
    );
    this.#tip.hidden = false;
    const left = plot.valToPos(x, 'x') + plot.over.offsetLeft;
    const isLeft = left > this.#place.clientWidth / 2;
    this.#tip.style.left = isLeft ? '' : `${left + 14}px`;
    this.#tip.style.right = isLeft ? `${this.#place.clientWidth - left + 14}px` : '';
  }

  #marksNear(plot: uPlot): readonly string[] {
    const { marks = [] } = this.#section;
    const at = plot.cursor.left ?? -1;
    const near = marks.filter(({ x }) => Math.abs(plot.valToPos(x, 'x') - at) <= MARK_PIXELS).map(({ text }) => text);
    const more = near.length - MARKS_NAMED;
    return more > 0 ? [...near.slice(0, MARKS_NAMED), `and ${more} more`] : near;
  }
}

/** A piece of a line as it is drawn; without a colour in that of the text. */
function swatch(colour: number | null, dash: number): HTMLElement {
  const made = make('span', { class: dash > 0 ? 'swatch dashed' : 'swatch', 'aria-hidden': 'true' });
  made.style.setProperty('--swatch', colour === null ? 'currentcolor' : `var(--line-${colour % COLOURS})`);
  return made;
}
