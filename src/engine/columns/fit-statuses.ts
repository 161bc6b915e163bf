import type { ResourceFilterForm, ResourceShortage } from '../../framework/column-forms.ts';
import type { Status } from '../../framework/status.ts';
import { FIT_EXCEEDS_ALLOCATABLE, FIT_OK } from '../../kernels/abi.ts';
import { assert } from '../../lib/assert.ts';

/** `fitReasons` gives one of three answers, so that the answers for all resources are the digits of one number. */
export const FIT_ANSWERS = 3;
/** The number of digits that a double holds exactly: 3^33 < 2^53. */
const MOST_DIGITS = 33;

/** The resource filter's rejections as the kernels see them: one column of answers for each resource. */
export class FitStatuses {
  readonly #resources: readonly string[];
  readonly #shortages: readonly Uint8Array[];
  readonly #form: ResourceFilterForm | undefined;
  readonly #byPattern = new Map<number | string, Status>();
  /** The pattern of the last rejection, because neighbouring slots are often alike. */
  #lastPattern: number | string = 0;
  #last: Status | null = null;

  /** `shortages[i]` holds the `fitReasons` answers for `resources[i]` by slot; `form` may be absent if it is empty. */
  constructor(resources: readonly string[], shortages: readonly Uint8Array[], form: ResourceFilterForm | undefined) {
    this.#resources = resources;
    this.#shortages = shortages;
    this.#form = form;
  }

  /** Returns null if the node has room. Equal rejections are one object. */
  status(slot: number): Status | null {
    const pattern = this.#shortages.length <= MOST_DIGITS ? this.#number(slot) : this.#text(slot);
    if (pattern === 0) return null;
    if (pattern === this.#lastPattern) return this.#last;
    let status = this.#byPattern.get(pattern);
    if (status === undefined) {
      status = this.#make(slot);
      this.#byPattern.set(pattern, status);
    }
    this.#lastPattern = pattern;
    this.#last = status;
    return status;
  }

  /** The answers for a slot as one number; 0 if every resource fits. */
  #number(slot: number): number {
    let pattern = 0;
    for (const shortage of this.#shortages) pattern = pattern * FIT_ANSWERS + (shortage[slot] ?? FIT_OK);
    return pattern;
  }

  /** The answers for a slot as a text, for more resources than a number can tell apart; 0 if every resource fits. */
  #text(slot: number): string | 0 {
    const answers = this.#shortages.map((shortage) => shortage[slot] ?? FIT_OK);
    return answers.every((answer) => answer === FIT_OK) ? 0 : answers.join('');
  }

  #make(slot: number): Status {
    assert(this.#form !== undefined, 'resources are compared for a plugin');
    const found: ResourceShortage[] = [];
    for (let i = 0; i < this.#shortages.length; i++) {
      const answer = this.#shortages[i]?.[slot];
      if (answer === FIT_OK) continue;
      found.push({ resource: this.#resources[i] ?? '', exceedsAllocatable: answer === FIT_EXCEEDS_ALLOCATABLE });
    }
    return this.#form.rejection(found);
  }
}
