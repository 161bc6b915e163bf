import { timeAtMillis } from '../../api/time.ts';
import type { Clock } from '../../lib/clock.ts';

/** The moments that the store writes into objects: whole seconds, as text. */
export class ApiTime {
  readonly #clock: Clock;

  /** A clock that counts from the Unix epoch. */
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
