import type { Clock } from '../lib/clock.ts';

/** Creations and deletions that a controller asked for and has not seen yet; negative when it saw more than that. */
export interface OpenExpectations {
  readonly creations: number;
  readonly deletions: number;
}

interface Entry {
  creations: number;
  deletions: number;
  readonly setAtMillis: number;
}

/** Upstream: ExpectationsTimeout. A lost watch event must not stop a controller for ever. */
const EXPIRY_MILLIS = 5 * 60 * 1000;

/**
 * A controller's memory of its own writes that its cache does not show yet, per key: while some are open, the cache is
 * known to be old, and acting on it would do the same twice.
 *
 * Upstream: ControllerExpectations in pkg/controller/controller_utils.go.
 */
export class Expectations {
  readonly #clock: Clock;
  readonly #entries = new Map<string, Entry>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Forgets what was expected before; the expiry counts from now. */
  expectCreations(key: string, count: number): void {
    this.#set(key, count, 0);
  }

  /** Forgets what was expected before; the expiry counts from now. */
  expectDeletions(key: string, count: number): void {
    this.#set(key, 0, count);
  }

  /** More is expected; the expiry stays. Does nothing for a key without expectations. */
  raise(key: string, creations: number, deletions: number): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    entry.creations += creations;
    entry.deletions += deletions;
  }

  /** Less is expected: some writes failed or were not tried. */
  lower(key: string, creations: number, deletions: number): void {
    this.raise(key, -creations, -deletions);
  }

  creationObserved(key: string): void {
    this.lower(key, 1, 0);
  }

  deletionObserved(key: string): void {
    this.lower(key, 0, 1);
  }

  /** Whether everything expected was seen, or nothing is expected, or it was expected too long ago. */
  areSatisfied(key: string): boolean {
    const entry = this.#entries.get(key);
    if (entry === undefined) return true;
    if (entry.creations <= 0 && entry.deletions <= 0) return true;
    return this.#clock.nowMillis() - entry.setAtMillis > EXPIRY_MILLIS;
  }

  get(key: string): OpenExpectations | undefined {
    return this.#entries.get(key);
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }

  #set(key: string, creations: number, deletions: number): void {
    this.#entries.set(key, { creations, deletions, setAtMillis: this.#clock.nowMillis() });
  }
}
