import type { ClusterState } from '../../framework/cluster/cluster-state.ts';
import type { Slots } from '../../framework/cluster/image-holders.ts';
import type { ImageState } from '../../framework/image-states.ts';
import type { NodeInfo } from '../../framework/node-info.ts';

/** The look of a node that holds none of the images. */
export const NO_IMAGES = 0;
/** The most looks, for which results are kept in an array. */
const MAX_LOOKS = 4096;
const NO_SLOTS = new Uint16Array(0);

/** Nodes as a plugin sees them that reads some images: nodes with equal looks hold the same in equal states. */
export interface ImageLooks {
  /** All looks are below this number. */
  readonly count: number;
  /** The look of each slot. */
  readonly bySlot: Int32Array;
}

/**
 * The slots of the nodes that hold some of the images, if all of them look the same to who reads these; null if they
 * may not.
 */
export function equalHolders(cluster: ClusterState, images: readonly string[]): Slots | null {
  let holders: Slots = NO_SLOTS;
  for (const image of new Set(images)) {
    const slots = cluster.imageHolders(image);
    if (slots.length === 0) continue;
    if (holders.length > 0 || !seePresentState(cluster, image)) return null;
    holders = slots;
  }
  return holders;
}

/** Whether all nodes that hold the image see its present state, although they may see old ones of other images. */
function seePresentState(cluster: ClusterState, image: string): boolean {
  return !cluster.hasStaleImages || cluster.areImagesUpToDate([image]);
}

/** Returns null if there are too many looks. */
export function imageLooksOf(cluster: ClusterState, images: readonly string[]): ImageLooks | null {
  const bySlot = new Int32Array(cluster.slotCount);
  let count = 1;
  for (const image of new Set(images)) {
    const slots = cluster.imageHolders(image);
    if (seePresentState(cluster, image)) {
      for (let i = 0; i < slots.length; i++) addTo(bySlot, slots[i] ?? 0, count);
      count *= 2;
    } else {
      const since = cluster.imageSince(image);
      const states = new Map<ImageState | undefined, number>([[undefined, 0]]);
      for (let i = 0; i < slots.length; i++) {
        const slot = slots[i] as number;
        const node = cluster.nodeAt(slot) as NodeInfo;
        // Most nodes were copied into the snapshot since the image changed last.
        addTo(bySlot, slot, count * (node.imagesVersion >= since ? PRESENT : numberOf(states, node.images.get(image))));
      }
      count *= PRESENT + states.size;
    }
    if (count > MAX_LOOKS) return null;
  }
  return { count, bySlot };
}

/** The number of the state of an image as it is now; those of earlier ones are greater. */
const PRESENT = 1;

/** The number of an earlier state, or of none. */
function numberOf(states: Map<ImageState | undefined, number>, state: ImageState | undefined): number {
  let number = states.get(state);
  if (number === undefined) {
    number = PRESENT + states.size;
    states.set(state, number);
  }
  return number;
}

function addTo(values: Int32Array, slot: number, step: number): void {
  values[slot] = (values[slot] ?? 0) + step;
}
