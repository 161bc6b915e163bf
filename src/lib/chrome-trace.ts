/** A piece of work on one thread. Milliseconds of any one clock. */
export interface TraceEvent {
  readonly name: string;
  /** The category, by which viewers filter. */
  readonly category: string;
  readonly thread: TraceThread;
  readonly startMillis: number;
  readonly endMillis: number;
  readonly args: Readonly<Record<string, unknown>>;
}

/** A line of a trace. */
export interface TraceThread {
  readonly processId: number;
  readonly threadId: number;
}

/** Large enough that writing is limited by the file, not by the number of calls. */
const CHARACTERS_PER_WRITE = 2 ** 16;

/**
 * Writes Chrome's trace event format (a JSON object), which Perfetto and chrome://tracing open. Events are handed to
 * `write` in pieces, so that memory stays small.
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

  /** Adds a complete event (`ph` X). Among the events of a thread, an outer event must come before the inner ones. */
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

  /** Adds a mark with a text across all threads of the process. */
  mark({ processId, threadId }: TraceThread, name: string, atMillis: number): void {
    this.#append({ name, ph: 'i', s: 'p', ts: this.#nanos(atMillis) / 1e3, pid: processId, tid: threadId });
  }

  /** Completes the file; nothing may be added afterwards. */
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

  /**
   * Rounds to whole nanoseconds: events that end together get the same number, so that no inner event exceeds its outer
   * one.
   */
  #nanos(millis: number): number {
    return Math.round((millis - this.#originMillis) * 1e6);
  }
}
