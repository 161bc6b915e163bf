import type { NodeInfo } from '../node-info.ts';

/** The nodes by the images that they hold: the slots of all holders side by side, image by image. */
export class ImageHolders {
  readonly #slots: Int32Array;
  /** The position in `#slots` behind the holders of each image, by its number. */
  readonly #ends: Int32Array;

  /** `idCount`: all numbers of images are below it. */
  constructor(nodes: Iterable<NodeInfo>, idCount: number) {
    const all = [...nodes];
    const ends = new Int32Array(idCount + 1);
    let total = 0;
    for (const { heldImages } of all) {
      for (const id of heldImages.ids) ends[id + 1] = (ends[id + 1] ?? 0) + 1;
      total += heldImages.ids.length;
    }
    for (let id = 1; id <= idCount; id++) ends[id] = (ends[id] ?? 0) + (ends[id - 1] ?? 0);
    // Element `id` is where the image's holders begin; each holder that is written moves it on, at last to their end.
    const slots = new Int32Array(total);
    for (const { heldImages, slot } of all) {
      for (const id of heldImages.ids) {
        const at = ends[id] ?? 0;
        slots[at] = slot;
        ends[id] = at + 1;
      }
    }
    this.#slots = slots;
    this.#ends = ends;
  }

  /** The slots of the nodes that hold the image with this number. */
  slotsOf(id: number): Int32Array {
    return this.#slots.subarray(id === 0 ? 0 : this.#ends[id - 1], this.#ends[id]);
  }
}
