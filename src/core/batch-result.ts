import { assert } from '../lib/assert.ts';
import type { ScheduleResult } from './result.ts';

/** What became of a batch of pods, in the order in which they were given. */
export class BatchResult implements Iterable<ScheduleResult> {
  readonly #results: readonly ScheduleResult[];
  /** How many pods were placed on a node. */
  readonly scheduledCount: number;

  constructor(results: readonly ScheduleResult[]) {
    this.#results = results;
    this.scheduledCount = results.reduce((count, { status }) => count + (status === 'scheduled' ? 1 : 0), 0);
  }

  get length(): number {
    return this.#results.length;
  }

  at(index: number): ScheduleResult {
    const result = this.#results[index];
    assert(result !== undefined, `result ${index} of ${this.#results.length}`);
    return result;
  }

  /** Name of the node that pod `index` was placed on, or null. */
  nodeName(index: number): string | null {
    const result = this.at(index);
    return result.status === 'scheduled' ? result.node : null;
  }

  [Symbol.iterator](): Iterator<ScheduleResult> {
    return this.#results[Symbol.iterator]();
  }
}
