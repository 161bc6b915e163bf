import type { ServerResponse } from 'node:http';
import type { EventLoop, Timer } from '../../lib/event-loop.ts';
import type { WatchAnswer } from '../context/context.ts';
import type { Durability } from './durability.ts';
import { EventLines } from './event-lines.ts';
import { EventPresenter, type Presentation } from './present.ts';

/** How long a watch lasts that does not say it itself. */
const TIMEOUT_SECONDS = 1800;
/** Events that come closer together than this travel together. */
const TURN_MILLIS = 10;
/** The events that are taken for one write to the client. */
const BATCH_MAX = 500;

export interface StreamModules {
  /** The real time. */
  readonly timers: EventLoop;
  readonly durability: Durability | undefined;
  /** A client that takes nothing for so long is cut off. */
  readonly stallMillis: number;
}

/**
 * The watches of a server. They send in turns: a first event is sent at once, those that follow it soon are sent
 * together, and watches that send the same share the bytes.
 */
export class WatchStreams {
  readonly #modules: StreamModules;
  readonly #lines = new EventLines();
  #ready: WatchStream[] = [];
  #lastTurnMillis = Number.NEGATIVE_INFINITY;

  constructor(modules: StreamModules) {
    this.#modules = modules;
  }

  /** Sends the events of a watch as they come, one JSON object a line, until its client or its time ends it. */
  open(answer: WatchAnswer, presentation: Presentation, response: ServerResponse): void {
    const modules = {
      ...{ ...this.#modules, lines: this.#lines },
      ready: (stream: WatchStream) => this.#queue(stream),
      drained: (stream: WatchStream) => this.#goOn(stream),
    };
    new WatchStream(answer, presentation, response, modules).begin();
  }

  #queue(stream: WatchStream): void {
    this.#ready.push(stream);
    if (this.#ready.length > 1) return;
    const { timers } = this.#modules;
    const delayMillis = this.#lastTurnMillis + TURN_MILLIS - timers.nowMillis();
    // A write wakes watches in its own middle, so events are taken after it.
    if (delayMillis > 0) timers.after(delayMillis, () => this.#turn());
    else timers.soon(() => this.#turn());
  }

  /** A client that has taken everything gets more at once: to wait for further events would only keep it waiting. */
  #goOn(stream: WatchStream): void {
    if (this.#modules.durability?.settled() === undefined) this.#modules.timers.soon(() => stream.send());
    else this.#queue(stream);
  }

  #turn(): void {
    const settled = this.#modules.durability?.settled();
    // A write is shown to watches only once it is on disk; if it cannot be written there, all watches end.
    if (settled !== undefined) {
      settled.then(
        () => this.#turn(),
        () => {
          for (const stream of this.#ready.splice(0)) stream.finish();
        },
      );
      return;
    }
    const ready = this.#ready;
    this.#ready = [];
    for (const stream of ready) stream.send();
    this.#lastTurnMillis = this.#modules.timers.nowMillis();
  }
}

interface OneStreamModules extends StreamModules {
  readonly lines: EventLines;
  readonly ready: (stream: WatchStream) => void;
  /** The client has taken what was written, after it was slower than that. */
  readonly drained: (stream: WatchStream) => void;
}

/**
 * One watch. While its client does not read, nothing is taken from the source: the history keeps the events, and ends
 * the watch if it falls behind too far.
 */
class WatchStream {
  readonly #answer: WatchAnswer;
  readonly #modules: OneStreamModules;
  readonly #response: ServerResponse;
  readonly #presenter: EventPresenter;
  readonly #end: Timer;
  /** Cuts the client off; undefined while it reads. */
  #stall: Timer | undefined;
  #isQueued = false;

  constructor(answer: WatchAnswer, presentation: Presentation, response: ServerResponse, modules: OneStreamModules) {
    const { served, timeoutSeconds = TIMEOUT_SECONDS } = answer;
    this.#answer = answer;
    this.#modules = modules;
    this.#response = response;
    this.#presenter = new EventPresenter(served, presentation, () => presentation.nowMillis);
    this.#end = modules.timers.after(timeoutSeconds * 1000, () => this.finish());
  }

  begin(): void {
    const response = this.#response;
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.flushHeaders();
    response.on('drain', () => {
      this.#stall?.cancel();
      this.#stall = undefined;
      if (this.#isQueued) return;
      this.#isQueued = true;
      this.#modules.drained(this);
    });
    response.on('close', () => this.#stop());
    this.#answer.source.onReady(() => this.#queue());
    this.#queue();
  }

  /** Sends what there is, until the client is slower. */
  send(): void {
    this.#isQueued = false;
    const { source } = this.#answer;
    const batch: Uint8Array[] = [];
    while (this.#stall === undefined && !this.#response.destroyed) {
      const event = source.next();
      if (event !== undefined) batch.push(this.#modules.lines.of(event, this.#presenter));
      const isOver = event?.type === 'ERROR';
      if (event !== undefined && !isOver && batch.length < BATCH_MAX) continue;
      if (batch.length > 0) this.#write(this.#modules.lines.joined(batch));
      if (isOver) this.finish();
      if (event === undefined || isOver) return;
      batch.length = 0;
    }
  }

  #write(bytes: Uint8Array): void {
    if (this.#response.write(bytes)) return;
    this.#stall = this.#modules.timers.after(this.#modules.stallMillis, () => this.#response.destroy());
  }

  #queue(): void {
    if (this.#isQueued || this.#stall !== undefined) return;
    this.#isQueued = true;
    this.#modules.ready(this);
  }

  finish(): void {
    this.#stop();
    this.#response.end();
  }

  #stop(): void {
    this.#end.cancel();
    this.#stall?.cancel();
    this.#answer.source.stop();
  }
}
