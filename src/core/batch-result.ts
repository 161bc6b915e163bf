import { assert } from '../lib/assert.ts';
import type { ScheduleResult } from './decision/result.ts';

/** The value of a missing number. */
const NONE = -1;

/** The results of a batch, in the order of its pods, in typed arrays; a result object is made only when it is read. */
export class BatchResult implements Iterable<ScheduleResult> {
  /** The weighted total of the chosen node; -1 if the pod was not placed, or its node was the only feasible one. */
  readonly scores: Float64Array;
  /** The number of feasible nodes; -1 for a pod that was not placed. */
  readonly feasibleNodes: Int32Array;
  /** The names of the nodes by slot. A list of them by pod would be new memory, which costs more than its use. */
  readonly #nodeNames: readonly string[];
  /** The slot of each pod's node; -1 for pods that were not placed by the index. */
  readonly #slots: Int32Array;
  /** The nodes of pods that were placed in a cycle, by index. */
  readonly #otherNodes = new Map<number, string>();
  /** The results of the pods that were not placed, by index. */
  readonly #others = new Map<number, ScheduleResult>();

  /** `nodeNames`: those of the cluster by slot, in a list whose names do not change. @internal */
  constructor(length: number, nodeNames: readonly string[] = []) {
    this.scores = new Float64Array(length).fill(NONE);
    this.feasibleNodes = new Int32Array(length).fill(NONE);
    this.#slots = new Int32Array(length).fill(NONE);
    this.#nodeNames = nodeNames;
  }

  get length(): number {
    return this.scores.length;
  }

  /** The number of pods that were placed on a node. */
  get scheduledCount(): number {
    return this.length - this.#others.size;
  }

  at(index: number): ScheduleResult {
    const other = this.#others.get(index);
    if (other !== undefined) return other;
    const node = this.nodeName(index) ?? '';
    const score = this.scores[index] ?? NONE;
    const feasibleNodes = this.feasibleNodes[index] ?? 0;
    return { status: 'scheduled', node, score: score === NONE ? null : score, feasibleNodes };
  }

  /** The name of the node on which pod `index` was placed; null if it was not placed. */
  nodeName(index: number): string | null {
    assert(index >= 0 && index < this.length, `result ${index} of ${this.length}`);
    const slot = this.#slots[index] ?? NONE;
    return (slot === NONE ? this.#otherNodes.get(index) : this.#nodeNames[slot]) ?? null;
  }

  *[Symbol.iterator](): Iterator<ScheduleResult> {
    for (let index = 0; index < this.length; index++) yield this.at(index);
  }

  /** Sets the result of a pod on the node in a slot. With one feasible node there is no score. @internal */
  setPlaced(index: number, slot: number, score: number, feasibleNodes: number): void {
    this.#slots[index] = slot;
    this.scores[index] = feasibleNodes === 1 ? NONE : score;
    this.feasibleNodes[index] = feasibleNodes;
  }

  /** Sets the result of a pod that was decided in a cycle. @internal */
  set(index: number, result: ScheduleResult): void {
    if (result.status !== 'scheduled') {
      this.#others.set(index, result);
      return;
    }
    this.#otherNodes.set(index, result.node);
    this.scores[index] = result.score ?? NONE;
    this.feasibleNodes[index] = result.feasibleNodes;
  }
}
