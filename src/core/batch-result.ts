import { assert } from '../lib/assert.ts';
import type { ScheduleResult } from './decision/result.ts';

/** What stands for a number that there is none of. */
const NONE = -1;

/**
 * What became of a batch of pods, in the order in which they were given: numbers side by side, made into objects only
 * for those who ask.
 */
export class BatchResult implements Iterable<ScheduleResult> {
  /** Weighted total of the chosen node; -1 for a pod that was not placed, or whose node was the only feasible one. */
  readonly scores: Float64Array;
  /** How many nodes were feasible; -1 for a pod that was not placed. */
  readonly feasibleNodes: Int32Array;
  readonly #nodeNames: (string | null)[];
  /** Of pods that were not placed. */
  readonly #others = new Map<number, ScheduleResult>();

  /** Filled in by whoever makes the decisions. */
  constructor(length: number) {
    this.scores = new Float64Array(length).fill(NONE);
    this.feasibleNodes = new Int32Array(length).fill(NONE);
    this.#nodeNames = new Array<string | null>(length).fill(null);
  }

  get length(): number {
    return this.scores.length;
  }

  /** How many pods were placed on a node. */
  get scheduledCount(): number {
    return this.length - this.#others.size;
  }

  at(index: number): ScheduleResult {
    assert(index >= 0 && index < this.length, `result ${index} of ${this.length}`);
    const other = this.#others.get(index);
    if (other !== undefined) return other;
    const score = this.scores[index] ?? NONE;
    return {
      status: 'scheduled',
      node: this.#nodeNames[index] ?? '',
      score: score === NONE ? null : score,
      feasibleNodes: this.feasibleNodes[index] ?? 0,
    };
  }

  /** Name of the node that pod `index` was placed on, or null. */
  nodeName(index: number): string | null {
    assert(index >= 0 && index < this.length, `result ${index} of ${this.length}`);
    return this.#nodeNames[index] ?? null;
  }

  *[Symbol.iterator](): Iterator<ScheduleResult> {
    for (let index = 0; index < this.length; index++) yield this.at(index);
  }

  /** For those who decide. With one feasible node nothing is scored. */
  setPlaced(index: number, nodeName: string, score: number, feasibleNodes: number): void {
    this.#nodeNames[index] = nodeName;
    this.scores[index] = feasibleNodes === 1 ? NONE : score;
    this.feasibleNodes[index] = feasibleNodes;
  }

  /** For those who decide: a pod that was decided for by itself. */
  set(index: number, result: ScheduleResult): void {
    if (result.status !== 'scheduled') {
      this.#others.set(index, result);
      return;
    }
    this.#nodeNames[index] = result.node;
    this.scores[index] = result.score ?? NONE;
    this.feasibleNodes[index] = result.feasibleNodes;
  }
}
