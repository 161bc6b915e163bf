import { Prng } from '../../lib/prng.ts';

const BLOCKS_OF_ONE_SIZE = 4;

/**
 * Which of many nodes, met one after the other, are looked at: the first four, then one of every two, four times, then
 * one of every four, ... About 4 x log2(n / 4) of n, without knowing n. Within a block the draw decides, so that it is
 * not the same nodes every time.
 *
 *     block size   1 1 1 1  2  2  2  2   4    4    4    4 ...
 *     chosen       x x x x .x x. x. .x ..x. x... .x.. ...x
 */
export class NodeSampling {
  /** How many nodes the one chosen last stands for. */
  weight = 1;
  #blockSize = 1;
  #blocks = 0;
  /** Of the block: nodes that have not come yet, and how many of them follow the one that is chosen. */
  #left = 0;
  #target = 0;
  readonly #prng = new Prng(1);

  /** Another loop over nodes begins. */
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
