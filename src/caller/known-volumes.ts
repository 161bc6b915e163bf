import type { Volume } from '../api/volumes.ts';
import { SignatureTree } from '../engine/signature/signature-tree.ts';

/** The maximum number of steps in the tree of what was checked. */
const MOST_STEPS = 50_000;
/** Where a volume begins, and where a claim does. */
const VOLUME = Symbol('volume');
const CLAIM = Symbol('claim');

/**
 * The volumes of pods that were checked. Those of one controller differ in their own names and in those of their claims
 * only, so that the rest is looked up by its values instead of being checked again.
 */
export class KnownVolumes {
  readonly #isName: (name: unknown) => boolean;
  readonly #tree = new SignatureTree<true>(MOST_STEPS);

  /** `isName`: whether a name is valid under any rule; it may return false for valid names. */
  constructor(isName: (name: unknown) => boolean) {
    this.#isName = isName;
  }

  /** Whether volumes that are equal apart from names were added, and these names are valid and each the only one. */
  has(volumes: readonly Volume[] | undefined): boolean {
    this.#tree.find();
    return this.#walk(volumes) && this.#tree.value === true;
  }

  /** Adds valid volumes that hold no null. */
  add(volumes: readonly Volume[] | undefined): void {
    this.#tree.grow();
    if (this.#walk(volumes)) this.#tree.value = true;
  }

  #walk(volumes: readonly Volume[] | undefined): boolean {
    const tree = this.#tree;
    if (!Array.isArray(volumes) || !tree.beginList(volumes.length)) return false;
    for (let i = 0; i < volumes.length; i++) {
      const volume: unknown = volumes[i];
      if (!isMembers(volume) || !this.#isName(volume['name']) || !tree.step(VOLUME)) return false;
      for (let other = 0; other < i; other++) if (volumes[other].name === volume['name']) return false;
      for (const key in volume) {
        const value = volume[key];
        if (value === undefined || key === 'name') continue;
        const isKnown = key === 'persistentVolumeClaim' ? this.#walkClaim(value) : tree.walk(value);
        if (!isKnown || !tree.step(key)) return false;
      }
    }
    return true;
  }

  #walkClaim(claim: unknown): boolean {
    if (!isMembers(claim) || !this.#tree.step(CLAIM)) return false;
    for (const key in claim) {
      const isKnown = key === 'claimName' ? this.#isName(claim[key]) : this.#tree.walk(claim[key]);
      if (!isKnown || !this.#tree.step(key)) return false;
    }
    return true;
  }
}

/** Whether the value is an object of JSON that is no list. */
export function isMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}
