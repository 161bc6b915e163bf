import { SecondChances, type Used } from '../../lib/second-chances.ts';
import type { NodeColumns } from '../../memory/node-columns.ts';
import { type PodSignature, releaseSignature } from '../index/pod-signature.ts';
import type { ResourceEntry } from '../index/resource-entries.ts';
import type { VerdictsKeys } from '../signature/pod-encoder.ts';
import type { NodeVerdicts } from '../verdicts/node-verdicts.ts';

interface SharedVerdicts {
  readonly verdicts: NodeVerdicts;
  readonly familyKey: string | null;
  /** The number of signatures that share the verdicts. */
  users: number;
}

/** A signature in the line of those to be given up. */
class SignatureInLine implements Used {
  readonly signature: PodSignature;

  constructor(signature: PodSignature) {
    this.signature = signature;
  }

  /** The run in which the signature or its totals were last used. */
  get lastUse(): number {
    const { lastRun, totals } = this.signature;
    return Math.max(lastRun, totals?.lastRun ?? 0);
  }
}

/** The most signatures of pods that request a resource which few nodes have: such a signature is soon made again. */
const MOST_RARE = 128;

/** The most signatures, and the most plans, that one decision gives up. */
const MOST_EVICTIONS = 8;

/** What else is kept for a signature, which goes with it. */
interface Dependants {
  release(signature: PodSignature): void;
}

/**
 * The signatures of an engine, and the node verdicts that they share. Each can be made again, so one that was not used
 * for long may be given up, with all that depends on it.
 */
export class PodSignatureStore {
  readonly #columns: NodeColumns;
  readonly #dependants: readonly Dependants[];
  /** The signatures by the requirements that their pods share. */
  readonly #signatures = new Map<object, SignatureInLine>();
  readonly #verdicts = new Map<string, SharedVerdicts>();
  /** The newest verdicts by family. */
  readonly #families = new Map<string, NodeVerdicts>();
  readonly #line = new SecondChances<SignatureInLine>();
  /** The signatures of pods that request a rare resource, which stand in the other line as well. */
  readonly #rareLine = new SecondChances<SignatureInLine>();

  constructor(columns: NodeColumns, dependants: readonly Dependants[]) {
    this.#columns = columns;
    this.#dependants = dependants;
  }

  /** The number of signatures; there are not more sets of verdicts. */
  get size(): number {
    return this.#signatures.size;
  }

  get(requirements: object): PodSignature | undefined {
    return this.#signatures.get(requirements)?.signature;
  }

  /** Adds a signature whose verdicts were returned by `verdictsOf`. */
  add(requirements: object, signature: PodSignature): void {
    const inLine = new SignatureInLine(signature);
    this.#signatures.set(requirements, inLine);
    this.#line.add(inLine);
    let isRare = false;
    for (const { allocatable } of entriesOf(signature)) isRare = this.#columns.hold(allocatable) || isRare;
    if (isRare) this.#rareLine.add(inLine);
  }

  /** Returns the verdicts for one more signature. `make` gets others of the family; null if there are none. */
  verdictsOf(
    { verdictsKey, familyKey }: VerdictsKeys,
    make: (like: NodeVerdicts | null) => NodeVerdicts,
  ): NodeVerdicts {
    let shared = this.#verdicts.get(verdictsKey);
    if (shared === undefined) {
      const like = familyKey === null ? null : (this.#families.get(familyKey) ?? null);
      shared = { verdicts: make(like), familyKey, users: 0 };
      this.#verdicts.set(verdictsKey, shared);
      if (familyKey !== null) this.#families.set(familyKey, shared.verdicts);
    }
    shared.users++;
    return shared.verdicts;
  }

  /** Gives up the signature that was used longest ago; returns false if there is none. No signature may be in use. */
  evict(): boolean {
    const oldest = this.#line.oldest(Number.POSITIVE_INFINITY);
    if (oldest === null) return false;
    this.#drop(oldest);
    return true;
  }

  get hasManyRare(): boolean {
    return this.#rareLine.size > MOST_RARE;
  }

  /** Gives up a signature of a pod that requests a rare resource, if there are many. No signature may be in use. */
  evictRare(): void {
    const oldest = this.hasManyRare ? this.#rareLine.oldest(Number.POSITIVE_INFINITY) : null;
    if (oldest !== null) this.#drop(oldest);
  }

  /** Gives up all of these signatures. No signature may be in use. */
  dropAll(isMeant: (signature: PodSignature) => boolean): void {
    for (const inLine of this.#signatures.values()) if (isMeant(inLine.signature)) this.#drop(inLine);
  }

  #leaveFamily({ verdicts, familyKey }: SharedVerdicts): void {
    if (familyKey !== null && this.#families.get(familyKey) === verdicts) this.#families.delete(familyKey);
  }

  #drop(inLine: SignatureInLine): void {
    this.#line.delete(inLine);
    this.#rareLine.delete(inLine);
    const { signature } = inLine;
    this.#signatures.delete(signature.pod.requirements);
    for (const dependants of this.#dependants) dependants.release(signature);
    releaseSignature(signature);
    for (const { allocatable } of entriesOf(signature)) this.#columns.release(allocatable);
    const shared = this.#verdicts.get(signature.verdictsKey);
    if (shared !== undefined && --shared.users === 0) {
      shared.verdicts.release();
      this.#verdicts.delete(signature.verdictsKey);
      this.#leaveFamily(shared);
    }
  }
}

/** Gives up a few of these, as long as there are more than `most` of them. */
export function evictBeyond(most: () => number, ...kinds: readonly Pick<PodSignatureStore, 'size' | 'evict'>[]): void {
  let goesOn = true;
  for (let i = 0; i < MOST_EVICTIONS && goesOn; i++) {
    const limit = most();
    goesOn = false;
    for (const kept of kinds) if (kept.size > limit && kept.evict()) goesOn = true;
  }
}

function entriesOf({ filterEntries, fitScoreEntries, balancedEntries }: PodSignature): ResourceEntry[] {
  return [...filterEntries.entries, ...fitScoreEntries.entries, ...balancedEntries.entries];
}
