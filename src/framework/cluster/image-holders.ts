import type { NodeInfo } from '../node-info.ts';

/** The nodes by the images that they hold: the slots of all holders side by side, image by image. */
export class ImageHolders {
  readonly #slots: Int32Array;
  /** The positions in `#slots` where the holders of each image begin and end, by its number. */
  readonly #begins: Int32Array;
  readonly #ends: Int32Array;

  /** `nodeCounts`: how many nodes hold each image at most, by its number. */
  constructor(nodes: Iterable<NodeInfo>, nodeCounts: Int32Array) {
    const begins = new Int32Array(nodeCounts.length);
    let total = 0;
    for (let id = 0; id < nodeCounts.length; id++) {
      begins[id] = total;
      total += nodeCounts[id] ?? 0;
    }
    const ends = begins.slice();
    const slots = new Int32Array(total);
    for (const { heldImages, slot } of nodes) {
      const { ids } = heldImages;
      for (let i = 0; i < ids.length; i++) {
        const id = ids[i] as number;
        const at = ends[id] as number;
        slots[at] = slot;
        ends[id] = at + 1;
      }
    }
    this.#slots = slots;
    this.#begins = begins;
    this.#ends = ends;
  }

  /** The slots of the nodes that hold the image with this number. */
  slotsOf(id: number): Int32Array {
    return this.#slots.subarray(this.#begins[id], this.#ends[id]);
  }
}
