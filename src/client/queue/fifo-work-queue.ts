import { assert } from '../../lib/assert.ts';
import { Fifo } from '../../lib/fifo.ts';
import type { WorkQueue } from './queues.ts';

/** A work queue; keys become ready in the order in which they were added. */
export class FifoWorkQueue<K extends string> implements WorkQueue<K> {
  readonly #ready = new Fifo<K>();
  /** Keys that need processing: ready keys, and keys that were added again while being processed. */
  readonly #dirty = new Set<K>();
  readonly #processing = new Set<K>();
  #isShuttingDown = false;
  #onReady: () => void = () => {};
  #onDrained: (() => void) | undefined;

  get length(): number {
    return this.#ready.length;
  }

  get isShuttingDown(): boolean {
    return this.#isShuttingDown;
  }

  onReady(wake: () => void): void {
    this.#onReady = wake;
  }

  add(key: K): void {
    if (this.#isShuttingDown || this.#dirty.has(key)) return;
    this.#dirty.add(key);
    if (!this.#processing.has(key)) this.#makeReady(key);
  }

  get(): K | undefined {
    const key = this.#ready.shift();
    if (key === undefined) return undefined;
    this.#dirty.delete(key);
    this.#processing.add(key);
    return key;
  }

  done(key: K): void {
    assert(this.#processing.delete(key), `${key} is done but was not being processed`);
    if (this.#dirty.has(key)) this.#makeReady(key);
    this.#reportDrained();
  }

  shutDown(): void {
    this.#isShuttingDown = true;
  }

  shutDownWithDrain(onDrained: () => void): void {
    this.shutDown();
    this.#onDrained = onDrained;
    this.#reportDrained();
  }

  #makeReady(key: K): void {
    this.#ready.push(key);
    this.#onReady();
  }

  #reportDrained(): void {
    const onDrained = this.#onDrained;
    if (onDrained === undefined || this.#ready.length > 0 || this.#processing.size > 0) return;
    this.#onDrained = undefined;
    onDrained();
  }
}
