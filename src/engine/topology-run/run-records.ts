import { getOrMake } from '../../lib/get-or-make.ts';
import type { DomainCount, DomainCounter, PodCounter } from '../../memory/domain-counter.ts';
import { OutOfMemoryError, type SharedMemory } from '../../memory/shared-memory.ts';
import { Logarithms } from '../index/logarithms.ts';
import { type NodeSearchRecord, type TopologyWeights, writeTerm } from '../index/node-search-record.ts';
import { ORDERED_WORDS, TERM_WORDS } from '../index/search-layout.ts';
import { type SignatureTotals, weightOf } from '../index/signature-totals.ts';
import { isShared } from '../index/topology-buckets.ts';
import type { TopologyTotals } from '../index/topology-totals.ts';
import type { CountedPods } from '../topology/counted-pods.ts';
import { type DomainRule, INT32_MAX, INT32_MIN, type TopologyRules } from '../topology/topology-rules.ts';
import { type ExcludingPods, RunExclusions } from './run-exclusions.ts';
import {
  BOUND,
  COUNT,
  COUNT_WORDS,
  MEMBER,
  MEMBER_WORDS,
  NO_ENTRY,
  NODES,
  NODES_WORDS,
  RAISED,
  RAISED_SUM,
  RAISED_SUM_WORDS,
  RAISED_WORDS,
  RUN,
  RUN_TERM,
  RUN_TERM_WORDS,
  RUN_WORDS,
} from './run-layout.ts';
import { RunWords } from './run-words.ts';

const WORD_BYTES = Int32Array.BYTES_PER_ELEMENT;
/** Lists about buckets have room for this many. */
const MOST_BUCKETS = 128;
/** The words of a member with a rule, a score, and a few places of pods. */
const USUAL_WORDS = 128;

/** Pods that are alike, of a run: those with rules, whose nodes are sorted, and those with one totals column. */
export type RunMember = SortedMember | PlainMember;

export interface SortedMember extends ExcludingPods {
  readonly nodes: TopologyTotals;
  readonly rules: TopologyRules;
}

/** Without rules or with `exclusions` alone, the best node of the column counts that is not excluded. */
export interface PlainMember extends ExcludingPods {
  readonly nodes: null;
  readonly totals: SignatureTotals;
  /** The rules of pods whose nodes are searched for, or that do nothing but exclude nodes; null if there are none. */
  readonly rules: TopologyRules | null;
}

/**
 * The records by which a kernel places pods with topology rules, written anew for every run: sorted nodes with their
 * buckets, and for pods that are alike their rules, their scores, and the counts that they raise.
 */
export class RunRecords {
  readonly #words: RunWords;
  readonly #logarithms: Logarithms;
  /** The first word of the records of sorted nodes. */
  readonly #nodes = new Map<TopologyTotals, number>();
  /** The sorted nodes in which a change of a counter moves a node. */
  readonly #followers = new Map<PodCounter, number[]>();
  /** The words of the totals that rules read, or that pods raise. */
  readonly #totals = new Map<DomainCounter, number>();
  readonly #exclusions: RunExclusions;
  #search: NodeSearchRecord | null = null;

  /** `groupsOf`: the groups of pods that a counter counts. */
  constructor(memory: SharedMemory, groupsOf: (pods: PodCounter) => Iterable<CountedPods>) {
    this.#exclusions = new RunExclusions(groupsOf);
    this.#words = new RunWords(memory);
    this.#logarithms = new Logarithms(memory);
  }

  /** The sorted nodes of all members. */
  get nodes(): Iterable<TopologyTotals> {
    return this.#nodes.keys();
  }

  /** The number of excluded nodes that searches for pods of the member have looked at. */
  skippedNodes(member: number): number {
    return this.#exclusions.skippedNodes(this.#words, member);
  }

  /** Whether some node belongs into a bucket that is not there. */
  isIncomplete(nodes: TopologyTotals): boolean {
    return this.#words.values[(this.#nodes.get(nodes) ?? 0) + NODES.isIncomplete] !== 0;
  }

  /**
   * Writes all records; returns their address. `nodeCount`: the most domains of a count; `search`: null if all nodes
   * are compared.
   */
  write(members: readonly RunMember[], nodeCount: number, search: NodeSearchRecord | null = null): number {
    const logarithms = this.#logarithms.upTo(nodeCount + 1);
    this.#search = search;
    this.#exclusions.begin(members, nodeCount);
    for (const member of members) reserveCounts(member);
    this.#words.reserve(members.length * USUAL_WORDS);
    // Addresses hold only if the words did not move while they were written.
    for (let pointer = -1; pointer !== this.#words.pointer; ) {
      pointer = this.#words.pointer;
      this.#writeAll(members, logarithms);
    }
    return this.#words.pointer;
  }

  #writeAll(members: readonly RunMember[], logarithms: number): void {
    this.#words.clear();
    this.#nodes.clear();
    this.#followers.clear();
    this.#totals.clear();
    const run = this.#words.take(RUN_WORDS);
    const lists = this.#words.take(5 * MOST_BUCKETS);
    for (const { nodes } of members) if (nodes !== null && !this.#nodes.has(nodes)) this.#writeNodes(nodes);
    const first = this.#words.take(members.length * MEMBER_WORDS);
    for (let i = 0; i < members.length; i++) this.#writeMember(first + i * MEMBER_WORDS, members[i] as RunMember);
    this.#exclusions.write(this.#words, first, members);
    const { values } = this.#words;
    values[run + RUN.logarithms] = logarithms;
    values[run + RUN.search] = this.#search?.pointer ?? 0;
    values[run + RUN.candidates] = this.#words.address(lists);
    values[run + RUN.sums] = this.#words.address(lists + MOST_BUCKETS);
    values[run + RUN.raws] = this.#words.address(lists + 3 * MOST_BUCKETS);
    values[run + RUN.members] = this.#words.address(first);
  }

  #writeNodes(totals: TopologyTotals): void {
    const { buckets: sorted, columns, blocks, normalized } = totals;
    const { shared, perNode, exclusions, buckets, verdicts } = sorted;
    const nodes = this.#words.take(NODES_WORDS);
    this.#nodes.set(totals, nodes);
    for (const { pods } of [...perNode, ...exclusions]) {
      const followers = getOrMake(this.#followers, pods, () => []);
      if (followers.at(-1) !== nodes) followers.push(nodes);
    }
    const lists = {
      columns: this.#words.list(columns.map(({ reference }) => reference)),
      rows: this.#words.lists(rowsOf(buckets)),
      keys: this.#words.list(shared.map(({ column }) => column.pointer)),
      counts: this.#writeCounts(perNode),
      exclusions: this.#writeCounts(exclusions),
      entries: this.#writeEntries(sorted),
      blocks: this.#words.list(blocks.map(({ pointer }) => pointer)),
      raws: this.#words.lists(normalized?.raws ?? []),
      maxima: this.#words.list(normalized?.maxima ?? []),
    };
    const { values } = this.#words;
    values[nodes + NODES.ids] = sorted.column.pointer;
    values[nodes + NODES.verdictIds] = verdicts.ids.pointer;
    values[nodes + NODES.bucketCount] = buckets.length;
    values[nodes + NODES.columns] = lists.columns;
    values[nodes + NODES.rows] = lists.rows;
    values[nodes + NODES.keyCount] = shared.length;
    values[nodes + NODES.keys] = lists.keys;
    values[nodes + NODES.countCount] = perNode.length;
    values[nodes + NODES.counts] = lists.counts;
    values[nodes + NODES.exclusionCount] = exclusions.length;
    values[nodes + NODES.exclusions] = lists.exclusions;
    values[nodes + NODES.entries] = lists.entries;
    values[nodes + NODES.verdictCount] = verdicts.idCount;
    values[nodes + NODES.blocks] = lists.blocks;
    values[nodes + NODES.blockCount] = blocks.length;
    values[nodes + NODES.isIncomplete] = sorted.hasMoves ? 1 : 0;
    values[nodes + NODES.isCounting] = normalized === null ? 0 : 1;
    values[nodes + NODES.raws] = lists.raws;
    values[nodes + NODES.maxima] = lists.maxima;
    values[nodes + NODES.rawCount] = normalized?.raws.length ?? 0;
    values[nodes + NODES.hadRules] = 1;
  }

  #writeCounts(counts: readonly DomainCount[]): number {
    const list = this.#words.take(counts.length * COUNT_WORDS);
    const { values } = this.#words;
    for (let i = 0, at = list; i < counts.length; i++, at += COUNT_WORDS) {
      const { domains, counts: byDomain, pods } = counts[i] as DomainCount;
      values[at + COUNT.domains] = domains.column.pointer;
      values[at + COUNT.counts] = byDomain?.pointer ?? pods.perNode.pointer;
      values[at + COUNT.isByNode] = byDomain === null ? 1 : 0;
    }
    return this.#words.address(list);
  }

  #writeEntries(sorted: TopologyTotals['buckets']): number {
    const { buckets } = sorted;
    const { idCount } = sorted.verdicts;
    const list = this.#words.address(this.#words.take(Math.ceil((buckets.length * idCount) / 2)));
    const entries = new Uint16Array(this.#words.values.buffer, list, buckets.length * idCount);
    let at = 0;
    for (let bucket = 0; bucket < buckets.length; bucket++) {
      for (let id = 0; id < idCount; id++) entries[at++] = sorted.entryOf(bucket, id) ?? NO_ENTRY;
    }
    return list;
  }

  #writeMember(at: number, member: RunMember): void {
    this.#words.values.fill(0, at, at + MEMBER_WORDS);
    this.#writeRaised(at, member.countedPods);
    if (member.nodes !== null) this.#writeSorted(at, member);
    else this.#writePlain(at, member);
  }

  #writePlain(at: number, { totals, rules }: PlainMember): void {
    this.#words.values[at + MEMBER.column] = totals.reference;
    const search = this.#search;
    if (search === null) return;
    const ordered = totals.ordered(search.order);
    if (ordered === null) throw new OutOfMemoryError(ORDERED_WORDS * WORD_BYTES);
    this.#words.values[at + MEMBER.ordered] = ordered;
    if (rules !== null) this.#writeSearched(at, rules, totals.topologyWeights, search);
  }

  /** Writes rules and scores as searches read them, and what the bounds of the rules follow from. */
  #writeSearched(at: number, all: TopologyRules, weights: TopologyWeights, search: NodeSearchRecord): void {
    const { rules } = all;
    const spread = weights.spread === 0 ? [] : all.spread;
    const affinity = weights.affinity === 0 ? [] : all.affinity;
    search.reserveFor(spread);
    const bounds = this.#words.take(rules.length * RUN_TERM_WORDS);
    for (let i = 0; i < rules.length; i++) this.#writeRule(bounds + i * RUN_TERM_WORDS, rules[i] as DomainRule);
    const terms = this.#words.take((rules.length + spread.length + affinity.length) * TERM_WORDS);
    const { values } = this.#words;
    let term = terms;
    const write = (count: DomainCount, least: number, flag: boolean): void => {
      writeTerm(values, term, count, { least, most: 0, flag });
      term += TERM_WORDS;
    };
    for (const { count, absentFits } of rules) write(count, 0, absentFits);
    for (const { count, maxSkew } of spread) write(count, maxSkew - 1, !isShared(count));
    for (const { count, weight } of affinity) write(count, weight, false);
    values[at + MEMBER.rules] = this.#words.address(bounds);
    values[at + MEMBER.ruleCount] = rules.length;
    values[at + MEMBER.spreadCount] = spread.length;
    values[at + MEMBER.spreadWeight] = weights.spread;
    values[at + MEMBER.affinityCount] = affinity.length;
    values[at + MEMBER.affinityWeight] = weights.affinity;
    values[at + MEMBER.foundRules] = this.#words.address(terms);
    values[at + MEMBER.foundSpread] = this.#words.address(terms + rules.length * TERM_WORDS);
    values[at + MEMBER.foundAffinity] = this.#words.address(terms + (rules.length + spread.length) * TERM_WORDS);
  }

  /** Writes the rules and scores of pods whose nodes are sorted. */
  #writeSorted(at: number, { nodes, rules: all }: SortedMember): void {
    const { buckets, signature } = nodes;
    const weights = { spread: weightOf(signature, 'spread'), affinity: weightOf(signature, 'affinity') };
    const spread = weights.spread === 0 ? [] : all.spread;
    const affinity = weights.affinity === 0 ? [] : all.affinity;
    const rules = all.rules.length === 0 ? all.rules : all.rules.filter(({ count }) => buckets.isByBucket(count));
    const terms = this.#words.take((rules.length + spread.length + affinity.length) * RUN_TERM_WORDS);
    let term = terms;
    for (const rule of rules) {
      this.#writePlace(term, nodes, rule.count);
      this.#writeRule(term, rule);
      term += RUN_TERM_WORDS;
    }
    for (const { count, maxSkew } of spread) {
      this.#writePlace(term, nodes, count);
      this.#words.values[term + RUN_TERM.weight] = maxSkew - 1;
      term += RUN_TERM_WORDS;
    }
    for (const { count, weight } of affinity) {
      this.#writePlace(term, nodes, count);
      this.#words.values[term + RUN_TERM.weight] = weight;
      term += RUN_TERM_WORDS;
    }
    const { values } = this.#words;
    values[at + MEMBER.nodes] = this.#words.address(this.#nodes.get(nodes) ?? 0);
    values[at + MEMBER.rules] = this.#words.address(terms);
    values[at + MEMBER.ruleCount] = rules.length;
    values[at + MEMBER.spread] = this.#words.address(terms + rules.length * RUN_TERM_WORDS);
    values[at + MEMBER.spreadCount] = spread.length;
    values[at + MEMBER.spreadWeight] = weights.spread;
    values[at + MEMBER.affinity] = this.#words.address(terms + (rules.length + spread.length) * RUN_TERM_WORDS);
    values[at + MEMBER.affinityCount] = affinity.length;
    values[at + MEMBER.affinityWeight] = weights.affinity;
  }

  /** Writes where the row of a bucket tells about the count. */
  #writePlace(at: number, { buckets }: TopologyTotals, count: DomainCount): void {
    const { values } = this.#words;
    const isInRow = !isShared(count);
    values[at + RUN_TERM.counts] = isInRow ? 0 : (count.counts?.pointer ?? 0);
    values[at + RUN_TERM.place] = isInRow
      ? buckets.shared.length + buckets.perNode.indexOf(count)
      : buckets.shared.indexOf(count.domains);
  }

  #writeRule(at: number, { absentFits, bound, least, most }: DomainRule): void {
    const isFixed = bound.kind === 'fixed';
    const isCompared = bound.kind === 'spread' && bound.counter.memberDomains >= bound.minDomains;
    const compared = isCompared ? bound.counter : null;
    const totals = bound.kind === 'group' ? bound.counters : [];
    const list = this.#words.list(totals.map((counter) => this.#words.address(this.#totalOf(counter))));
    const { values } = this.#words;
    values[at + RUN_TERM.absentFits] = absentFits ? 1 : 0;
    values[at + RUN_TERM.bound] = BOUND[bound.kind];
    values[at + RUN_TERM.weight] = bound.kind === 'spread' ? bound.slack : 0;
    values[at + RUN_TERM.least] = isFixed ? least() : INT32_MIN;
    values[at + RUN_TERM.most] = isFixed ? most() : INT32_MAX;
    values[at + RUN_TERM.compared] = compared?.counts.pointer ?? 0;
    values[at + RUN_TERM.members] = compared?.members.pointer ?? 0;
    values[at + RUN_TERM.domainCount] = compared?.domains.count ?? 0;
    values[at + RUN_TERM.totals] = list;
    values[at + RUN_TERM.totalCount] = totals.length;
  }

  /** The word of the counter's total in this run. */
  #totalOf(counter: DomainCounter): number {
    let word = this.#totals.get(counter);
    if (word === undefined) {
      word = this.#words.take(1);
      this.#words.values[word] = counter.total;
      this.#totals.set(counter, word);
    }
    return word;
  }

  #writeRaised(at: number, { counters }: CountedPods): void {
    let [raisedCount, sumCount] = [0, 0];
    for (const { counter } of counters) {
      if (counter.column !== null) raisedCount++;
      for (const { summed } of counter.domainCounters) if (summed !== null) sumCount++;
    }
    const raised = this.#words.take(raisedCount * RAISED_WORDS);
    const sums = this.#words.take(sumCount * RAISED_SUM_WORDS);
    const followers = new Set<number>();
    let [count, sum] = [raised, sums];
    for (const { counter, multiplicity } of counters) {
      if (counter.column !== null) {
        this.#words.values[count + RAISED.counts] = counter.column.pointer;
        this.#words.values[count + RAISED.pods] = multiplicity;
        count += RAISED_WORDS;
      }
      for (const domainCounter of counter.domainCounters) {
        const { summed } = domainCounter;
        if (summed === null) continue;
        const total = this.#words.address(this.#totalOf(domainCounter));
        const { values } = this.#words;
        values[sum + RAISED_SUM.homes] = domainCounter.homes.pointer;
        values[sum + RAISED_SUM.counts] = summed.pointer;
        values[sum + RAISED_SUM.total] = total;
        values[sum + RAISED_SUM.pods] = multiplicity;
        sum += RAISED_SUM_WORDS;
      }
      for (const nodes of this.#followers.get(counter) ?? []) followers.add(this.#words.address(nodes));
    }
    const list = this.#words.list([...followers]);
    const { values } = this.#words;
    values[at + MEMBER.raised] = this.#words.address(raised);
    values[at + MEMBER.raisedCount] = raisedCount;
    values[at + MEMBER.sums] = this.#words.address(sums);
    values[at + MEMBER.sumCount] = sumCount;
    values[at + MEMBER.followers] = list;
    values[at + MEMBER.followerCount] = followers.size;
  }
}

/** The domains and counts of each bucket in turn. */
function rowsOf(buckets: TopologyTotals['buckets']['buckets']): (readonly number[])[] {
  const rows: (readonly number[])[] = [];
  for (let i = 0; i < buckets.length; i++) {
    const { domains, counts } = buckets[i] as (typeof buckets)[number];
    rows.push(domains, counts);
  }
  return rows;
}

/** Gives all counts room for every domain, so that none of them is made or moves while the records are in use. */
function reserveCounts(member: RunMember): void {
  for (const { counter } of member.countedPods.counters) {
    for (const { summed, domains } of counter.domainCounters) summed?.reserve(domains.count);
  }
  // Which nodes are excluded, a run notes by itself.
  if (member.rules === null || member.exclusions.length > 0) return;
  const { rules, spread, affinity } = member.rules;
  for (const { count, bound } of rules) {
    reserve(count);
    if (bound.kind === 'group') for (const { counts, domains } of bound.counters) counts.reserve(domains.count);
    if (bound.kind !== 'spread') continue;
    const { counts, members, domains } = bound.counter;
    counts.reserve(domains.count);
    members.reserve(domains.count);
  }
  for (const { count } of spread) reserve(count);
  for (const { count } of affinity) reserve(count);
}

/** Makes what kernels read of the count. */
function reserve({ counts, domains, pods }: DomainCount): void {
  counts?.reserve(domains.count);
  if (counts === null) void pods.perNode;
}
