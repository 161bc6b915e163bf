import type { Node } from '../api/node.ts';

/** The size of an image as its first node reported it, and the number of nodes that have it. */
export interface ImageState {
  readonly sizeBytes: number;
  readonly nodeCount: number;
}

interface Entry {
  readonly sizeBytes: number;
  nodeCount: number;
  /** The version since which the entry is unchanged. */
  since: number;
  /** The state as it was last returned; it is replaced, never changed. */
  state: ImageState | null;
}

const NO_NAMES: readonly string[] = [];
const NO_IMAGES: ReadonlyMap<string, ImageState> = new Map();

/** The images of the cluster with the number of their nodes (upstream's cache.imageStates). */
export class ImageStates {
  readonly #entries = new Map<string, Entry>();
  #version = 0;

  /** A number that every change of a state changes. */
  get version(): number {
    return this.#version;
  }

  /** Adds the images of a node; returns their names. */
  addNode(node: Node): readonly string[] {
    if (!node.status?.images?.length) return NO_NAMES;
    this.#version++;
    const names = new Set<string>();
    for (const image of node.status.images) {
      for (const name of image.names ?? []) {
        if (names.has(name)) continue;
        names.add(name);
        const entry = this.#entries.get(name);
        if (entry !== undefined) this.#count(entry, 1);
        else this.#entries.set(name, this.#newEntry(image.sizeBytes ?? 0));
      }
    }
    return [...names];
  }

  removeNode(names: readonly string[]): void {
    if (names.length === 0) return;
    this.#version++;
    for (const name of names) {
      const entry = this.#entries.get(name);
      if (entry === undefined) continue;
      this.#count(entry, -1);
      if (entry.nodeCount === 0) this.#entries.delete(name);
    }
  }

  /** Removes the old images of a node and adds the new ones; states that end up unchanged keep their version. */
  replaceNode(names: readonly string[], node: Node): readonly string[] {
    const version = this.#version;
    const before = new Map(names.map((name) => [name, { since: this.since(name), state: this.#state(name) }]));
    this.removeNode(names);
    const newNames = this.addNode(node);
    let kept = 0;
    for (const name of newNames) {
      const known = before.get(name);
      const entry = this.#entries.get(name);
      if (!known?.state || entry === undefined || !isSame(known.state, this.#state(name))) continue;
      entry.since = known.since;
      entry.state = known.state;
      kept++;
    }
    if (kept === names.length && kept === newNames.length) this.#version = version;
    return newNames;
  }

  /** The states of these images; the returned map never changes. */
  statesOf(names: readonly string[]): ReadonlyMap<string, ImageState> {
    if (names.length === 0) return NO_IMAGES;
    const states = new Map<string, ImageState>();
    for (const name of names) {
      const state = this.#state(name);
      if (state !== null) states.set(name, state);
    }
    return states;
  }

  /** The version since which the state of an image is unchanged; 0 for an unknown image. */
  since(name: string): number {
    return this.#entries.get(name)?.since ?? 0;
  }

  /** Whether no node reports any image. */
  get isEmpty(): boolean {
    return this.#entries.size === 0;
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  #newEntry(sizeBytes: number): Entry {
    return { sizeBytes, nodeCount: 1, since: this.#version, state: null };
  }

  #count(entry: Entry, change: number): void {
    entry.nodeCount += change;
    entry.since = this.#version;
    entry.state = null;
  }

  #state(name: string): ImageState | null {
    const entry = this.#entries.get(name);
    if (entry === undefined) return null;
    entry.state ??= { sizeBytes: entry.sizeBytes, nodeCount: entry.nodeCount };
    return entry.state;
  }
}

/** Whether both hold the same states, so that scores from them are equal. */
export function areSame(a: ReadonlyMap<string, ImageState>, b: ReadonlyMap<string, ImageState>): boolean {
  if (a.size !== b.size) return false;
  for (const [name, state] of a) if (!isSame(state, b.get(name) ?? null)) return false;
  return true;
}

function isSame(a: ImageState, b: ImageState | null): boolean {
  return b !== null && a.sizeBytes === b.sizeBytes && a.nodeCount === b.nodeCount;
}
