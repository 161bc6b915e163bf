import type { HeatFrame, HeatSection } from '../sections.ts';
import { formatValue } from '../units.ts';
import { HeatMap } from './heat-map.ts';
import { make, makeButton } from './make.ts';
import type { PageState } from './state.ts';

const ZOOM_STEP = 1.6;

/** The map of the nodes with its choices: resource, moment, a part of the names. */
export class HeatPanel {
  readonly #section: HeatSection;
  readonly #map: HeatMap;
  readonly #details = make('p', { class: 'details', role: 'status' });
  readonly #moment = make('output', {});
  readonly #slider: HTMLInputElement;
  readonly #verdicts = make('p', { class: 'verdicts', hidden: true });
  #metric = 0;
  #frame: number;

  constructor(section: HeatSection, state: PageState, body: HTMLElement) {
    this.#section = section;
    this.#frame = section.frames.length - 1;
    this.#map = new HeatMap(section, (node) => this.#describe(node));
    this.#slider = this.#newSlider();
    body.append(
      make('div', { class: 'bar' }, this.#metricChoice(), this.#search(), this.#tools()),
      ...(section.frames.length > 1 ? [make('div', { class: 'time' }, this.#slider, this.#moment)] : []),
      this.#verdicts,
      this.#map.canvas,
      make('div', { class: 'scale' }, ...this.#scale()),
      this.#details,
    );
    state.moment.onSet((x) => {
      if (x !== null) this.#showFrame(frameAt(section.frames, x));
    });
    state.nodeMarks.onSet((marks) => {
      this.#verdicts.hidden = marks === null;
      this.#verdicts.textContent = marks === null ? '' : `Outlined: nodes that reject ${marks.title}. `;
      if (marks !== null) {
        this.#verdicts.append(makeButton('Clear', { class: 'quiet' }, () => state.nodeMarks.set(null)));
        body.closest('.part')?.scrollIntoView({ block: 'start' });
      }
      this.#map.showMarks(marks);
    });
    this.#showFrame(this.#frame);
  }

  draw(): void {
    this.#map.draw();
  }

  resize(): void {
    this.#map.fit();
  }

  #metricChoice(): HTMLElement {
    const buttons = this.#section.metrics.map(({ name }, i) => {
      const made = makeButton(name, { 'aria-pressed': `${i === 0}` }, () => {
        this.#metric = i;
        for (const [k, button] of buttons.entries()) button.setAttribute('aria-pressed', `${k === i}`);
        this.#showFrame(this.#frame);
      });
      return made;
    });
    return make('div', { class: 'choice', role: 'group', 'aria-label': 'What the colours show' }, ...buttons);
  }

  #search(): HTMLElement {
    const input = make('input', {
      type: 'search',
      placeholder: 'Find nodes',
      'aria-label': 'Find nodes by name or group',
    });
    input.addEventListener('input', () => this.#map.find(input.value));
    return input;
  }

  #tools(): HTMLElement {
    return make(
      'div',
      { class: 'tools' },
      makeButton('Show all', { class: 'quiet' }, () => this.#map.fit(true)),
      makeButton('−', { class: 'quiet square', 'aria-label': 'Zoom out', title: 'Zoom out' }, () =>
        this.#map.zoomBy(1 / ZOOM_STEP),
      ),
      makeButton('+', { class: 'quiet square', 'aria-label': 'Zoom in', title: 'Zoom in' }, () =>
        this.#map.zoomBy(ZOOM_STEP),
      ),
    );
  }

  #newSlider(): HTMLInputElement {
    const last = this.#section.frames.length - 1;
    const made = make('input', {
      type: 'range',
      min: 0,
      max: last,
      step: 1,
      value: last,
      'aria-label': 'Moment of the map',
    });
    made.addEventListener('input', () => this.#showFrame(Number(made.value)));
    return made;
  }

  #scale(): readonly HTMLElement[] {
    const hasLost = this.#section.frames.some(({ lost }) => lost.length > 0);
    return [
      make('span', {}, '0%'),
      make('span', { class: 'ramp', 'aria-hidden': 'true' }),
      make('span', {}, '100% requested'),
      ...(hasLost ? [make('span', { class: 'cross', 'aria-hidden': 'true' }), make('span', {}, 'not ready')] : []),
    ];
  }

  #showFrame(index: number): void {
    this.#frame = index;
    const frame = this.#section.frames[index] as HeatFrame;
    this.#slider.value = `${index}`;
    this.#slider.setAttribute('aria-valuetext', frame.name);
    this.#moment.textContent = frame.name;
    this.#map.show(frame.percents[this.#metric] ?? [], frame.lost);
    this.#describe(this.#map.focused);
  }

  #describe(node: number): void {
    const { nodes, groups, groupOfNode, metrics, frames } = this.#section;
    const name = nodes[node];
    if (name === undefined) {
      this.#details.replaceChildren(
        make(
          'span',
          { class: 'hint' },
          'Point at a node, or move with the arrow keys. Ctrl and wheel, or plus and minus, zoom.',
        ),
      );
      return;
    }
    const frame = frames[this.#frame] as HeatFrame;
    const group = groups[groupOfNode[node] ?? -1];
    const amounts = metrics.map(({ name: metric, unit, offered }, i) => {
      const [percent, all] = [frame.percents[i]?.[node] ?? 0, offered[node] ?? 0];
      return `${metric} ${percent}% of ${formatValue(unit, all)}`;
    });
    const verdict = this.#map.verdictOf(node);
    this.#details.replaceChildren(
      make('b', {}, make('bdi', {}, name)),
      ...(group === undefined || group === '' ? [] : [make('bdi', { class: 'soft' }, group)]),
      ...(frame.lost.includes(node) ? [make('span', { class: 'warning' }, 'not ready')] : []),
      ...amounts.map((text) => make('span', {}, text)),
      ...(verdict === null ? [] : [make('span', { class: 'warning' }, verdict)]),
    );
  }
}

/** The last frame up to a moment; the first one before all of them. */
function frameAt(frames: readonly HeatFrame[], x: number): number {
  const index = frames.findLastIndex((frame) => frame.x !== null && frame.x <= x);
  return Math.max(0, index);
}
