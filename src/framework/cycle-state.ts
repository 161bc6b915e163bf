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
 */
export function podsToActivate(state: CycleState): Map<string, Pod> {
  let pods = state.read(PODS_TO_ACTIVATE);
  if (pods === undefined) {
    pods = new Map();
    state.write(PODS_TO_ACTIVATE, pods);
  }
  return pods;
}

/** A value that preemption changes on a copy. Values without `clone` are shared between copies. */
interface Cloneable {
  clone(): unknown;
}

/** The state of plugins during one scheduling attempt of one pod, written by PreFilter and PreScore. */
export class CycleState {
  readonly skipFilter: Set<string>;
  readonly skipScore: Set<string>;
  readonly #values = new Map<object, unknown>();

  /**
   * `from`: a state whose steps are skipped here, too.
   *
   * @internal
   */
  constructor(from?: Pick<CycleState, 'skipFilter' | 'skipScore'>) {
    this.skipFilter = new Set(from?.skipFilter);
    this.skipScore = new Set(from?.skipScore);
  }

  write<T>(key: StateKey<T>, value: T): void {
    this.#values.set(key, value);
  }

  read<T>(key: StateKey<T>): T | undefined {
    return this.#values.get(key) as T | undefined;
  }

  /** The value of a key that an earlier step of the plugin has written. */
  readWritten<T>(key: StateKey<T>): T {
    const value = this.read(key);
    if (value === undefined) assert(false, `the step that writes ${key.name} did not run`);
    return value;
  }

  clone(): CycleState {
    const copy = new CycleState(this);
    for (const [key, value] of this.#values) copy.#values.set(key, isCloneable(value) ? value.clone() : value);
    return copy;
  }
}

function isCloneable(value: unknown): value is Cloneable {
  return typeof value === 'object' && value !== null && 'clone' in value && typeof value.clone === 'function';
}
