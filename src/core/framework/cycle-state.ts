/** A typed name for what one plugin hands from its early step to its later ones. */
export interface StateKey<T> {
  readonly name: string;
  /** Carries the type only. */
  readonly type?: T;
}

export function stateKey<T>(name: string): StateKey<T> {
  return { name };
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
}
