import { getOrMake } from '../../lib/get-or-make.ts';
import { SecondChances } from '../../lib/second-chances.ts';
import type { TopologyRules } from '../topology/topology-rules.ts';
import { BucketKeys } from './bucket-keys.ts';
import type { PodSignature } from './pod-signature.ts';
import type { SignatureIndex } from './signature-index.ts';
import { isShared, TopologyBuckets, type TopologyBucketsModules } from './topology-buckets.ts';
import { type TopologyBest, TopologyTotals } from './topology-totals.ts';

/** The budget for the columns of all buckets together. */
const BUDGET_BYTES = 64 * 1024 * 1024;
const FEWEST_SETS = 16;
const MOST_SETS = 4096;

export interface TopologyTotalsSetsModules extends TopologyBucketsModules {
  readonly index: SignatureIndex;
}

/** The totals that were found last for some rules, which hold while the nodes stay the same. */
interface Known {
  readonly signature: PodSignature;
  readonly nodesVersion: number;
  readonly columns: TopologyTotals;
}

/**
 * Totals by pod signature and by what its rules count: apps that differ only in the pods that they count in shared
 * domains share their totals. Those used longest ago make room for new ones.
 */
export class TopologyTotalsSets {
  readonly #modules: TopologyTotalsSetsModules;
  readonly #sets = new Map<string, TopologyTotals>();
  readonly #line = new SecondChances<TopologyTotals>();
  readonly #keys = new BucketKeys();
  readonly #keysBySignature = new Map<PodSignature, Map<TopologyTotals, string>>();

  constructor(modules: TopologyTotalsSetsModules) {
    this.#modules = modules;
  }

  /**
   * Returns null if no node fits, or the index cannot decide. Must be called after `SignatureIndex.begin`, with
   * verdicts that are up to date.
   */
  best(signature: PodSignature, rules: TopologyRules): TopologyBest | null {
    return this.#columnsOf(signature, rules)?.best(rules) ?? null;
  }

  /** The totals for these rules if they were used since a node changed, or are up to date for others; else null. */
  known(signature: PodSignature, rules: TopologyRules): TopologyTotals | null {
    const last = this.#last(signature, rules);
    if (last !== null) return last;
    const others = this.#sets.get(keyOf(signature, rules));
    if (others === undefined || others.isBroken || others.buckets.isOutdated) return null;
    return this.#keep(signature, rules, others);
  }

  /** The totals that were found last for these rules, while the nodes stay the same. */
  #last(signature: PodSignature, rules: TopologyRules): TopologyTotals | null {
    const known = rules.kept as Known | null;
    if (known?.signature !== signature || known.nodesVersion !== this.#modules.topology.nodesVersion) return null;
    return known.columns.isBroken ? null : known.columns;
  }

  #keep(signature: PodSignature, rules: TopologyRules, columns: TopologyTotals): TopologyTotals {
    const { nodesVersion } = this.#modules.topology;
    rules.kept = { signature, nodesVersion, columns } satisfies Known;
    return columns;
  }

  /** Gives up all totals of a signature that is given up. */
  release(signature: PodSignature): void {
    const sets = this.#keysBySignature.get(signature);
    if (sets !== undefined) for (const columns of [...sets.keys()]) this.#remove(signature, columns);
  }

  #add(signature: PodSignature, key: string, columns: TopologyTotals): void {
    this.#sets.set(key, columns);
    this.#line.add(columns, this.#modules.index.run);
    getOrMake(this.#keysBySignature, signature, () => new Map()).set(columns, key);
  }

  #remove(signature: PodSignature, columns: TopologyTotals): void {
    const sets = this.#keysBySignature.get(signature);
    this.#sets.delete(sets?.get(columns) ?? '');
    sets?.delete(columns);
    if (sets?.size === 0) this.#keysBySignature.delete(signature);
    this.#line.delete(columns);
    columns.release();
  }

  #columnsOf(signature: PodSignature, rules: TopologyRules): TopologyTotals | null {
    const known = this.#last(signature, rules);
    if (known !== null) return known;
    const columns = this.#lookUp(signature, rules);
    return columns && this.#keep(signature, rules, columns);
  }

  #lookUp(signature: PodSignature, rules: TopologyRules): TopologyTotals | null {
    const key = keyOf(signature, rules);
    const known = this.#sets.get(key);
    if (known !== undefined) {
      if (!known.isBroken) return known;
      this.#remove(signature, known);
    }
    const { index } = this.#modules;
    const form = index.formOf(signature);
    if (form === null) return null;
    this.#makeRoom();
    const buckets = new TopologyBuckets(this.#modules, signature.verdicts, rules, this.#keys);
    const columns = new TopologyTotals(index, signature, form, buckets);
    this.#add(signature, key, columns);
    return columns;
  }

  #makeRoom(): void {
    const most = Math.min(
      MOST_SETS,
      Math.max(FEWEST_SETS, Math.floor(BUDGET_BYTES / (2 * this.#modules.table.capacity))),
    );
    while (this.#sets.size >= most) {
      const oldest = this.#line.oldest(this.#modules.index.run);
      if (oldest === null) return;
      this.#remove(oldest.signature, oldest);
    }
  }
}

/** A key of what distinguishes buckets: shared topology keys, and counts by node with the way they are used. */
function keyOf(signature: PodSignature, { rules, spread, affinity }: TopologyRules): string {
  const parts = new Set<string>();
  for (const { count, isExclusion } of rules) {
    if (isShared(count)) parts.add(`k${count.domains.id}`);
    else parts.add(`${isExclusion ? 'x' : 'c'}${count.id}`);
  }
  for (const { count } of [...spread, ...affinity]) {
    parts.add(isShared(count) ? `k${count.domains.id}` : `c${count.id}`);
  }
  return [signature.id, ...parts].join(' ');
}
