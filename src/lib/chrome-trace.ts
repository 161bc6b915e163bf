/** A piece of work on one thread. Milliseconds of any one clock. */
export interface TraceEvent {
  readonly name: string;
  /** Category: viewers filter by it. */
  readonly category: string;
  readonly thread: TraceThread;
  readonly startMillis: number;
  readonly endMillis: number;
  readonly args: Readonly<Record<string, unknown>>;
}

export interface TraceThread {
  readonly processId: number;
  readonly threadId: number;
}

/** Large enough that the file is the bottleneck, not the calls. */
const CHARACTERS_PER_WRITE = 2 ** 16;

/**
 * Writes Chrome's trace event format (a JSON object), which Perfetto and chrome://tracing open. Events are handed to
 * `write` in pieces, so memory stays small however long the trace. An event takes one line.
 */
export class ChromeTrace {
  readonly #write: (text: string) => void;
  readonly #originMillis: number;
  #text = '{"displayTimeUnit":"ns","traceEvents":[';
  #isFirst = true;

  /** `originMillis` becomes time 0. */
  constructor(write: (text: string) => void, originMillis: number) {
    this.#write = write;
    this.#originMillis = originMillis;
  }

  nameProcess(processId: number, name: string): void {
    this.#append({ name: 'process_name', ph: 'M', pid: processId, args: { name } });
  }

  nameThread({ processId, threadId }: TraceThread, name: string): void {
    this.#append({ name: 'thread_name', ph: 'M', pid: processId, tid: threadId, args: { name } });
  }

  /** A complete event: `ph` X. Of events of one thread, the outer comes before what lies within it. */
  add({ name, category, thread, startMillis, endMillis, args }: TraceEvent): void {
    const start = this.#nanos(startMillis);
    this.#append({
      name,
      cat: category,
      ph: 'X',
      ts: start / 1e3,
      dur: (this.#nanos(endMillis) - start) / 1e3,
      pid: thread.processId,
      tid: thread.threadId,
      args,
    });
  }

  /** A mark over all threads of the process, with its text. */
  mark({ processId, threadId }: TraceThread, name: string, atMillis: number): void {
    this.#append({ name, ph: 'i', s: 'p', ts: this.#nanos(atMillis) / 1e3, pid: processId, tid: threadId });
  }

  /** Nothing may come after this. */
  end(): void {
    this.#write(`${this.#text}\n]}\n`);
  }

  #append(event: object): void {
    this.#text += `${this.#isFirst ? '' : ','}\n${JSON.stringify(event)}`;
    this.#isFirst = false;
    if (this.#text.length < CHARACTERS_PER_WRITE) return;
    this.#write(this.#text);
    this.#text = '';
  }

  /** Whole ones: what ends together ends at the same number, so that nothing sticks out of what it lies in. */
  #nanos(millis: number): number {
    return Math.round((millis - this.#originMillis) * 1e6);
  }
}
