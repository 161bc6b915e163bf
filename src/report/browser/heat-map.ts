import type { HeatSection } from '../sections.ts';
import { type HeatLayout, layoutNodes, nodeAt } from './heat-layout.ts';
import { drawNodes, type Look } from './heat-paint.ts';
import { CELL_MAX, movedView, type View, wholeView, zoomedView } from './heat-view.ts';
import { make } from './make.ts';
import type { NodeMarks } from './state.ts';

const KEYS = 'Arrow keys move, plus and minus zoom, 0 shows all.';
const HEIGHT_MAX = 420;
const HEIGHT_MIN = 120;
const WHEEL_STEP = 0.0016;
const ZOOM_STEP = 1.6;
const TITLE_PIXELS = 24;

/** A canvas of all nodes: zooms about a point, pans, and has a focused node for the keyboard. */
export class HeatMap {
  readonly canvas: HTMLCanvasElement;
  readonly #section: HeatSection;
  readonly #onFocus: (node: number) => void;
  readonly #pointers = new Map<number, readonly [number, number]>();
  #layout: HeatLayout;
  #view: View = { size: 1, left: 0, top: 0 };
  #whole: View = this.#view;
  #percents: readonly number[] = [];
  #lost: ReadonlySet<number> = new Set();
  #marks: NodeMarks | null = null;
  #found: ReadonlySet<number> | null = null;
  #isPlanned = false;
  focused = -1;

  constructor(section: HeatSection, onFocus: (node: number) => void) {
    this.#section = section;
    this.#onFocus = onFocus;
    this.#layout = layoutNodes(section.groupOfNode, section.groups.length, 3, 1);
    this.canvas = make('canvas', {
      class: 'map',
      tabindex: 0,
      role: 'application',
      'aria-label': `${section.title}: ${section.nodes.length} nodes. ${KEYS}`,
    });
    this.#listen();
  }

  get #size(): { width: number; height: number } {
    return { width: this.canvas.clientWidth, height: this.canvas.clientHeight };
  }

  /** Fits the map to the width of the page; with `isReset` also after a zoom. */
  fit(isReset = false): void {
    const width = this.canvas.clientWidth;
    if (width === 0) return;
    const room = Math.min(HEIGHT_MAX, Math.max(HEIGHT_MIN, width * 0.6));
    this.#layout = this.#fittingLayout(width, room);
    const { columns, rows } = this.#layout;
    const wasWhole = this.#view.size === this.#whole.size;
    this.#whole = wholeView(columns, rows, { width, height: room });
    this.canvas.style.height = `${Math.max(24, Math.ceil(rows * this.#whole.size))}px`;
    if (wasWhole || isReset) this.#setView(this.#whole);
    else this.#setView(movedView(this.#view, [0, 0], [columns, rows], this.#size));
  }

  /** The layout with the largest cells; names of groups need the same height whatever the size of a cell. */
  #fittingLayout(width: number, room: number): HeatLayout {
    const { groupOfNode, groups } = this.#section;
    const untitled = layoutNodes(groupOfNode, groups.length, width / room, 0);
    const size = Math.min(CELL_MAX, width / Math.max(1, untitled.columns));
    const titleRows = TITLE_PIXELS / size;
    const perRow = Math.floor(width / CELL_MAX);
    if (untitled.columns > perRow) return layoutNodes(groupOfNode, groups.length, width / room, titleRows);
    // A few nodes stand in rows as wide as the page.
    const sizes = new Map<number, number>();
    for (const group of groupOfNode) sizes.set(group, (sizes.get(group) ?? 0) + 1);
    const rows = [...sizes.values()].reduce((sum, count) => sum + titleRows + Math.ceil(count / perRow), 0);
    return layoutNodes(groupOfNode, groups.length, perRow / Math.max(1, rows), titleRows);
  }

  show(percents: readonly number[], lost: readonly number[]): void {
    this.#percents = percents;
    this.#lost = new Set(lost);
    this.#plan();
  }

  showMarks(marks: NodeMarks | null): void {
    this.#marks = marks;
    this.#plan();
  }

  find(text: string): void {
    const wanted = text.trim().toLowerCase();
    const { nodes, groups, groupOfNode } = this.#section;
    const isFound = (_: string, i: number): boolean =>
      `${nodes[i]} ${groups[groupOfNode[i] ?? 0] ?? ''}`.toLowerCase().includes(wanted);
    this.#found = wanted === '' ? null : new Set([...nodes.keys()].filter((i) => isFound('', i)));
    const [first] = this.#found ?? [];
    if (first !== undefined) this.#focus(first);
    this.#plan();
  }

  verdictOf(node: number): string | null {
    const { names = [], ofNode = [] } = this.#marks ?? {};
    return names[ofNode[node] ?? -1] ?? null;
  }

  zoomBy(factor: number): void {
    const { width, height } = this.#size;
    const { columnOf, rowOf } = this.#layout;
    const { size, left, top } = this.#view;
    const isFocused = this.focused >= 0;
    const x = isFocused ? left + ((columnOf[this.focused] ?? 0) + 0.5) * size : width / 2;
    const y = isFocused ? top + ((rowOf[this.focused] ?? 0) + 0.5) * size : height / 2;
    this.#zoomAt(factor, x, y);
  }

  draw(): void {
    const pen = this.canvas.getContext('2d');
    const { width, height } = this.#size;
    if (pen === null || width === 0) return;
    const scale = devicePixelRatio;
    const [wide, high] = [Math.round(width * scale), Math.round(height * scale)];
    if (this.canvas.width !== wide || this.canvas.height !== high)
      Object.assign(this.canvas, { width: wide, height: high });
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    const look: Look = {
      ...{ section: this.#section, layout: this.#layout, view: this.#view, extent: { width, height } },
      ...{ percents: this.#percents, lost: this.#lost, marks: this.#marks, found: this.#found },
      focused: this.focused,
      hasFocus: document.activeElement === this.canvas,
    };
    drawNodes(pen, look);
  }

  /** Draws once before the next picture, however often it is called. */
  #plan(): void {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    requestAnimationFrame(() => {
      this.#isPlanned = false;
      this.draw();
    });
  }

  #setView(view: View): void {
    this.#view = view;
    // A map that is shown as a whole lets fingers scroll the page.
    this.canvas.style.touchAction = view.size > this.#whole.size ? 'none' : 'pan-y';
    this.#plan();
  }

  #zoomAt(factor: number, x: number, y: number): void {
    const { columns, rows } = this.#layout;
    const zoomed = zoomedView(this.#view, this.#whole, factor, x, y);
    this.#setView(movedView(zoomed, [0, 0], [columns, rows], this.#size));
  }

  #pan(x: number, y: number): void {
    const { columns, rows } = this.#layout;
    this.#setView(movedView(this.#view, [x, y], [columns, rows], this.#size));
  }

  #focus(node: number): void {
    if (node === this.focused) return;
    this.focused = node;
    this.#onFocus(node);
    this.#plan();
  }

  #listen(): void {
    const { canvas } = this;
    canvas.addEventListener('wheel', (event) => {
      // Without the key the wheel scrolls the page, unless the map was chosen before.
      if (!event.ctrlKey && !event.metaKey && document.activeElement !== canvas) return;
      event.preventDefault();
      this.#zoomAt(Math.exp(-event.deltaY * WHEEL_STEP * (event.ctrlKey ? 3 : 1)), event.offsetX, event.offsetY);
    });
    canvas.addEventListener('pointerdown', (event) => {
      this.#pointers.set(event.pointerId, [event.offsetX, event.offsetY]);
      canvas.setPointerCapture(event.pointerId);
    });
    for (const type of ['pointerup', 'pointercancel'] as const) {
      canvas.addEventListener(type, (event) => this.#pointers.delete(event.pointerId));
    }
    canvas.addEventListener('pointermove', (event) => this.#onMove(event));
    canvas.addEventListener('dblclick', (event) => this.#zoomAt(ZOOM_STEP ** 2, event.offsetX, event.offsetY));
    canvas.addEventListener('keydown', (event) => this.#onKey(event));
    for (const type of ['focus', 'blur'] as const) canvas.addEventListener(type, () => this.#plan());
  }

  #onMove(event: PointerEvent): void {
    const at = [event.offsetX, event.offsetY] as const;
    const before = this.#pointers.get(event.pointerId);
    if (before === undefined) {
      this.#focus(this.#nodeAtPixel(at));
      return;
    }
    const [other] = [...this.#pointers].filter(([id]) => id !== event.pointerId).map(([, place]) => place);
    this.#pointers.set(event.pointerId, at);
    if (other === undefined) this.#pan(at[0] - before[0], at[1] - before[1]);
    else {
      const distance = (place: readonly [number, number]): number =>
        Math.hypot(place[0] - other[0], place[1] - other[1]);
      const factor = distance(at) / Math.max(1, distance(before));
      this.#zoomAt(factor, (at[0] + other[0]) / 2, (at[1] + other[1]) / 2);
    }
  }

  #nodeAtPixel([x, y]: readonly [number, number]): number {
    const { size, left, top } = this.#view;
    return nodeAt(this.#layout, (x - left) / size, (y - top) / size);
  }

  #onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { columns } = this.#layout;
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns }[event.key];
    if (step !== undefined) this.#moveFocus(step);
    else if (event.key === '+' || event.key === '=') this.zoomBy(ZOOM_STEP);
    else if (event.key === '-') this.zoomBy(1 / ZOOM_STEP);
    else if (event.key === '0' || event.key === 'Escape') this.fit(true);
    else return;
    event.preventDefault();
  }

  /** Moves along the nodes in the order in which the map shows them, and keeps the focused node in sight. */
  #moveFocus(step: number): void {
    const order = this.#layout.places.flatMap(({ nodes }) => nodes);
    const index = order.indexOf(this.focused);
    const next = order[Math.max(0, Math.min(order.length - 1, index < 0 ? 0 : index + step))] ?? -1;
    this.#focus(next);
    const { columnOf, rowOf } = this.#layout;
    const { size, left, top } = this.#view;
    const { width, height } = this.#size;
    const [x, y] = [left + (columnOf[next] ?? 0) * size, top + (rowOf[next] ?? 0) * size];
    const into = (at: number, room: number): number => Math.max(0, -at) + Math.min(0, room - size - at);
    this.#pan(into(x, width), into(y, height));
  }
}
