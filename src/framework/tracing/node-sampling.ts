import { Prng } from '../../lib/prng.ts';

const BLOCKS_OF_ONE_SIZE = 4;

/**
 * Selects nodes to record among many that come one after the other: the first four, then one of every two, four times,
 * then one of every four, ... About 4 x log2(n / 4) of n, without knowing n. Within a block the draw decides, so that
 * it is not the same nodes every time.
 *
 *     block size   1 1 1 1  2  2  2  2   4    4    4    4 ...
 *     chosen       x x x x .x x. x. .x ..x. x... .x.. ...x
 */
export class NodeSampling {
  /** The number of nodes for which the last chosen one stands. */
  weight = 1;
  #blockSize = 1;
  #blocks = 0;
  /** The nodes of the block that have not come yet, and the number of them that follow the chosen one. */
  #left = 0;
  #target = 0;
  readonly #prng = new Prng(1);

  /** Begins another loop over nodes. */
  restart(): void {
    this.#blockSize = 1;
    this.#blocks = 0;
    this.#left = 0;
  }

  /** Whether the next node is chosen. */
  choose(): boolean {
    if (this.#left === 0) this.#nextBlock();
    this.#left--;
    if (this.#left !== this.#target) return false;
    this.weight = this.#blockSize;
    return true;
  }

  #nextBlock(): void {
    if (this.#blocks === BLOCKS_OF_ONE_SIZE) {
      this.#blockSize *= 2;
      this.#blocks = 0;
    }
    this.#blocks++;
    this.#left = this.#blockSize;
    this.#target = this.#prng.below(this.#blockSize);
  }
}
