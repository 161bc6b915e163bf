import type { SearchWindow } from '../../framework/node-search.ts';
import type { Column } from '../../memory/column-table.ts';
import type { DomainCount } from '../../memory/domain-counter.ts';
import { OutOfMemoryError } from '../../memory/shared-memory.ts';
import { SharedVector } from '../../memory/shared-vector.ts';
import type { SpreadScore, TopologyRules } from '../topology/topology-rules.ts';
import type { EngineModules } from './engine-modules.ts';
import { Logarithms } from './logarithms.ts';
import type { NodeMask } from './node-mask.ts';
import { KEYLESS, SEARCH, SEARCH_WORDS, TERM, TERM_WORDS } from './search-layout.ts';
import { isShared } from './topology-buckets.ts';

const WORD_BYTES = Int32Array.BYTES_PER_ELEMENT;
/** The position of a slot without a node. */
const NO_POSITION = -1;

/** The best nodes that a search found. */
export interface WindowBest {
  readonly total: number;
  readonly feasibleNodes: number;
  readonly processed: number;
  /** The number of best nodes. */
  readonly ties: number;
  /** The earliest of the best nodes; unknown if upstream's choice was asked for. */
  readonly first: number;
  /** The one that upstream would choose; -1 if it was not asked for. */
  readonly root: number;
}

/** The weights of the scores that depend on other pods. */
export interface TopologyWeights {
  readonly spread: number;
  readonly affinity: number;
}

type SearchModules = Pick<EngineModules, 'memory' | 'columns' | 'cluster'>;

/** The record by which kernels search a part of the nodes, and what they need beside it. */
export class NodeSearchRecord {
  readonly pointer: number;
  readonly #modules: SearchModules;
  readonly #words: Int32Array;
  readonly #lists: readonly Column[];
  readonly #positions: Column<'i32'>;
  readonly #ties: Column<'i32'>;
  readonly #marks: SharedVector;
  readonly #terms: SharedVector;
  readonly #logarithms: Logarithms;
  #tableVersion = -1;
  #snapshotOrder: Int32Array | null = null;
  /** A number that changes with the snapshot order. */
  order = 0;

  constructor(modules: SearchModules, ties: Column<'i32'>) {
    this.#modules = modules;
    const { memory, columns } = modules;
    this.pointer = memory.allocate(SEARCH_WORDS * WORD_BYTES, 'search');
    this.#words = new Int32Array(memory.memory.buffer, this.pointer, SEARCH_WORDS);
    this.#words.fill(0);
    this.#ties = ties;
    this.#logarithms = new Logarithms(memory);
    const { table } = columns;
    this.#lists = [
      table.add('i32', 'nodes that a search found'),
      table.add('i32', 'totals that a search found'),
      table.add('f64', 'raw scores that a search found'),
      table.add('u16', 'totals that a search has seen'),
    ];
    this.#positions = table.add('i32', 'positions in snapshot order', NO_POSITION);
    this.#marks = new SharedVector(memory, 'domains that a search found');
    this.#terms = new SharedVector(memory, 'rules of a search');
  }

  /** Where the next search of a run begins. */
  get start(): number {
    return this.#words[SEARCH.start] ?? 0;
  }

  /**
   * Prepares for searches without rules about other pods. `isUpstream`: upstream's choice among ties is wanted, instead
   * of the earliest and a list of all.
   */
  begin({ start, wanted }: SearchWindow, isUpstream: boolean): void {
    const { cluster, columns } = this.#modules;
    const words = this.#words;
    const order = cluster.snapshotOrder();
    if (order !== this.#snapshotOrder) this.#takeOrder(order);
    words[SEARCH.snapshotOrder] = columns.snapshotOrder(order).pointer;
    words[SEARCH.count] = cluster.nodeCount;
    words[SEARCH.start] = start;
    words[SEARCH.wanted] = wanted;
    words[SEARCH.isUpstream] = isUpstream ? 1 : 0;
    words[SEARCH.ruleCount] = 0;
    words[SEARCH.spreadCount] = 0;
    words[SEARCH.affinityCount] = 0;
    words[SEARCH.keyless] = 0;
    const { version } = columns.table;
    if (this.#tableVersion !== version) {
      this.#tableVersion = version;
      [this.#ties, ...this.#lists, this.#positions].forEach(({ pointer }, i) => {
        words[SEARCH.ties + i] = pointer;
      });
    }
  }

  #takeOrder(order: Int32Array): void {
    this.#snapshotOrder = order;
    this.order++;
    const { values } = this.#positions;
    values.fill(NO_POSITION);
    for (let position = 0; position < order.length; position++) values[order[position] ?? 0] = position;
  }

  /**
   * Adds rules and scores that depend on other pods, and rules of this attempt alone. Returns false if there is no room
   * for them: then no search can be made.
   */
  addRules(rules: TopologyRules, weights: TopologyWeights, masks: readonly NodeMask[]): boolean {
    try {
      this.#writeRules(rules, weights, masks);
      return true;
    } catch (error) {
      if (!(error instanceof OutOfMemoryError)) throw error;
      return false;
    }
  }

  #writeRules(given: TopologyRules, weights: TopologyWeights, masks: readonly NodeMask[]): void {
    const { rules, spread, keyless, affinity } = given;
    const words = this.#words;
    const spreads = weights.spread === 0 ? [] : spread;
    const affinities = weights.affinity === 0 ? [] : affinity;
    this.#terms.reserve((masks.length + rules.length + spreads.length + affinities.length) * TERM_WORDS);
    let term = 0;
    words[SEARCH.rules] = this.#addressOf(term);
    words[SEARCH.ruleCount] = masks.length + rules.length;
    for (const mask of masks) this.#writeMask(term++, mask);
    for (const { count, least, most, absentFits } of rules) {
      this.#writeTerm(term++, count, least(), most(), absentFits);
    }
    words[SEARCH.spread] = this.#addressOf(term);
    words[SEARCH.spreadCount] = spreads.length;
    words[SEARCH.spreadWeight] = weights.spread;
    words[SEARCH.keyless] = KEYLESS.indexOf(keyless);
    for (const { count, maxSkew } of spreads) {
      // A constraint whose key no node has has one place, where all nodes are.
      const isPlace = keyless !== 'none' && count.domains.placedNodes === 0;
      this.#writeTerm(term++, count, maxSkew - 1, 0, !isPlace && !isShared(count));
    }
    words[SEARCH.affinity] = this.#addressOf(term);
    words[SEARCH.affinityCount] = affinities.length;
    words[SEARCH.affinityWeight] = weights.affinity;
    for (const { count, weight } of affinities) this.#writeTerm(term++, count, weight, 0, false);
    this.reserveFor(spreads);
  }

  /** Makes room for what a search computes for scores by these constraints. */
  reserveFor(spread: readonly SpreadScore[]): void {
    if (spread.length === 0) return;
    const words = this.#words;
    for (const { count } of spread) this.#marks.reserve(count.domains.count + 1);
    words[SEARCH.marks] = this.#marks.pointer;
    words[SEARCH.logarithms] = this.#logarithms.upTo(words[SEARCH.count] ?? 0);
  }

  /** Returns null if the search has found no node. */
  result(): WindowBest | null {
    const words = this.#words;
    const feasibleNodes = words[SEARCH.foundCount] ?? 0;
    if (feasibleNodes === 0) return null;
    return {
      total: words[SEARCH.bestTotal] ?? -1,
      feasibleNodes,
      processed: words[SEARCH.processed] ?? 0,
      ties: words[SEARCH.tieCount] ?? 0,
      first: words[SEARCH.first] ?? -1,
      root: words[SEARCH.root] ?? -1,
    };
  }

  #addressOf(term: number): number {
    return this.#terms.pointer + term * TERM_WORDS * WORD_BYTES;
  }

  #writeMask(term: number, { column, accepted }: NodeMask): void {
    const { values } = this.#terms;
    const at = term * TERM_WORDS;
    values[at + TERM.domains] = column.pointer;
    values[at + TERM.counts] = accepted.pointer;
    values[at + TERM.isByNode] = 0;
    values[at + TERM.least] = 1;
    values[at + TERM.most] = 1;
    values[at + TERM.flag] = 0;
    values[at + TERM.domainCount] = accepted.values.length;
  }

  #writeTerm(term: number, count: DomainCount, least: number, most: number, flag: boolean): void {
    count.counts?.reserve(count.domains.count);
    writeTerm(this.#terms.values, term * TERM_WORDS, count, { least, most, flag });
  }
}

/** Writes a count with what a rule or a score makes of it, as searches read it. */
export function writeTerm(
  values: Int32Array,
  at: number,
  { domains, counts, pods, isByNode }: DomainCount,
  { least, most, flag }: { readonly least: number; readonly most: number; readonly flag: boolean },
): void {
  values[at + TERM.domains] = domains.column.pointer;
  values[at + TERM.counts] = counts === null ? pods.perNode.pointer : counts.pointer;
  values[at + TERM.isByNode] = isByNode ? 1 : 0;
  values[at + TERM.least] = least;
  values[at + TERM.most] = most;
  values[at + TERM.flag] = flag ? 1 : 0;
  values[at + TERM.domainCount] = domains.count;
}
