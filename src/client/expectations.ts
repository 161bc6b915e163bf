import type { Clock } from '../lib/clock.ts';
import { getOrMake } from '../lib/get-or-make.ts';

/**
 * Creations and deletions that a controller requested and has not observed yet; negative when it observed more than it
 * expected.
 */
export interface OpenExpectations {
  readonly creations: number;
  readonly deletions: number;
}

interface Entry {
  creations: number;
  deletions: number;
  readonly setAtMillis: number;
}

/**
 * Expectations older than this are ignored, since a lost watch event must not block a controller for ever. Upstream:
 * ExpectationsTimeout.
 */
const EXPIRY_MILLIS = 5 * 60 * 1000;

/**
 * A controller's record of its own writes that its cache does not show yet, per key. While some are open, the cache is
 * known to be stale, and acting on it would repeat these writes.
 *
 * Upstream: ControllerExpectations in pkg/controller/controller_utils.go.
 */
export class Expectations {
  readonly #clock: Clock;
  readonly #entries = new Map<string, Entry>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Replaces earlier expectations; the expiry counts from now. */
  expectCreations(key: string, count: number): void {
    this.#set(key, count, 0);
  }

  /** Replaces earlier expectations; the expiry counts from now. */
  expectDeletions(key: string, count: number): void {
    this.#set(key, 0, count);
  }

  /** Adds to the expectations; their expiry stays. Does nothing for a key without expectations. */
  raise(key: string, creations: number, deletions: number): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    entry.creations += creations;
    entry.deletions += deletions;
  }

  /** Subtracts from the expectations, because some writes failed or were not tried. */
  lower(key: string, creations: number, deletions: number): void {
    this.raise(key, -creations, -deletions);
  }

  creationObserved(key: string): void {
    this.lower(key, 1, 0);
  }

  deletionObserved(key: string): void {
    this.lower(key, 0, 1);
  }

  /** Whether all expected changes were observed, none are expected, or the expectations have expired. */
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

const NOTHING: ReadonlySet<string> = new Set();

/**
 * The uids of objects whose change a controller requested and has not observed yet, per key: the Job controller's
 * removals of finalizers. They do not expire, because every later event of the object counts as observing the change.
 *
 * Upstream: uidTrackingExpectations in pkg/controller/job/tracking_utils.go.
 */
export class UidExpectations {
  readonly #byKey = new Map<string, Set<string>>();

  expect(key: string, uids: Iterable<string>): void {
    const open = getOrMake(this.#byKey, key, () => new Set());
    for (const uid of uids) open.add(uid);
  }

  observed(key: string, uid: string): void {
    this.#byKey.get(key)?.delete(uid);
  }

  /** A copy of the uids that are still expected. */
  get(key: string): ReadonlySet<string> {
    const open = this.#byKey.get(key);
    return open === undefined || open.size === 0 ? NOTHING : new Set(open);
  }

  delete(key: string): void {
    this.#byKey.delete(key);
  }
}
