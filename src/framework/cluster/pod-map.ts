import type { Pod } from '../../api/pod.ts';
import { assert } from '../../lib/assert.ts';
import { SegmentedList } from '../../lib/segmented-list.ts';
import type { PodInfo } from '../pod-info.ts';

const SMALLEST_CAPACITY = 64;
const EMPTY = 0;
const DELETED = -1;
/** Smaller tables stay in a cache. */
const LARGE = 1 << 16;

/**
 * A map of pods by namespace and name: a hash table with open addressing over flat arrays. A batch adds millions of
 * pods, and a `Map` by a concatenated key would cost more than their decisions.
 *
 *   places   entry number + 1 by hash, EMPTY, or DELETED            0 0 3 0 1 -1 2 0
 *   hashes   by entry number
 *   pods     by entry number; free entries are used again, and there may be room behind the last
 */
export class PodMap {
  /** The entry of the pod that was added last; only the map changes it. A pod keeps its entry until it is deleted. */
  lastEntry = 0;
  #places = new Int32Array(SMALLEST_CAPACITY);
  #hashes = new Int32Array(SMALLEST_CAPACITY / 2);
  #pods = new SegmentedList<PodInfo>();
  #entryCount = 0;
  #free: number[] = [];
  #used = 0;
  #lastNamespace = '';
  #lastNamespaceHash = 0;

  /** Takes over the pods of another map, but of those without a node copies, which `copyOf` makes. */
  copyFrom(other: PodMap, copyOf: (pod: PodInfo) => PodInfo): void {
    this.#places = other.#places.slice();
    this.#hashes = other.#hashes.slice();
    this.#pods = other.#pods.copy();
    this.#entryCount = other.#entryCount;
    this.#free = other.#free.slice();
    this.#used = other.#used;
    // Nearly all pods are on nodes, and the first copy that a program makes runs before this loop is compiled.
    for (let entry = 0; entry < this.#entryCount; entry++) {
      const pod = this.#pods.at(entry);
      if (pod?.nodeName === '') this.#pods.set(entry, copyOf(pod));
    }
  }

  get(namespace: string, name: string): PodInfo | undefined {
    const place = this.#find(namespace, name);
    return place < 0 ? undefined : this.#pods.at((this.#places[place] ?? 0) - 1);
  }

  /** Adds the pod. Returns false, with nothing changed, if there is a pod of this name. */
  add(pod: PodInfo): boolean {
    const { namespace, name } = pod;
    const hash = this.#hash(namespace, name);
    if (this.#find(namespace, name, hash) >= 0) return false;
    this.reserve(1);
    const entry = this.#free.pop() ?? this.#entryCount++;
    this.lastEntry = entry;
    this.#pods.set(entry, pod);
    this.#hashes[entry] = hash;
    this.#put(entry, hash);
    return true;
  }

  /** The number of places that are not EMPTY, which searches may have to pass. @internal */
  get usedPlaces(): number {
    return this.#used;
  }

  /** The pod of an entry; undefined if it is free. */
  at(entry: number): PodInfo | undefined {
    return this.#pods.at(entry);
  }

  /**
   * Reads the places of pods that are about to be added. Between the checks of two pods each such read waits for memory
   * that no cache holds; side by side many wait at the same time. The pods may be anything yet.
   */
  readAhead(pods: readonly Pod[], from: number, to: number): void {
    const places = this.#places;
    if (places.length < LARGE) return;
    let taken = 0;
    for (let i = from; i < to; i++) {
      const { namespace, name } = pods[i]?.metadata ?? {};
      if (typeof name !== 'string') continue;
      const hash = this.#hash(typeof namespace === 'string' && namespace !== '' ? namespace : 'default', name);
      const number = places[hash & (places.length - 1)] ?? EMPTY;
      if (number > 0 && this.#hashes[number - 1] === hash) taken++;
    }
    // A result that is used: compilers leave out reads that lead to nothing.
    assert(taken <= pods.length, 'a pod has one place');
  }

  /**
   * Makes room for so many more pods. A table that has none is rebuilt without deleted places, with room for as many
   * pods again, or for more.
   */
  reserve(more: number): void {
    if ((this.#used + more) * 2 <= this.#places.length) return;
    const count = this.#entryCount - this.#free.length;
    let capacity = SMALLEST_CAPACITY;
    while (capacity < (count + Math.max(count + 2, more)) * 2) capacity *= 2;
    this.#places = new Int32Array(capacity);
    if (this.#hashes.length < capacity / 2) {
      const hashes = new Int32Array(capacity / 2);
      hashes.set(this.#hashes);
      this.#hashes = hashes;
    }
    this.#used = 0;
    for (let entry = 0; entry < this.#entryCount; entry++) {
      if (this.#pods.at(entry) !== undefined) this.#put(entry, this.#hashes[entry] ?? 0);
    }
  }

  *all(): Iterable<PodInfo> {
    for (let entry = 0; entry < this.#entryCount; entry++) {
      const pod = this.#pods.at(entry);
      if (pod !== undefined) yield pod;
    }
  }

  /** Replaces the pod of this name. */
  replace(pod: PodInfo): void {
    const place = this.#find(pod.namespace, pod.name);
    if (place >= 0) this.#pods.set((this.#places[place] ?? 0) - 1, pod);
  }

  delete(pod: PodInfo): void {
    const place = this.#find(pod.namespace, pod.name);
    if (place < 0) return;
    const entry = (this.#places[place] ?? 0) - 1;
    this.#places[place] = DELETED;
    this.#pods.set(entry, undefined);
    this.#free.push(entry);
  }

  /** Returns the place of the pod; -1 if there is none. */
  #find(namespace: string, name: string, hash = this.#hash(namespace, name)): number {
    const mask = this.#places.length - 1;
    for (let place = hash & mask; ; place = (place + 1) & mask) {
      const number = this.#places[place] ?? EMPTY;
      if (number === EMPTY) return -1;
      if (number === DELETED || this.#hashes[number - 1] !== hash) continue;
      const pod = this.#pods.at(number - 1);
      if (pod !== undefined && pod.name === name && pod.namespace === namespace) return place;
    }
  }

  #put(entry: number, hash: number): void {
    const mask = this.#places.length - 1;
    let place = hash & mask;
    // A pod that comes again and again takes the place that it had, instead of leaving one more to be passed each time.
    while ((this.#places[place] ?? EMPTY) > EMPTY) place = (place + 1) & mask;
    if (this.#places[place] === EMPTY) this.#used++;
    this.#places[place] = entry + 1;
  }

  #hash(namespace: string, name: string): number {
    if (namespace !== this.#lastNamespace) {
      this.#lastNamespace = namespace;
      this.#lastNamespaceHash = hashOf(namespace, 0);
    }
    return hashOf(name, this.#lastNamespaceHash);
  }
}

/** FNV-1a over UTF-16 units, with its bits mixed once more, because the low bits choose the place. */
function hashOf(text: string, seed: number): number {
  let hash = seed ^ 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  return hash ^ (hash >>> 13);
}
