import type { Pod } from '../api/pod.ts';

/** A typed name for what one plugin hands from its early step to its later ones. */
export interface StateKey<T> {
  readonly name: string;
  /** Carries the type only. */
  readonly type?: T;
}

export function stateKey<T>(name: string): StateKey<T> {
  return { name };
}

/** What a plugin says when the step that writes its state is not part of the profile. */
export function missingState(key: string): string {
  return `error reading "${key}" from cycleState: not found`;
}

const PODS_TO_ACTIVATE: StateKey<Map<string, Pod>> = stateKey('kubernetes.io/pods-to-activate');

/**
 * Pods that are to be tried now, by namespace/name: Reserve, Permit and PostBind plugins of a scheduler on a store add
 * to them.
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

/** What plugins keep during one scheduling attempt of one pod: written once by PreFilter/PreScore, read many times. */
export class CycleState {
  readonly skipFilter = new Set<string>();
  readonly skipScore = new Set<string>();
  readonly #values = new Map<object, unknown>();

  write<T>(key: StateKey<T>, value: T): void {
    this.#values.set(key, value);
  }

  read<T>(key: StateKey<T>): T | undefined {
    return this.#values.get(key) as T | undefined;
  }

  clone(): CycleState {
    const copy = new CycleState();
    for (const name of this.skipFilter) copy.skipFilter.add(name);
    for (const name of this.skipScore) copy.skipScore.add(name);
    for (const [key, value] of this.#values) copy.#values.set(key, isCloneable(value) ? value.clone() : value);
    return copy;
  }
}

function isCloneable(value: unknown): value is Cloneable {
  return typeof value === 'object' && value !== null && 'clone' in value && typeof value.clone === 'function';
}
