import { timeAtMillis } from '../../api/time.ts';
import type { Clock } from '../../lib/clock.ts';

/** The times that the store writes into objects: text, in whole seconds. */
export class ApiTime {
  readonly #clock: Clock;

  /** `clock`: a clock that counts from the Unix epoch. */
  constructor(clock: Clock) {
    this.#clock = clock;
  }

  now(): string {
    return timeAtMillis(this.#clock.nowMillis());
  }

  inSeconds(delaySeconds: number): string {
    return timeAtMillis(this.#clock.nowMillis() + delaySeconds * 1000);
  }
}
