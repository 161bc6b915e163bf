import type { Node } from '../api/node.ts';

/** The size of an image as its first node reported it, and the number of nodes that have it. */
export interface ImageState {
  readonly sizeBytes: number;
  readonly nodeCount: number;
}

/** The images that one node reports. */
export interface HeldImages {
  readonly names: readonly string[];
  /** The numbers of the images, in the order of their names. */
  readonly ids: Int32Array;
}

/** The size of an image, the number of nodes that hold it, and the version since which that is so. */
export type ImageRecord = readonly [name: string, sizeBytes: number, nodeCount: number, since: number];

interface Entry {
  /** A number that no other image of the cluster has. */
  readonly id: number;
  readonly sizeBytes: number;
  nodeCount: number;
  /** The version since which the entry is unchanged. */
  since: number;
  /** The state as it was last returned; it is replaced, never changed. */
  state: ImageState | null;
}

/** The images of a node that reports none. */
export const NO_HELD_IMAGES: HeldImages = { names: [], ids: new Int32Array(0) };
const NO_NAMES: readonly string[] = [];
/** With more images than this a node's names are looked up, and not walked through. */
const MANY = 8;
const NO_IMAGES: ReadonlyMap<string, ImageState> = new Map();

/** The images of the cluster with the number of their nodes (upstream's cache.imageStates). */
export class ImageStates {
  readonly #entries = new Map<string, Entry>();
  #version = 0;
  /** The numbers of forgotten images, for new ones. */
  #freeIds: number[] = [];
  #idCount = 0;

  /** A number that every change of a state changes. */
  get version(): number {
    return this.#version;
  }

  /** How many nodes hold each image, by its number. In a part of a cluster these are the nodes of the whole. */
  nodeCounts(): Int32Array {
    const counts = new Int32Array(this.#idCount);
    for (const { id, nodeCount } of this.#entries.values()) counts[id] = nodeCount;
    return counts;
  }

  /** The number of an image; undefined if no node holds it. */
  idOf(name: string): number | undefined {
    return this.#entries.get(name)?.id;
  }

  record(): ImageRecord[] {
    return Array.from(this.#entries, ([name, { sizeBytes, nodeCount, since }]) => [name, sizeBytes, nodeCount, since]);
  }

  /** Takes over the images of another cluster, with their numbers. */
  copyFrom(other: ImageStates): void {
    this.#version = other.#version;
    this.#freeIds = other.#freeIds.slice();
    this.#idCount = other.#idCount;
    for (const [name, entry] of other.#entries) this.#entries.set(name, { ...entry });
  }

  load(version: number, records: readonly ImageRecord[]): void {
    this.#version = version;
    for (const [name, sizeBytes, nodeCount, since] of records) {
      this.#entries.set(name, { id: this.#idCount++, sizeBytes, nodeCount, since, state: null });
    }
  }

  /** The images of a node that are counted already. */
  heldBy({ status }: Node): HeldImages {
    const names = [...new Set((status?.images ?? []).flatMap((image) => image.names ?? []))];
    return { names, ids: Int32Array.from(names, (name) => this.idOf(name) ?? 0) };
  }

  /** Adds the images of a node, and returns them. */
  addNode(node: Node): HeldImages {
    if (!node.status?.images?.length) return NO_HELD_IMAGES;
    this.#version++;
    const names: string[] = [];
    const ids: number[] = [];
    const known = node.status.images.length > MANY ? new Set<string>() : null;
    for (const image of node.status.images) {
      for (const name of image.names ?? NO_NAMES) {
        if (known === null ? names.includes(name) : known.has(name)) continue;
        known?.add(name);
        names.push(name);
        ids.push(this.#counted(name, image.sizeBytes ?? 0));
      }
    }
    return { names, ids: new Int32Array(ids) };
  }

  /** Counts one more node with the image, and returns the image's number. */
  #counted(name: string, sizeBytes: number): number {
    const entry = this.#entries.get(name);
    if (entry !== undefined) {
      this.#count(entry, 1);
      return entry.id;
    }
    const made = this.#newEntry(sizeBytes);
    this.#entries.set(name, made);
    return made.id;
  }

  removeNode({ names }: HeldImages): void {
    if (names.length === 0) return;
    this.#version++;
    for (const name of names) {
      const entry = this.#entries.get(name);
      if (entry === undefined) continue;
      this.#count(entry, -1);
      if (entry.nodeCount > 0) continue;
      this.#entries.delete(name);
      this.#freeIds.push(entry.id);
    }
  }

  /** Removes the old images of a node and adds the new ones; states that end up unchanged keep their version. */
  replaceNode(held: HeldImages, node: Node): HeldImages {
    const version = this.#version;
    const before = new Map(held.names.map((name) => [name, { since: this.since(name), state: this.#state(name) }]));
    this.removeNode(held);
    const newlyHeld = this.addNode(node);
    let kept = 0;
    for (const name of newlyHeld.names) {
      const known = before.get(name);
      const entry = this.#entries.get(name);
      if (!known?.state || entry === undefined || !isSame(known.state, this.#state(name))) continue;
      entry.since = known.since;
      entry.state = known.state;
      kept++;
    }
    if (kept === held.names.length && kept === newlyHeld.names.length) this.#version = version;
    return newlyHeld;
  }

  /** The states of these images; the returned map never changes. */
  statesOf({ names }: HeldImages): ReadonlyMap<string, ImageState> {
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
    return { id: this.#freeIds.pop() ?? this.#idCount++, sizeBytes, nodeCount: 1, since: this.#version, state: null };
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
