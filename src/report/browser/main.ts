import type { Section } from '../sections.ts';
import { drawBars } from './bars-panel.ts';
import { HeatPanel } from './heat-panel.ts';
import { LinesPanel } from './lines-panel.ts';
import { drawReasons } from './reasons-panel.ts';
import { PageState } from './state.ts';
import { TablePanel } from './table-panel.ts';

/** A part of the page that is drawn on a canvas, and anew when colours or width change. */
interface Drawn {
  draw(): void;
  resize(): void;
}

/** Panels so near to the window are drawn already. */
const AHEAD = '600px';

async function readSections(): Promise<readonly (Section | null)[]> {
  const element = document.getElementById('data') as HTMLScriptElement;
  const text = element.textContent ?? '';
  if (element.type === 'application/json') return JSON.parse(text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).json();
}

function fill(section: Section, index: number, state: PageState, body: HTMLElement): Drawn | null {
  switch (section.kind) {
    case 'text':
      return null;
    case 'table':
      new TablePanel(section, body);
      return null;
    case 'bars':
      drawBars(section, body);
      return null;
    case 'reasons':
      drawReasons(section, state, body);
      return null;
    case 'lines':
      return new LinesPanel(section, index, state, body);
    case 'heat':
      return new HeatPanel(section, state, body);
  }
}

/** Draws panels when they come near to the window, and again when its colours change. */
function keepDrawn(panels: ReadonlyMap<Element, Drawn>): void {
  const drawn = new Set<Drawn>();
  const resizing = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      const panel = panels.get(target);
      if (panel !== undefined && drawn.has(panel)) panel.resize();
    }
  });
  const show = (body: Element, panel: Drawn): void => {
    if (drawn.has(panel)) return;
    drawn.add(panel);
    panel.resize();
    panel.draw();
    resizing.observe(body);
  };
  const nearness = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        const panel = panels.get(target);
        if (isIntersecting && panel !== undefined) show(target, panel);
      }
    },
    { rootMargin: AHEAD },
  );
  for (const body of panels.keys()) nearness.observe(body);
  const redraw = (): void => {
    for (const panel of drawn) panel.draw();
  };
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw);
  addEventListener('beforeprint', () => {
    for (const [body, panel] of panels) show(body, panel);
  });
}

async function start(): Promise<void> {
  const sections = await readSections();
  const state = new PageState();
  const panels = new Map<Element, Drawn>();
  for (const body of document.querySelectorAll<HTMLElement>('[data-section]')) {
    const index = Number(body.dataset['section']);
    const section = sections[index];
    const panel = section == null ? null : fill(section, index, state, body);
    if (panel !== null) panels.set(body, panel);
  }
  keepDrawn(panels);
  document.documentElement.dataset['ready'] = 'true';
  // Two pictures later what is in the window is drawn.
  requestAnimationFrame(() => requestAnimationFrame(() => performance.mark('interactive')));
}

void start();
