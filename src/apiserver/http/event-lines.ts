import type { StreamEvent } from '../context/context.ts';
import type { EventPresenter } from './present.ts';

/** The objects whose lines are kept: as many as a turn of busy watches has. */
const KEPT_MAX = 1024;

/** The lines of events as bytes, made once for all watches that show objects as they are. */
export class EventLines {
  #lines = new Map<object, { readonly type: StreamEvent['type']; readonly bytes: Uint8Array }>();
  #batch: readonly Uint8Array[] = [];
  #batchBytes: Uint8Array = new Uint8Array();

  of(event: StreamEvent, presenter: EventPresenter): Uint8Array {
    if (presenter.converts) return Buffer.from(presenter.line(event));
    const key = event.stored?.key ?? event.object;
    const kept = this.#lines.get(key);
    if (kept?.type === event.type) return kept.bytes;
    const bytes = Buffer.from(presenter.line(event));
    if (this.#lines.size === KEPT_MAX) this.#lines = new Map();
    this.#lines.set(key, { type: event.type, bytes });
    return bytes;
  }

  /** The lines one after the other. Watches of one turn mostly send the same lines. */
  joined(lines: readonly Uint8Array[]): Uint8Array {
    if (lines.length === 1) return lines[0] as Uint8Array;
    const isSame = lines.length === this.#batch.length && lines.every((line, i) => line === this.#batch[i]);
    if (isSame) return this.#batchBytes;
    this.#batch = [...lines];
    this.#batchBytes = Buffer.concat(lines);
    return this.#batchBytes;
  }
}
