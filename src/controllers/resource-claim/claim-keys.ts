import { keyOf, splitKey } from '../../client/object-key.ts';
import { PairMap } from '../../lib/pair-map.ts';

/** A claim by its names, and the key under which it waits to be synced. */
interface ClaimKey {
  readonly namespace: string;
  readonly name: string;
  readonly text: string;
}

const CLAIM_PREFIX = 'claim ';

/**
 * The keys of claims in a work queue. A claim is queued after each of its changes: while it is kept here its key is
 * neither put together nor taken apart again.
 */
export class ClaimKeys {
  readonly #byName = new PairMap<ClaimKey>();
  readonly #byText = new Map<string, ClaimKey>();

  /** The key of a claim, which is kept until the claim is forgotten. */
  keep(namespace: string, name: string): string {
    const known = this.#byName.get(namespace, name);
    if (known !== undefined) return known.text;
    const key = { namespace, name, text: textOf(namespace, name) };
    this.#byName.set(namespace, name, key);
    this.#byText.set(key.text, key);
    return key.text;
  }

  /** The key of a claim that need not exist. */
  of(namespace: string, name: string): string {
    return this.#byName.get(namespace, name)?.text ?? textOf(namespace, name);
  }

  forget(namespace: string, name: string): void {
    const known = this.#byName.get(namespace, name);
    if (known === undefined) return;
    this.#byName.delete(namespace, name);
    this.#byText.delete(known.text);
  }

  /** The claim of a key. */
  claimOf(text: string): Pick<ClaimKey, 'namespace' | 'name'> {
    return this.#byText.get(text) ?? splitKey(text.slice(CLAIM_PREFIX.length));
  }
}

function textOf(namespace: string, name: string): string {
  return CLAIM_PREFIX + keyOf(namespace, name);
}
