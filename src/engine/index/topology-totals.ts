import type { TopologyForm } from '../../framework/column-forms.ts';
import type { Kernels } from '../../kernels/abi.ts';
import { OutOfMemoryError } from '../../memory/shared-memory.ts';
import type { DomainCount, SpreadScore, TopologyRules } from '../topology/topology-rules.ts';
import type { PodSignature } from './pod-signature.ts';
import type { SignatureIndex } from './signature-index.ts';
import { type Maxima, maximaOf, totalsById } from './static-totals.ts';
import { isShared, type TopologyBucket, type TopologyBuckets } from './topology-buckets.ts';
import { accepts, normalizedAffinity, normalizedSpread, rawAffinity, rawSpread } from './topology-scores.ts';
import type { TotalsBlock } from './totals-block.ts';
import type { TotalsColumn } from './totals-column.ts';
import type { TotalsForm } from './totals-form.ts';

export interface TopologyTotalsModules {
  readonly kernels: Kernels;
  readonly index: SignatureIndex;
}

/** The best nodes for a pod. */
export interface TopologyBest {
  readonly total: number;
  readonly feasibleNodes: number;
  /** The totals columns whose best total is the best of all. */
  readonly columns: readonly TotalsColumn[];
}

/** Runs without totals columns after there was no room for them: to try means to sort all nodes. */
const REST_RUNS = 256;

/**
 * A pod signature with rules about where other pods are: one totals column for each bucket of nodes. All nodes of a
 * bucket get the same from topology spread and inter-pod affinity, so that is asked of the bucket when a pod is placed,
 * and added to the best total of its totals column.
 *
 *   bucket (zone a, no such pod on the node)    best total of its totals column + 100 ─┐
 *   bucket (zone a, one such pod)               best total of its totals column +  40 ─┼─▶ the best of all
 *   bucket (zone b, no such pod)                not allowed: too many in b ───┘
 */
export class TopologyTotals {
  readonly #modules: TopologyTotalsModules;
  readonly #signature: PodSignature;
  readonly #form: TotalsForm;
  readonly #buckets: TopologyBuckets;
  /** By bucket. */
  readonly #columns: TotalsColumn[] = [];
  #blocks: readonly TotalsBlock[] = [];
  #hasRelease = false;
  #maxima: Maxima = [];
  /** Whether totals columns count feasible nodes by verdict id. */
  #isCounting = false;
  /** No totals columns are made before this run. */
  #restsUntil = 0;
  // Of the buckets with feasible nodes, side by side: filled anew for every pod.
  readonly #candidates: number[] = [];
  readonly #added: number[] = [];
  readonly #raw: number[] = [];

  constructor(modules: TopologyTotalsModules, signature: PodSignature, form: TotalsForm, buckets: TopologyBuckets) {
    this.#modules = modules;
    this.#signature = signature;
    this.#form = form;
    this.#buckets = buckets;
  }

  /** Some totals column was given to another signature: everything has to be made anew. */
  get isBroken(): boolean {
    return this.#hasRelease || this.#columns.some((column) => column.isReleased);
  }

  release(): void {
    this.#hasRelease = true;
    this.#letGo();
    this.#form.extraEntries.release();
    this.#buckets.release();
  }

  /** null when no node fits, or the index cannot decide. After the signature's verdicts has caught up. */
  best(rules: TopologyRules): TopologyBest | null {
    let best: TopologyBest | null = null;
    let isWhole = false;
    try {
      isWhole = this.#catchUp();
      if (isWhole) best = this.#bestOf(rules);
    } catch (error) {
      isWhole = false;
      if (!(error instanceof OutOfMemoryError)) throw error;
    } finally {
      if (!isWhole) this.#letGo();
    }
    return best;
  }

  /**
   * All totals columns are as the buckets are, or there are none: whoever else uses a block has the kernels write its
   * whole rows, and they look up the entries of these nodes, which may be others already, in the tables of these totals
   * columns.
   */
  #letGo(): void {
    for (const column of this.#columns) if (!column.isReleased) column.release();
    this.#columns.length = 0;
    this.#blocks = [];
    this.#buckets.forget();
  }

  #bestOf(rules: TopologyRules): TopologyBest | null {
    const feasibleNodes = this.#findCandidates(rules);
    if (feasibleNodes === 0) return null;
    this.#added.fill(0);
    this.#addSpread(rules);
    this.#addAffinity(rules);
    let total = -1;
    let columns: TotalsColumn[] = [];
    for (let i = 0; i < this.#candidates.length; i++) {
      const column = this.#columns[this.#candidates[i] ?? 0] as TotalsColumn;
      const sum = column.bestTotal + (this.#added[i] ?? 0);
      if (sum < total) continue;
      if (sum > total) columns = [];
      total = sum;
      columns.push(column);
    }
    return { total, feasibleNodes, columns };
  }

  /** Buckets and totals columns as the cluster is now; false when there are too many. */
  #catchUp(): boolean {
    const buckets = this.#buckets;
    const { index } = this.#modules;
    const { run } = index;
    if (buckets.isOverflown || run < this.#restsUntil) return false;
    for (const column of this.#columns) column.lastRun = run;
    const hasBegunToCount = this.#countsById();
    if (buckets.isOutdated) {
      buckets.sortAll();
      if (buckets.isOverflown || !this.#makeColumns()) return false;
      this.#writeTotals();
      this.#scan(this.#columns);
    } else {
      const idCount = buckets.entries.length;
      const moves = buckets.takeMoves();
      if (buckets.isOverflown || !this.#makeColumns()) return false;
      if (buckets.entries.length !== idCount) this.#writeTotals();
      for (const { slot, id } of moves) this.#move(slot, id);
      if (hasBegunToCount) this.#scan(this.#columns);
    }
    for (const block of this.#blocks) index.catchUp(block);
    return true;
  }

  /**
   * Scores that were all zero may be others now: from then on totals columns count by verdict id. Returns whether they
   * begin here.
   */
  #countsById(): boolean {
    if (this.#isCounting || !this.#isTracked) return false;
    this.#isCounting = true;
    for (const column of this.#columns) column.setTracked(true);
    return true;
  }

  #makeColumns(): boolean {
    if (this.#columns.length === this.#buckets.buckets.length) return true;
    const created: TotalsColumn[] = [];
    while (this.#columns.length < this.#buckets.buckets.length) {
      const column = this.#modules.index.newColumn(this.#signature, this.#form, this.#buckets.column);
      if (column === null) {
        this.#restsUntil = this.#modules.index.run + REST_RUNS;
        return false;
      }
      column.setTracked(this.#isCounting);
      this.#columns.push(column);
      created.push(column);
    }
    this.#blocks = [...new Set(this.#columns.map((column) => column.block))];
    this.#writeTotals();
    this.#scan(created);
    return true;
  }

  /**
   * One node moves to another bucket: its row, and the counts by entry, which the kernel keeps for the new one only.
   */
  #move(slot: number, id: number): void {
    const { kernels, index } = this.#modules;
    const { values } = this.#buckets.column;
    const before = values[slot] ?? 0;
    if (before === id) return;
    const held = this.#isCounting ? this.#columns.filter((column) => column.totalAt(slot) >= 0) : [];
    values[slot] = id;
    for (const block of this.#blocks) kernels.updateNode(index.env.pointer, block.pointer, slot);
    for (const column of held) {
      const counts = column.counts();
      counts[before] = (counts[before] ?? 0) - 1;
      counts[id] = (counts[id] ?? 0) + 1;
    }
  }

  /** The buckets that keep every rule and have a feasible node; returns how many of those there are. */
  #findCandidates({ rules }: TopologyRules): number {
    const buckets = this.#buckets;
    const candidates = this.#candidates;
    for (let attempt = 0; ; attempt++) {
      let feasibleNodes = 0;
      candidates.length = 0;
      for (let i = 0; i < buckets.buckets.length; i++) {
        const column = this.#columns[i] as TotalsColumn;
        if (column.bestTotal < 0) continue;
        const bucket = buckets.buckets[i] as TopologyBucket;
        const read = (count: DomainCount): number => buckets.countIn(bucket, count);
        if (!rules.every((rule) => !buckets.isByBucket(rule.count) || accepts(rule, read))) continue;
        candidates.push(i);
        feasibleNodes += column.feasibleNodes;
      }
      this.#added.length = candidates.length;
      this.#raw.length = candidates.length;
      // What the verdicts' scores are divided by depends on which nodes are feasible; feasible they stay.
      if (attempt > 0 || !this.#isCounting || !this.#hasNewMaxima()) return feasibleNodes;
      this.#writeTotals();
      this.#scan(this.#columns);
    }
  }

  #hasNewMaxima(): boolean {
    const maxima = maximaOf(this.#signature.verdicts, this.#form, this.#feasibleByVerdictId());
    if (maxima.every((max, i) => max === this.#maxima[i])) return false;
    this.#maxima = maxima;
    return true;
  }

  #scan(columns: readonly TotalsColumn[]): void {
    for (const block of this.#blocks) {
      const ofBlock = columns.filter((column) => column.block === block);
      if (ofBlock.length > 0) block.scan(ofBlock);
    }
  }

  /** Totals by verdict id, with the verdicts' scores normalised as they were last. */
  #writeTotals(): void {
    const { entries } = this.#buckets;
    const totals = totalsById(this.#signature.verdicts, this.#form, this.#maxima);
    this.#columns.forEach((column, bucket) => {
      const counts = column.counts().slice();
      column.setTotals(
        Int16Array.from(entries, (entry) => (entry?.bucket === bucket ? (totals[entry.verdictId] ?? -1) : -1)),
      );
      column.counts().set(counts);
    });
  }

  #feasibleByVerdictId(): Int32Array {
    const counts = new Int32Array(this.#signature.verdicts.idCount);
    for (const bucket of this.#candidates) {
      this.#columns[bucket]?.counts().forEach((count, id) => {
        const verdictId = this.#buckets.entries[id]?.verdictId ?? 0;
        counts[verdictId] = (counts[verdictId] ?? 0) + count;
      });
    }
    return counts;
  }

  #addSpread({ spread }: TopologyRules): void {
    const weight = this.#weightOf('spread');
    if (spread.length === 0 || weight === 0) return;
    const sizes = spread.map((score) => this.#scoredDomains(score));
    this.#addNormalized(weight, normalizedSpread, (bucket) =>
      rawSpread(spread, sizes, (count) => this.#buckets.countIn(bucket, count)),
    );
  }

  #addAffinity({ affinity }: TopologyRules): void {
    const weight = this.#weightOf('affinity');
    if (affinity.length === 0 || weight === 0) return;
    this.#addNormalized(weight, normalizedAffinity, (bucket) =>
      rawAffinity(affinity, (count) => this.#buckets.countIn(bucket, count)),
    );
  }

  #addNormalized(
    weight: number,
    normalize: (raw: number, least: number, most: number) => number,
    rawOf: (bucket: TopologyBucket) => number,
  ): void {
    let least = Number.POSITIVE_INFINITY;
    let most = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < this.#candidates.length; i++) {
      const raw = rawOf(this.#buckets.buckets[this.#candidates[i] ?? 0] as TopologyBucket);
      this.#raw[i] = raw;
      least = Math.min(least, raw);
      most = Math.max(most, raw);
    }
    for (let i = 0; i < this.#candidates.length; i++) {
      this.#added[i] = (this.#added[i] ?? 0) + weight * normalize(this.#raw[i] ?? 0, least, most);
    }
  }

  /** In how many domains feasible nodes lie; each node is one where no two share any. */
  #scoredDomains({ count }: SpreadScore): number {
    if (!isShared(count)) {
      return this.#candidates.reduce((sum, bucket) => sum + (this.#columns[bucket]?.feasibleNodes ?? 0), 0);
    }
    const domains = this.#candidates.map((bucket) =>
      this.#buckets.domainOf(this.#buckets.buckets[bucket] as TopologyBucket, count.domains),
    );
    return new Set(domains).size;
  }

  /** Whether anything of the verdicts' scores is normalised. */
  get #isTracked(): boolean {
    const { verdicts } = this.#signature;
    return this.#form.normalized.some(({ plugin }) => !verdicts.isZero(plugin.name));
  }

  #weightOf(kind: TopologyForm['kind']): number {
    return this.#signature.preScore?.scores.find(({ plugin }) => plugin.topology?.kind === kind)?.weight ?? 0;
  }
}
