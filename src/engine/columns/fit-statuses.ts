import { NODE_RESOURCES_FIT } from '../../framework/plugin-names.ts';
import { type Status, unresolvable, unschedulable } from '../../framework/status.ts';
import { FIT_EXCEEDS_ALLOCATABLE, FIT_OK } from '../../kernels/abi.ts';
import { insufficient, TOO_MANY_PODS } from '../../plugins/node-resources/fit.ts';

/** `fitReasons` knows three answers: the answers for all resources are the digits of one number. */
const ANSWERS = 3;
/** So many digits a double holds exactly: 3^33 < 2^53. */
const MOST_DIGITS = 33;

/** NodeResourcesFit's rejections as the kernels see them: one column of answers for each resource. */
export class FitStatuses {
  readonly #resources: readonly string[];
  readonly #shortages: readonly Uint8Array[];
  readonly #byPattern = new Map<number | string, Status>();

  /** `shortages[i]`: what `fitReasons` says of `resources[i]`, by slot. */
  constructor(resources: readonly string[], shortages: readonly Uint8Array[]) {
    this.#resources = resources;
    this.#shortages = shortages;
  }

  /** null: the node has room. Equal rejections are one object. */
  status(slot: number): Status | null {
    const pattern = this.#shortages.length <= MOST_DIGITS ? this.#number(slot) : this.#text(slot);
    if (pattern === 0) return null;
    let status = this.#byPattern.get(pattern);
    if (status === undefined) {
      status = this.#make(slot);
      this.#byPattern.set(pattern, status);
    }
    return status;
  }

  /** The answers for a slot as one number; 0: all is well. */
  #number(slot: number): number {
    let pattern = 0;
    for (const shortage of this.#shortages) pattern = pattern * ANSWERS + (shortage[slot] ?? FIT_OK);
    return pattern;
  }

  /** The same for more resources than a number can tell apart. */
  #text(slot: number): string | 0 {
    const answers = this.#shortages.map((shortage) => shortage[slot] ?? FIT_OK);
    return answers.every((answer) => answer === FIT_OK) ? 0 : answers.join('');
  }

  #make(slot: number): Status {
    const reasons: string[] = [];
    let resolvable = true;
    this.#shortages.forEach((shortage, i) => {
      const answer = shortage[slot];
      if (answer === FIT_OK) return;
      const resource = this.#resources[i] ?? '';
      reasons.push(resource === 'pods' ? TOO_MANY_PODS : insufficient(resource));
      // Too many pods can always be helped by eviction, even where no pod is allowed at all.
      if (resource !== 'pods' && answer === FIT_EXCEEDS_ALLOCATABLE) resolvable = false;
    });
    return (resolvable ? unschedulable : unresolvable)(NODE_RESOURCES_FIT, ...reasons);
  }
}
