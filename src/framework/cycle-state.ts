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
  #names: readonly string[];

  constructor(from?: SkippedPlugins) {
    this.#names = from === undefined ? NOBODY : from.#names;
  }

  has(name: string): boolean {
    return this.#names.includes(name);
  }

  add(name: string): void {
    if (!this.has(name)) this.#names = [...this.#names, name];
  }

  delete(name: string): void {
    if (this.has(name)) this.#names = this.#names.filter((other) => other !== name);
  }
}

const NOBODY: readonly string[] = [];

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
