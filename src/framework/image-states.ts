import type { Node } from '../api/node.ts';

/** One image name as the cluster knows it: the size that its first holder reported, and how many nodes hold it. */
export interface ImageState {
  readonly sizeBytes: number;
  readonly nodeCount: number;
}

const NO_IMAGES: ReadonlyMap<string, ImageState> = new Map();

/** Which images are on how many nodes (upstream's cache.imageStates). */
export class ImageStates {
  readonly #states = new Map<string, { sizeBytes: number; nodeCount: number }>();
  /** Changes whenever a score that reads images may change. */
  version = 0;

  /** Registers a node's images; returns them by name. */
  addNode(node: Node): ReadonlyMap<string, ImageState> {
    this.version++;
    if (!node.status?.images?.length) return NO_IMAGES;
    const onNode = new Map<string, ImageState>();
    for (const image of node.status.images) {
      for (const name of image.names ?? []) {
        if (onNode.has(name)) continue;
        let state = this.#states.get(name);
        if (state === undefined) {
          state = { sizeBytes: image.sizeBytes ?? 0, nodeCount: 0 };
          this.#states.set(name, state);
        }
        state.nodeCount++;
        onNode.set(name, state);
      }
    }
    return onNode;
  }

  removeNode(images: ReadonlyMap<string, ImageState>): void {
    this.version++;
    for (const name of images.keys()) {
      const state = this.#states.get(name);
      if (state !== undefined && --state.nodeCount === 0) this.#states.delete(name);
    }
  }

  /** No node reports any image. */
  get isEmpty(): boolean {
    return this.#states.size === 0;
  }

  has(name: string): boolean {
    return this.#states.has(name);
  }
}
