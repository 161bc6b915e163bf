import type { NodeInfo } from '../node-info.ts';

/** Slots in no more bytes than their numbers need, since pages that are touched for the first time are dear. */
export type Slots = Uint16Array | Int32Array;

/** The most slots whose numbers have two bytes. */
const SHORT_SLOTS = 65_536;

/** The nodes by the images that they hold: the slots of all holders side by side, image by image. */
export class ImageHolders {
  readonly #slots: Slots;
  /** The positions in `#slots` where the holders of each image begin and end, by its number. */
  readonly #begins: Int32Array;
  readonly #ends: Int32Array;

  /** `nodeCounts`: how many nodes hold each image at most, by its number. All slots lie below `slotCount`. */
  constructor(nodes: Iterable<NodeInfo>, nodeCounts: Int32Array, slotCount: number) {
    const begins = new Int32Array(nodeCounts.length);
    let total = 0;
    for (let id = 0; id < nodeCounts.length; id++) {
      begins[id] = total;
      total += nodeCounts[id] ?? 0;
    }
    const ends = begins.slice();
    const slots = slotCount <= SHORT_SLOTS ? new Uint16Array(total) : new Int32Array(total);
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
  slotsOf(id: number): Slots {
    return this.#slots.subarray(this.#begins[id], this.#ends[id]);
  }
}
