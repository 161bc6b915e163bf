import type { EventLoop, Timer } from '../../lib/event-loop.ts';

/**
 * The nodes of one zone that are to be tainted for the eviction of their pods, one at a time. Upstream:
 * RateLimitedTimedQueue in pkg/controller/nodelifecycle/scheduler.
 */
export class EvictionQueue {
  readonly #loop: EventLoop;
  readonly #taint: (nodeName: string) => void;
  readonly #waiting = new Set<string>();
  #millisPerNode: number;
  #lastMillis = Number.NEGATIVE_INFINITY;
  #timer: Timer | undefined;

  constructor(loop: EventLoop, millisPerNode: number, taint: (nodeName: string) => void) {
    this.#loop = loop;
    this.#millisPerNode = millisPerNode;
    this.#taint = taint;
  }

  set millisPerNode(millis: number) {
    if (millis === this.#millisPerNode) return;
    this.#millisPerNode = millis;
    this.#schedule();
  }

  /** Adds a node, which keeps its place if it waits already. */
  add(nodeName: string): void {
    if (this.#waiting.has(nodeName)) return;
    this.#waiting.add(nodeName);
    this.#schedule();
  }

  remove(nodeName: string): void {
    this.#waiting.delete(nodeName);
  }

  stop(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #schedule(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    if (this.#waiting.size === 0 || this.#millisPerNode === Number.POSITIVE_INFINITY) return;
    const dueMillis = this.#lastMillis + this.#millisPerNode;
    this.#timer = this.#loop.after(Math.max(0, dueMillis - this.#loop.nowMillis()), () => this.#takeNext());
  }

  #takeNext(): void {
    this.#timer = undefined;
    const [nodeName] = this.#waiting;
    if (nodeName === undefined) return;
    this.#waiting.delete(nodeName);
    this.#lastMillis = this.#loop.nowMillis();
    this.#taint(nodeName);
    this.#schedule();
  }
}
