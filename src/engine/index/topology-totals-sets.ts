import type { TopologyRules } from '../topology/topology-rules.ts';
import type { PodSignature } from './pod-signature.ts';
import type { SignatureIndex } from './signature-index.ts';
import { isShared, TopologyBuckets, type TopologyBucketsModules } from './topology-buckets.ts';
import { type TopologyBest, TopologyTotals } from './topology-totals.ts';

/** The budget for the columns of all buckets together. */
const BUDGET_BYTES = 64 * 1024 * 1024;
const FEWEST_SETS = 16;

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
  /** The totals by key, in the order in which they were made or last looked up. */
  readonly #sets = new Map<string, TopologyTotals>();
  readonly #known = new WeakMap<TopologyRules, Known>();
  readonly #ids = new WeakMap<object, number>();
  #nextId = 1;

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

  clear(): void {
    for (const columns of this.#sets.values()) columns.release();
    this.#sets.clear();
  }

  #columnsOf(signature: PodSignature, rules: TopologyRules): TopologyTotals | null {
    const { nodesVersion } = this.#modules.topology;
    const known = this.#known.get(rules);
    if (known?.signature === signature && known.nodesVersion === nodesVersion && !known.columns.isBroken) {
      return known.columns;
    }
    const columns = this.#lookUp(signature, rules);
    if (columns !== null) this.#known.set(rules, { signature, nodesVersion, columns });
    return columns;
  }

  #lookUp(signature: PodSignature, rules: TopologyRules): TopologyTotals | null {
    const key = this.#keyOf(signature, rules);
    const known = this.#sets.get(key);
    if (known !== undefined) {
      this.#sets.delete(key);
      if (known.isBroken) known.release();
      else {
        this.#sets.set(key, known);
        return known;
      }
    }
    const { index } = this.#modules;
    const form = index.formOf(signature);
    if (form === null) return null;
    this.#makeRoom();
    const buckets = new TopologyBuckets(this.#modules, signature.verdicts, rules);
    const columns = new TopologyTotals(index, signature, form, buckets);
    this.#sets.set(key, columns);
    return columns;
  }

  /** A key of what distinguishes buckets: shared topology keys, and counts by node with the way they are used. */
  #keyOf(signature: PodSignature, { rules, spread, affinity }: TopologyRules): string {
    const parts = new Set<string>();
    for (const { count, isExclusion } of rules) {
      if (isShared(count)) parts.add(`k${this.#idOf(count.domains)}`);
      else parts.add(`${isExclusion ? 'x' : 'c'}${this.#idOf(count)}`);
    }
    for (const { count } of [...spread, ...affinity]) {
      parts.add(isShared(count) ? `k${this.#idOf(count.domains)}` : `c${this.#idOf(count)}`);
    }
    return [this.#idOf(signature), ...parts].join(' ');
  }

  #makeRoom(): void {
    const most = Math.max(FEWEST_SETS, Math.floor(BUDGET_BYTES / (2 * this.#modules.table.capacity)));
    for (const [key, columns] of this.#sets) {
      if (this.#sets.size < most) return;
      columns.release();
      this.#sets.delete(key);
    }
  }

  #idOf(part: object): number {
    let id = this.#ids.get(part);
    if (id === undefined) {
      id = this.#nextId++;
      this.#ids.set(part, id);
    }
    return id;
  }
}
