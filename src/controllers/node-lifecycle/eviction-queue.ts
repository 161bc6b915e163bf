import type { EventLoop, Timer } from '../../lib/event-loop.ts';

/**
 * Nodes of one zone that are to be tainted so that their pods go, one at a time. Upstream: RateLimitedTimedQueue in
 * pkg/controller/nodelifecycle/scheduler.
 */
export class EvictionQueue {
  readonly #loop: EventLoop;
  readonly #taint: (nodeName: string) => void;
  readonly #waiting = new Set<string>();
  /** Were tainted, and are not to be again until they were well. */
  readonly #done = new Set<string>();
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

  /** Nothing happens to a node that was taken before and not removed since. */
  add(nodeName: string): void {
    if (this.#done.has(nodeName) || this.#waiting.has(nodeName)) return;
    this.#waiting.add(nodeName);
    this.#schedule();
  }

  /** It is to be tried again. */
  retry(nodeName: string): void {
    this.#done.delete(nodeName);
    this.add(nodeName);
  }

  remove(nodeName: string): void {
    this.#waiting.delete(nodeName);
    this.#done.delete(nodeName);
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
    this.#done.add(nodeName);
    this.#lastMillis = this.#loop.nowMillis();
    this.#taint(nodeName);
    this.#schedule();
  }
}
