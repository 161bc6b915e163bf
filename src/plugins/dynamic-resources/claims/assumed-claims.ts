import type { ResourceClaim } from '../../../api/resource-claims.ts';

interface Assumed {
  readonly known: ResourceClaim;
  readonly assumed: ResourceClaim;
}

/** So many entries are kept, of which some may have no use any more. */
const ENTRIES_MIN = 64;

/**
 * Claims as they were written. Each hides the object that was known when it was assumed, until that one is replaced or
 * removed. Entries are found by the claim's UID: a WeakMap of objects that live for a moment costs the garbage
 * collector more.
 */
export class AssumedClaims {
  readonly #byUid = new Map<string, Assumed>();
  #entriesMax = ENTRIES_MIN;

  /**
   * The number of entries, with those of no use.
   *
   * @internal
   */
  get size(): number {
    return this.#byUid.size;
  }

  /** The assumed claim; the known one if nothing is assumed of it. */
  current(known: ResourceClaim): ResourceClaim {
    const entry = this.#byUid.get(uidOf(known));
    return entry?.known === known ? entry.assumed : known;
  }

  /** `isCurrent`: whether a claim was not replaced or removed. Now and then it is asked about all entries. */
  assume(known: ResourceClaim, assumed: ResourceClaim, isCurrent: (claim: ResourceClaim) => boolean): void {
    this.#byUid.set(uidOf(known), { known, assumed });
    if (this.#byUid.size <= this.#entriesMax) return;
    for (const [uid, entry] of this.#byUid) if (!isCurrent(entry.known)) this.#byUid.delete(uid);
    this.#entriesMax = Math.max(ENTRIES_MIN, 2 * this.#byUid.size);
  }
}

/** The claim's UID, or its name if it has none. */
function uidOf({ metadata }: ResourceClaim): string {
  return metadata?.uid || `${metadata?.namespace || 'default'}/${metadata?.name}`;
}
