import { type EventLoop, type Timer, VirtualEventLoop } from '../../../src/lib/event-loop.ts';

/** A loop whose clock can be moved on without running what falls due: that waits until `runDue`. */
export class LateLoop implements EventLoop {
  readonly #tasks: VirtualEventLoop;
  #nowMillis: number;

  constructor(startMillis: number) {
    this.#tasks = new VirtualEventLoop(startMillis);
    this.#nowMillis = startMillis;
  }

  nowMillis(): number {
    return this.#nowMillis;
  }

  after(delayMillis: number, task: () => void): Timer {
    const dueMillis = this.#nowMillis + Math.max(0, delayMillis);
    return this.#tasks.after(dueMillis - this.#tasks.nowMillis(), task);
  }

  soon(task: () => void): void {
    this.after(0, task);
  }

  moveTo(millis: number): void {
    this.#nowMillis = millis;
  }

  runDue(): void {
    this.#tasks.runUntil(this.#nowMillis);
  }
}
