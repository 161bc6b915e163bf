import { podKey } from '../../api/object-name.ts';
import type { ChromeTrace, TraceThread } from '../../lib/chrome-trace.ts';
import type { RecordedDecision, Span, SpanSink } from './span.ts';

/** How decisions are written into a trace. */
export interface TraceEventsOptions {
  readonly trace: ChromeTrace;
  /** The number of the process, from 1; each scheduler of a trace has its own. */
  readonly processId: number;
  readonly processName: string;
  /** The maximum number of events; the first decision that exceeds it and all later ones are left out. */
  readonly maxEvents: number;
}

const MAIN_THREAD = 1;

/** Writes decisions as events of a Chrome trace: the scheduler is a process, `main` and its workers are threads. */
export class TraceEvents implements SpanSink {
  /** Whether a decision was left out. */
  isFull = false;
  decisionCount = 0;
  readonly #options: TraceEventsOptions;
  readonly #main: TraceThread;
  readonly #workers = new Map<number, TraceThread>();
  #eventCount = 0;

  constructor(options: TraceEventsOptions) {
    const { trace, processId, processName } = options;
    this.#options = options;
    this.#main = { processId, threadId: MAIN_THREAD };
    trace.nameProcess(processId, processName);
    trace.nameThread(this.#main, 'main');
  }

  add({ pod, nodeName, spans, spanCount }: RecordedDecision): void {
    const [whole] = spans;
    if (whole === undefined || !this.#hasRoom(spanCount, whole.startMillis)) return;
    const key = podKey(pod);
    for (let i = 0; i < spanCount; i++) {
      const span = spans[i] as Span;
      const { name, startMillis, endMillis } = span;
      const args = { pod: key, ...detailOf(span, nodeName) };
      this.#options.trace.add({ name, category: categoryOf(span), thread: this.#main, startMillis, endMillis, args });
    }
    this.decisionCount++;
  }

  addWork(worker: number, name: string, startMillis: number, endMillis: number): void {
    if (!this.#hasRoom(1, startMillis)) return;
    let thread = this.#workers.get(worker);
    if (thread === undefined) {
      thread = { ...this.#main, threadId: MAIN_THREAD + worker };
      this.#workers.set(worker, thread);
      this.#options.trace.nameThread(thread, `worker ${worker}`);
    }
    this.#options.trace.add({ name, category: 'work', thread, startMillis, endMillis, args: { worker } });
  }

  /** Reserves room for some events; once there was too little, nothing is reserved any more. */
  #hasRoom(eventCount: number, nowMillis: number): boolean {
    if (this.isFull) return false;
    const { trace, maxEvents } = this.#options;
    this.#eventCount += eventCount;
    if (this.#eventCount <= maxEvents) return true;
    this.isFull = true;
    trace.mark(this.#main, `no more than ${maxEvents} events are recorded: the trace ends here`, nowMillis);
    return false;
  }
}

/** The node of the decision; for a plugin, its extension point and node. */
function detailOf({ point, node }: Span, nodeName: string | null): Readonly<Record<string, string>> {
  if (point === null) return nodeName === null ? {} : { node: nodeName };
  return node === null ? { point } : { point, node };
}

function categoryOf({ point, depth }: Span): string {
  if (point !== null) return 'plugin';
  return depth === 0 ? 'decision' : 'phase';
}
