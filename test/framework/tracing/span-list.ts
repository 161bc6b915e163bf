import { podKey } from '../../../src/api/object-name.ts';
import type { RecordedDecision, Span, SpanSink } from '../../../src/framework/tracing/span.ts';
import type { Clock } from '../../../src/lib/clock.ts';

/** A clock on which every reading takes a millisecond, so that no two moments are equal unless this is changed. */
export class TickingClock implements Clock {
  stepMillis: number;
  #nowMillis = 0;

  constructor(stepMillis = 1) {
    this.stepMillis = stepMillis;
  }

  nowMillis(): number {
    const now = this.#nowMillis;
    this.#nowMillis += this.stepMillis;
    return now;
  }
}

/** Keeps copies of everything that was recorded. */
export class SpanList implements SpanSink {
  isFull = false;
  readonly decisions: {
    readonly pod: string;
    readonly nodeName: string | null;
    readonly weight: number;
    readonly spans: readonly Span[];
  }[] = [];
  readonly work: [worker: number, name: string, startMillis: number, endMillis: number][] = [];

  add({ pod, nodeName, weight, spans, spanCount }: RecordedDecision): void {
    this.decisions.push({
      pod: podKey(pod),
      nodeName,
      weight,
      spans: spans.slice(0, spanCount).map((span) => ({ ...span })),
    });
  }

  addWork(...work: [worker: number, name: string, startMillis: number, endMillis: number]): void {
    this.work.push(work);
  }

  /** The spans of a decision, one a line, indented by depth: `NodeName.filter @n1 x4` stands for four nodes. */
  lines(decision = 0): string[] {
    const { spans = [] } = this.decisions[decision] ?? {};
    return spans.map(({ name, point, node, weight, depth }) => {
      const where = `${point === null ? '' : `.${point}`}${node === null ? '' : ` @${node}`}`;
      return `${'  '.repeat(depth)}${name}${where}${weight === 1 ? '' : ` x${weight}`}`;
    });
  }
}

/** What is wrong with how spans lie in each other: nothing, for spans of a real decision. */
export function misfits(spans: readonly Span[]): string[] {
  const found: string[] = [];
  const around: Span[] = [];
  spans.forEach((span, i) => {
    const { name, depth, startMillis, endMillis, descendants } = span;
    const parent = around[depth - 1];
    const before = around[depth];
    if (startMillis > endMillis) found.push(`${name} ends before it begins`);
    if (depth > 0 && (parent === undefined || startMillis < parent.startMillis || endMillis > parent.endMillis)) {
      found.push(`${name} is not within what is around it`);
    }
    if (before !== undefined && startMillis < before.endMillis) found.push(`${name} begins before ${before.name} ends`);
    const next = spans.findIndex((other, j) => j > i && other.depth <= depth);
    if (descendants !== (next < 0 ? spans.length : next) - i - 1) found.push(`${name} has other descendants`);
    around.length = depth;
    around.push(span);
  });
  return found;
}
