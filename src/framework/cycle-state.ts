import type { Pod } from '../api/pod.ts';
import { assert } from '../lib/assert.ts';

/** A typed key for a value that one step of a plugin writes, and later steps read. */
export interface StateKey<T> {
  readonly name: string;
  /** Never set: the property only carries the type. */
  readonly type?: T;
}

export function stateKey<T>(name: string): StateKey<T> {
  return { name };
}

/** The error text of a plugin in a profile that does not call the step that writes its state. */
export function missingState(key: string): string {
  return `error reading "${key}" from cycleState: not found`;
}

const PODS_TO_ACTIVATE: StateKey<Map<string, Pod>> = stateKey('kubernetes.io/pods-to-activate');

/**
 * The pods that move to the active queue after this attempt, by namespace/name. Reserve, Permit and PostBind plugins of
 * a scheduler on a store add to them.
 *
 * @internal
 */
export function podsToActivate(state: CycleState): Map<string, Pod> {
  let pods = state.read(PODS_TO_ACTIVATE);
  if (pods === undefined) {
    pods = new Map();
    state.write(PODS_TO_ACTIVATE, pods);
  }
  return pods;
}

/** The pods that plugins have added; undefined if none has. */
export function podsAddedTo(state: CycleState): Map<string, Pod> | undefined {
  return state.read(PODS_TO_ACTIVATE);
}

/** A value that preemption changes on a copy. Values without `clone` are shared between copies. */
interface Cloneable {
  clone(): unknown;
}

/** Names of plugins whose steps are skipped. There are few, so that a list which copies share is faster than a set. */
export class SkippedPlugins {
  /** The list grows in place only behind the names that a copy has. */
  #names: string[] = NOBODY;
  #count = 0;

  constructor(from?: SkippedPlugins) {
    if (from === undefined) return;
    this.#names = from.#names;
    this.#count = from.#count;
  }

  has(name: string): boolean {
    const place = this.#names.indexOf(name);
    return place >= 0 && place < this.#count;
  }

  add(name: string): void {
    if (this.has(name)) return;
    // Where another copy has grown the list, or nobody may, it goes on in a list of its own.
    if (this.#names === NOBODY || this.#count < this.#names.length) this.#names = this.#names.slice(0, this.#count);
    this.#names.push(name);
    this.#count++;
  }

  delete(name: string): void {
    if (!this.has(name)) return;
    this.#names = this.#names.slice(0, this.#count).filter((other) => other !== name);
    this.#count = this.#names.length;
  }
}

const NOBODY: string[] = [];

/** The state of plugins during one scheduling attempt of one pod, written by PreFilter and PreScore. */
export class CycleState {
  readonly skipFilter: SkippedPlugins;
  readonly skipScore: SkippedPlugins;
  /** The keys that were written, and their values at the same places: a few, which are found by a walk. */
  readonly #keys: object[];
  readonly #values: unknown[];

  /**
   * `from`: a state whose steps are skipped here, too.
   *
   * @internal
   */
  constructor(from?: Pick<CycleState, 'skipFilter' | 'skipScore'>, keys: object[] = [], values: unknown[] = []) {
    this.skipFilter = new SkippedPlugins(from?.skipFilter);
    this.skipScore = new SkippedPlugins(from?.skipScore);
    this.#keys = keys;
    this.#values = values;
  }

  write<T>(key: StateKey<T>, value: T): void {
    const place = this.#keys.indexOf(key);
    if (place < 0) {
      this.#keys.push(key);
      this.#values.push(value);
    } else this.#values[place] = value;
  }

  read<T>(key: StateKey<T>): T | undefined {
    const place = this.#keys.indexOf(key);
    return place < 0 ? undefined : (this.#values[place] as T);
  }

  /** The value of a key that an earlier step of the plugin has written. */
  readWritten<T>(key: StateKey<T>): T {
    const value = this.read(key);
    if (value === undefined) assert(false, `the step that writes ${key.name} did not run`);
    return value;
  }

  clone(): CycleState {
    const values = this.#values.slice();
    for (let i = 0; i < values.length; i++) {
      const value = values[i];
      if (isCloneable(value)) values[i] = value.clone();
    }
    return new CycleState(this, this.#keys.slice(), values);
  }
}

function isCloneable(value: unknown): value is Cloneable {
  return typeof value === 'object' && value !== null && 'clone' in value && typeof value.clone === 'function';
}
