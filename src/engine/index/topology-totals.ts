import type { DomainCount } from '../../memory/domain-counter.ts';
import { OutOfMemoryError } from '../../memory/shared-memory.ts';
import type { DomainRule, SpreadScore, TopologyRules } from '../topology/topology-rules.ts';
import { FIELD } from './layout.ts';
import type { PodSignature } from './pod-signature.ts';
import type { SignatureIndex } from './signature-index.ts';
import { weightOf } from './signature-totals.ts';
import { dependsOnMaxima, type Maxima, maximaOf, rawsById, totalsById } from './static-totals.ts';
import { isShared, type TopologyBucket, type TopologyBuckets } from './topology-buckets.ts';
import {
  accepts,
  type CountReader,
  normalizedAffinity,
  normalizedSpread,
  rawAffinity,
  rawSpread,
} from './topology-scores.ts';
import type { TotalsBlock } from './totals-block.ts';
import type { TotalsColumn } from './totals-column.ts';
import type { TotalsForm } from './totals-form.ts';

/** The best nodes for a pod. */
export interface TopologyBest {
  readonly total: number;
  readonly feasibleNodes: number;
  /** The totals columns whose best total is the best of all. */
  readonly columns: readonly TotalsColumn[];
}

/** The number of runs before totals columns are tried again after there was no room, because that sorts all nodes. */
const REST_RUNS = 256;
/** The place of no bucket. */
const NO_BUCKET = -1;

/**
 * The totals of a pod signature whose rules depend on other pods, one totals column for each bucket of nodes. All nodes
 * of a bucket get the same scores from topology spread and inter-pod affinity, which are computed when a pod is placed
 * and added to the best total of the bucket's totals column.
 *
 *   bucket (zone a, no such pod on the node)    best total of its totals column + 100 ─┐
 *   bucket (zone a, one such pod)               best total of its totals column +  40 ─┼─▶ the best of all
 *   bucket (zone b, no such pod)                not allowed: too many in b ───┘
 */
export class TopologyTotals {
  readonly #index: SignatureIndex;
  readonly signature: PodSignature;
  readonly #form: TotalsForm;
  readonly buckets: TopologyBuckets;
  /** The totals column of each bucket. */
  readonly columns: TotalsColumn[] = [];
  /** The blocks in which they are. */
  blocks: readonly TotalsBlock[] = [];
  #hasRelease = false;
  /** The run that used the totals last. */
  lastUse = 0;
  #maxima: Maxima = [];
  /** Whether rules had left out some buckets when the maxima were computed. */
  #hadRules = false;
  /** Whether totals columns count feasible nodes by verdict id. */
  #isCounting = false;
  /** No totals columns are made before this run. */
  #restsUntil = 0;
  // Three lists about the buckets with feasible nodes, filled anew for every pod up to this length: a list that is
  // emptied loses its memory. The sums begin with the best totals.
  #candidateCount = 0;
  readonly #candidates: number[] = [];
  readonly #sums: number[] = [];
  readonly #raw: number[] = [];

  constructor(index: SignatureIndex, signature: PodSignature, form: TotalsForm, buckets: TopologyBuckets) {
    this.#index = index;
    this.signature = signature;
    this.#form = form;
    this.buckets = buckets;
  }

  /** Whether some totals column was given to another signature, so that all must be made anew. */
  get isBroken(): boolean {
    return this.#hasRelease || this.columns.some((column) => column.isReleased);
  }

  release(): void {
    this.#hasRelease = true;
    this.#letGo();
    this.#form.extraEntries.release();
    this.buckets.release();
  }

  /** Returns null if no node fits, or the index cannot decide. The signature's verdicts must be up to date. */
  best(rules: TopologyRules): TopologyBest | null {
    return this.#useWhole(true, () => this.#bestOf(rules));
  }

  /**
   * Brings the totals up to date for a run of kernels. Returns false if there is no room for them beside those that
   * the run uses already.
   */
  join(): boolean {
    return this.#useWhole(false, () => true) ?? false;
  }

  /** Brings the totals, and the maxima by which they are normalised, up to date for the next pod of a run. */
  prepare(rules: TopologyRules): boolean {
    return this.#useWhole(false, () => this.#findCandidates(rules) > 0) ?? false;
  }

  /** The raw scores by verdict id that are normalised by feasible nodes, and their maxima; null if there are none. */
  get normalized(): { readonly raws: readonly (readonly number[])[]; readonly maxima: Maxima } | null {
    if (!this.#isCounting) return null;
    // Kernels do not report for which rules they compared the maxima last.
    this.#hadRules = true;
    return { raws: rawsById(this.signature.verdicts, this.#form), maxima: this.#maxima };
  }

  /** `rests`: whether a lack of room is remembered. Returns null if the totals cannot be brought up to date. */
  #useWhole<T>(rests: boolean, use: () => T): T | null {
    let result: T | null = null;
    let isWhole = false;
    try {
      isWhole = this.#catchUp(rests);
      if (isWhole) result = use();
    } catch (error) {
      isWhole = false;
      if (!(error instanceof OutOfMemoryError)) throw error;
    } finally {
      if (!isWhole) this.#letGo();
    }
    return result;
  }

  /**
   * Releases all totals columns if they may not match the buckets. Other signatures' updates of a block write whole
   * rows, for which kernels look up the nodes' entries in the tables of these columns, too.
   */
  #letGo(): void {
    for (const column of this.columns) if (!column.isReleased) column.release();
    this.columns.length = 0;
    this.blocks = [];
    this.buckets.forget();
  }

  #bestOf(rules: TopologyRules): TopologyBest | null {
    const feasibleNodes = this.#findCandidates(rules);
    if (feasibleNodes === 0) return null;
    this.#addSpread(rules);
    this.#addAffinity(rules);
    let [total, first] = [-1, 0];
    for (let i = 0; i < this.#candidateCount; i++) {
      const sum = this.#sums[i] as number;
      if (sum <= total) continue;
      total = sum;
      first = i;
    }
    // An empty list to which one column is added would take room for seventeen.
    const columns = [this.#columnAt(first)];
    for (let i = first + 1; i < this.#candidateCount; i++) {
      if (this.#sums[i] === total) columns.push(this.#columnAt(i));
    }
    return { total, feasibleNodes, columns };
  }

  #columnAt(candidate: number): TotalsColumn {
    return this.columns[this.#candidates[candidate] as number] as TotalsColumn;
  }

  /** Brings buckets and totals columns up to date; returns false if there are too many. */
  #catchUp(rests: boolean): boolean {
    const { buckets } = this;
    const { run } = this.#index;
    this.lastUse = run;
    if (buckets.isOverflown || run < this.#restsUntil) return false;
    for (const column of this.columns) column.lastRun = run;
    const hasBegunToCount = this.#countsById();
    if (buckets.isOutdated) {
      // Assuming a feasible node for every verdict id, which is usually true, makes a second scan unnecessary.
      if (hasBegunToCount) this.#maxima = maximaOf(this.signature.verdicts, this.#form, null);
      buckets.sortAll();
      if (buckets.isOverflown || this.#makeColumns(rests) === null) return false;
      this.#writeTotals();
      this.#scan(this.columns);
    } else {
      const idCount = buckets.entries.length;
      const moves = buckets.takeMoves();
      const made = buckets.isOverflown ? null : this.#makeColumns(rests);
      if (made === null) return false;
      if (made.length > 0 || buckets.entries.length !== idCount) this.#writeTotals();
      this.#scan(made);
      for (const { slot, id } of moves) this.#move(slot, id);
      if (hasBegunToCount) this.#scan(this.columns);
    }
    for (const block of this.blocks) this.#index.catchUp(block);
    return true;
  }

  /**
   * Lets totals columns count by verdict id from the first normalised score above 0 on. Returns whether they begin
   * here.
   */
  #countsById(): boolean {
    if (this.#isCounting || !dependsOnMaxima(this.signature.verdicts, this.#form)) return false;
    this.#isCounting = true;
    for (const column of this.columns) column.setTracked(true);
    return true;
  }

  /** Makes the totals columns that are missing, without totals; returns null if there is no room. */
  #makeColumns(rests: boolean): readonly TotalsColumn[] | null {
    const created: TotalsColumn[] = [];
    if (this.columns.length === this.buckets.buckets.length) return created;
    while (this.columns.length < this.buckets.buckets.length) {
      const column = this.#index.newColumn(this.signature, this.#form, this.buckets.column);
      if (column === null) {
        if (rests) this.#restsUntil = this.#index.run + REST_RUNS;
        return null;
      }
      column.setTracked(this.#isCounting);
      this.columns.push(column);
      created.push(column);
    }
    this.blocks = [...new Set(this.columns.map((column) => column.block))];
    return created;
  }

  /**
   * Moves a node to another bucket: its row, and the counts by entry, which the kernel keeps for the new one only.
   */
  #move(slot: number, id: number): void {
    const { entries, column } = this.buckets;
    const before = column.values[slot] ?? 0;
    if (before === id) return;
    // In all other columns the node is feasible neither before nor after.
    const left = this.columns[entries[before]?.bucket ?? NO_BUCKET];
    const entered = this.columns[entries[id]?.bucket ?? NO_BUCKET];
    const isHeld = this.#isCounting && left !== undefined && left.totalAt(slot) >= 0;
    column.values[slot] = id;
    left?.block.updateNode(slot);
    if (entered !== undefined && entered.block !== left?.block) entered.block.updateNode(slot);
    if (!isHeld) return;
    const counts = left.counts();
    const [rest, held] = [(counts[before] ?? 0) - 1, (counts[id] ?? 0) + 1];
    counts[before] = rest;
    counts[id] = held;
    if (rest === 0 || held === 1) left.block.setBit(FIELD.dirty, left.number, true);
  }

  /** Lists the buckets that fulfil every rule and have a feasible node; returns the number of feasible nodes. */
  #findCandidates({ rules }: TopologyRules): number {
    const { buckets } = this;
    const candidates = this.#candidates;
    const ofBuckets = rules.length === 0 ? rules : rules.filter(({ count }) => buckets.isByBucket(count));
    for (let attempt = 0; ; attempt++) {
      let [feasibleNodes, found] = [0, 0];
      for (let i = 0; i < buckets.buckets.length; i++) {
        const column = this.columns[i] as TotalsColumn;
        const { bestTotal } = column;
        if (bestTotal < 0) continue;
        if (ofBuckets.length > 0 && !this.#fulfils(ofBuckets, buckets.buckets[i] as TopologyBucket)) continue;
        candidates[found] = i;
        this.#sums[found] = bestTotal;
        found++;
        feasibleNodes += column.feasibleNodes;
      }
      this.#candidateCount = found;
      // The maxima by which the verdicts' scores are normalised depend on which nodes are feasible.
      if (attempt > 0 || !this.#isCounting || !this.#hasNewMaxima(ofBuckets.length > 0)) return feasibleNodes;
      this.#writeTotals();
      this.#scan(this.columns);
    }
  }

  #fulfils(rules: readonly DomainRule[], bucket: TopologyBucket): boolean {
    const read = (count: DomainCount): number => this.buckets.countIn(bucket, count);
    return rules.every((rule) => accepts(rule, read));
  }

  #hasNewMaxima(hasRules: boolean): boolean {
    const hadRules = this.#hadRules;
    this.#hadRules = hasRules;
    if (!this.#takeDirty() && !hasRules && !hadRules) return false;
    const maxima = maximaOf(this.signature.verdicts, this.#form, this.#feasibleByVerdictId());
    if (maxima.every((max, i) => max === this.#maxima[i])) return false;
    this.#maxima = maxima;
    return true;
  }

  /** Whether an entry may have won its first or lost its last feasible node since the last call. */
  #takeDirty(): boolean {
    let isDirty = false;
    for (const { block, number } of this.columns) {
      if (!block.hasBit(FIELD.dirty, number)) continue;
      block.setBit(FIELD.dirty, number, false);
      isDirty = true;
    }
    return isDirty;
  }

  #scan(columns: readonly TotalsColumn[]): void {
    for (const block of this.blocks) {
      const ofBlock = columns.filter((column) => column.block === block);
      if (ofBlock.length > 0) block.scan(ofBlock);
    }
  }

  /** Writes totals by verdict id, with scores normalised by the maxima that were known last. */
  #writeTotals(): void {
    const { entries } = this.buckets;
    const totals = totalsById(this.signature.verdicts, this.#form, this.#maxima);
    this.columns.forEach((column, bucket) => {
      const counts = column.counts().slice();
      column.setTotals(
        Int16Array.from(entries, (entry) => (entry?.bucket === bucket ? (totals[entry.verdictId] ?? -1) : -1)),
      );
      column.counts().set(counts);
    });
  }

  #feasibleByVerdictId(): Int32Array {
    const counts = new Int32Array(this.signature.verdicts.idCount);
    for (let i = 0; i < this.#candidateCount; i++) {
      this.#columnAt(i)
        .counts()
        .forEach((count, id) => {
          const verdictId = this.buckets.entries[id]?.verdictId ?? 0;
          counts[verdictId] = (counts[verdictId] ?? 0) + count;
        });
    }
    return counts;
  }

  #addSpread({ spread }: TopologyRules): void {
    const weight = weightOf(this.signature, 'spread');
    if (spread.length === 0 || weight === 0) return;
    const sizes = spread.map((score) => this.#scoredDomains(score));
    this.#addNormalized(weight, normalizedSpread, (read) => rawSpread(spread, sizes, read));
  }

  #addAffinity({ affinity }: TopologyRules): void {
    const weight = weightOf(this.signature, 'affinity');
    if (affinity.length === 0 || weight === 0) return;
    this.#addNormalized(weight, normalizedAffinity, (read) => rawAffinity(affinity, read));
  }

  #addNormalized(
    weight: number,
    normalize: (raw: number, least: number, most: number) => number,
    rawOf: (read: CountReader) => number,
  ): void {
    let least = Number.POSITIVE_INFINITY;
    let most = Number.NEGATIVE_INFINITY;
    const { buckets } = this;
    let bucket: TopologyBucket | undefined;
    const read: CountReader = (count) => (bucket === undefined ? -1 : buckets.countIn(bucket, count));
    for (let i = 0; i < this.#candidateCount; i++) {
      bucket = buckets.buckets[this.#candidates[i] as number];
      const raw = rawOf(read);
      this.#raw[i] = raw;
      least = Math.min(least, raw);
      most = Math.max(most, raw);
    }
    for (let i = 0; i < this.#candidateCount; i++) {
      this.#sums[i] = (this.#sums[i] as number) + weight * normalize(this.#raw[i] as number, least, most);
    }
  }

  /** The number of domains with feasible nodes; each node is a domain if no two nodes share one. */
  #scoredDomains({ count }: SpreadScore): number {
    const domains = isShared(count) ? new Set<number>() : null;
    let feasibleNodes = 0;
    for (let i = 0; i < this.#candidateCount; i++) {
      const bucket = this.buckets.buckets[this.#candidates[i] as number] as TopologyBucket;
      if (domains === null) feasibleNodes += this.#columnAt(i).feasibleNodes;
      else domains.add(this.buckets.domainOf(bucket, count.domains));
    }
    return domains?.size ?? feasibleNodes;
  }
}
