import { assert } from '../lib/assert.ts';
import type { ScheduleResult } from './decision/result.ts';

/** The value of a missing number. */
const NONE = -1;

/**
 * The results of a batch of pods, in the order of the pods. Numbers are in typed arrays, and a result object is made
 * only when it is read.
 */
export class BatchResult implements Iterable<ScheduleResult> {
  /** The weighted total of the chosen node; -1 if the pod was not placed, or its node was the only feasible one. */
  readonly scores: Float64Array;
  /** The number of feasible nodes; -1 for a pod that was not placed. */
  readonly feasibleNodes: Int32Array;
  readonly #nodeNames: (string | null)[];
  /** The results of the pods that were not placed, by index. */
  readonly #others = new Map<number, ScheduleResult>();

  constructor(length: number) {
    this.scores = new Float64Array(length).fill(NONE);
    this.feasibleNodes = new Int32Array(length).fill(NONE);
    this.#nodeNames = new Array<string | null>(length).fill(null);
  }

  get length(): number {
    return this.scores.length;
  }

  /** The number of pods that were placed on a node. */
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

  /** The name of the node on which pod `index` was placed; null if it was not placed. */
  nodeName(index: number): string | null {
    assert(index >= 0 && index < this.length, `result ${index} of ${this.length}`);
    return this.#nodeNames[index] ?? null;
  }

  *[Symbol.iterator](): Iterator<ScheduleResult> {
    for (let index = 0; index < this.length; index++) yield this.at(index);
  }

  /** Sets the result of a placed pod. With one feasible node there is no score. */
  setPlaced(index: number, nodeName: string, score: number, feasibleNodes: number): void {
    this.#nodeNames[index] = nodeName;
    this.scores[index] = feasibleNodes === 1 ? NONE : score;
    this.feasibleNodes[index] = feasibleNodes;
  }

  /** Sets the result of a pod that was decided in a cycle. */
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
