import type { DomainCount } from '../../memory/domain-counter.ts';
import { NO_DOMAIN, type NodeDomains } from '../../memory/topology-domains.ts';

/** The bits of a domain and of a count in the key of a bucket. */
export const DOMAIN_BITS = 15;
export const COUNT_BITS = 7;
/** The bits of a key that is a small integer. */
const SMALL_KEY_BITS = 30;

/**
 * The domains and counts of every node as one number, by which nodes are sorted into buckets. Each sort writes the keys
 * over those of the sort before: memory that is touched for the first time costs more than the rest of a sort.
 */
export class BucketKeys {
  #memory = new Int32Array(0);

  /**
   * The keys of all slots, made column by column and valid until the next call; null if some would not be small
   * integers.
   */
  of(slotCount: number, shared: readonly NodeDomains[], perNode: readonly DomainCount[]): Int32Array | null {
    if (shared.length * DOMAIN_BITS + perNode.length * COUNT_BITS > SMALL_KEY_BITS) return null;
    const keys = this.#cleared(slotCount);
    for (const { column } of shared) if (!appendDomains(keys, column.values)) return null;
    for (const count of perNode) if (!appendCounts(keys, count)) return null;
    return keys;
  }

  #cleared(slotCount: number): Int32Array {
    if (this.#memory.length < slotCount) this.#memory = new Int32Array(slotCount);
    return this.#memory.subarray(0, slotCount).fill(0);
  }
}

/** Appends the number of a domain to each key; returns false if one is too large. */
function appendDomains(keys: Int32Array, domains: Int32Array): boolean {
  let most = 0;
  for (let slot = 0; slot < keys.length; slot++) {
    const digit = (domains[slot] ?? NO_DOMAIN) + 1;
    keys[slot] = ((keys[slot] as number) << DOMAIN_BITS) | digit;
    most = Math.max(most, digit);
  }
  return most < 2 ** DOMAIN_BITS;
}

/** Appends the number of counted pods to each key, 0 for a node in no domain; returns false if one is too large. */
function appendCounts(keys: Int32Array, { domains, counts, pods }: DomainCount): boolean {
  const homes = domains.column.values;
  const isByDomain = counts !== null;
  const numbers = counts === null ? pods.perNode.values : counts.values;
  let most = 0;
  for (let slot = 0; slot < keys.length; slot++) {
    const home = homes[slot] ?? NO_DOMAIN;
    const digit = home === NO_DOMAIN ? 0 : (numbers[isByDomain ? home : slot] ?? 0) + 1;
    keys[slot] = ((keys[slot] as number) << COUNT_BITS) | digit;
    most = Math.max(most, digit);
  }
  return most < 2 ** COUNT_BITS;
}
