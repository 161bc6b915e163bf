import type { PodInfo } from '../../framework/pod-info.ts';
import type { Kernels } from '../../kernels/abi.ts';
import { getOrMake } from '../../lib/get-or-make.ts';
import type { DomainCount } from '../../memory/domain-counter.ts';
import { OutOfMemoryError, type SharedMemory } from '../../memory/shared-memory.ts';
import { STOP } from '../index/layout.ts';
import type { NodeSearchRecord } from '../index/node-search-record.ts';
import type { PodSignature } from '../index/pod-signature.ts';
import { ANY_SLOT, RUN_LENGTH, type SignatureIndex } from '../index/signature-index.ts';
import type { SignatureTotals } from '../index/signature-totals.ts';
import { onlyExcludes } from '../index/topology-buckets.ts';
import type { TopologyTotals } from '../index/topology-totals.ts';
import type { TopologyTotalsSets } from '../index/topology-totals-sets.ts';
import type { CountedPods, KnownPod } from '../topology/counted-pods.ts';
import type { TopologyIndex } from '../topology/topology-index.ts';
import type { TopologyRules } from '../topology/topology-rules.ts';
import { type RunMember, RunRecords } from './run-records.ts';

const WORD_BYTES = Int32Array.BYTES_PER_ELEMENT;
/** A queued pod takes two words: the number of its member, and its only slot or ANY_SLOT. */
const QUEUED_WORDS = 2;
/** The result for each placed pod takes three words. */
const RESULT_WORDS = 3;
const SHORTEST_RUN = 16;
/** With more excluded nodes looked at for a pod, totals columns without these are faster. */
const MOST_SKIPPED = 256;
const NO_COUNTS: readonly DomainCount[] = [];
/** The most entries of all sorted nodes, of which every run writes a table. */
const MOST_ENTRIES = 65_536;

/** The last run of pods that are alike, and their number in it. */
type MemberNumber = Pick<KnownPod, 'run' | 'member'>;

export interface TopologyRunModules {
  readonly kernels: Kernels;
  readonly memory: SharedMemory;
  readonly index: SignatureIndex;
  readonly topology: TopologyIndex;
  readonly sets: TopologyTotalsSets;
  /** The rules of a pod whose signature is brought up to date; a word if there are none or a cycle has to decide. */
  readonly rulesOf: (pod: PodInfo, signature: PodSignature) => TopologyRules | 'none' | 'unknown';
  /** The up-to-date totals of a signature whose pods have no rules. */
  readonly totalsOf: (signature: PodSignature) => SignatureTotals | null;
}

/**
 * Pods that one call of a kernel places in a row, of which some have topology rules. The kernel finds the best bucket
 * for each, charges the node, raises the counts of the pod's group, and moves the node to another bucket. What only the
 * host can do (a new bucket, a scan, other maxima) is done between two calls.
 */
export class TopologyRun {
  readonly #modules: TopologyRunModules;
  readonly #records: RunRecords;
  readonly #members: RunMember[] = [];
  readonly #nodes = new Set<TopologyTotals>();
  /** The members with masks, by these. */
  readonly #masked = new Map<TopologyRules, Map<KnownPod, MemberNumber>>();
  #queue: Int32Array | null = null;
  #length = 0;
  #limit = RUN_LENGTH;
  #entries = 0;
  #number = 0;
  #search: NodeSearchRecord | null = null;
  /** The rules that exclude most of the best nodes. */
  readonly #crowded = new WeakSet<TopologyRules>();

  constructor(modules: TopologyRunModules) {
    this.#modules = modules;
    this.#records = new RunRecords(modules.memory, (pods) => modules.topology.groupsOf(pods));
  }

  /** Starts a run with an empty queue. `search`: for pods that are searched for, which begins there. */
  begin(search: NodeSearchRecord | null = null): void {
    this.#search = search;
    this.#number++;
    this.#length = 0;
    this.#entries = 0;
    this.#members.length = 0;
    this.#nodes.clear();
    this.#masked.clear();
  }

  /**
   * Queues a pod; returns false if it cannot be part of the run, because it is full, or because its nodes were not
   * sorted before, its like was not counted, or kernels cannot follow. A pod for one slot has no rules that matter; one
   * with `masks`, which stand for filters, must have no others.
   */
  enqueue(pod: PodInfo, signature: PodSignature, slot = ANY_SLOT, masks: TopologyRules | null = null): boolean {
    const known = this.#modules.topology.knownPod(pod);
    if (known === null) return false;
    const number = masks === null ? known : this.#numberOf(masks, known);
    if (number.run === this.#number) return this.#add(number.member, slot);
    const { countedPods } = known;
    // Placing a pod with terms that are not registered would change the rules of others.
    if (countedPods === null || countedPods.isGone || !countedPods.hasRegistered) return false;
    const member = this.#memberOf(pod, signature, countedPods, slot, masks);
    return member !== null && this.#join(number, member, slot);
  }

  #numberOf(masks: TopologyRules, known: KnownPod): MemberNumber {
    const numbers = getOrMake(this.#masked, masks, () => new Map<KnownPod, MemberNumber>());
    return getOrMake(numbers, known, () => ({ run: 0, member: 0 }));
  }

  #memberOf(
    pod: PodInfo,
    signature: PodSignature,
    countedPods: CountedPods,
    slot: number,
    masks: TopologyRules | null,
  ): RunMember | null {
    const { sets, index, rulesOf, totalsOf } = this.#modules;
    signature.lastRun = index.run;
    const others = slot === ANY_SLOT ? rulesOf(pod, signature) : 'none';
    if (masks !== null && others !== 'none') return null;
    const rules = masks ?? others;
    // Nodes without a topology key are scored by a search outside of runs.
    if (rules === 'unknown' || (rules !== 'none' && rules.keyless !== 'none')) return null;
    if (rules === 'none' || this.#search !== null) {
      const totals = totalsOf(signature);
      const searched = rules === 'none' ? null : rules;
      return totals && { nodes: null, totals, rules: searched, exclusions: NO_COUNTS, countedPods, pods: 0 };
    }
    if (onlyExcludes(rules) && !this.#crowded.has(rules)) {
      const totals = totalsOf(signature);
      const exclusions = rules.rules.map(({ count }) => count);
      // The largest raw scores would be those of excluded nodes, too.
      if (totals?.isTracked === false) return { nodes: null, totals, rules, exclusions, countedPods, pods: 0 };
    }
    const nodes = sets.known(signature, rules);
    return nodes && { nodes, rules, exclusions: NO_COUNTS, countedPods, pods: 0 };
  }

  #add(member: number, slot: number): boolean {
    if (this.#length === this.#limit) return false;
    this.#queue ??= this.#newQueue();
    this.#queue[this.#length * QUEUED_WORDS] = member;
    this.#queue[this.#length * QUEUED_WORDS + 1] = slot;
    this.#length++;
    (this.#members[member] as RunMember).pods++;
    return true;
  }

  #newQueue(): Int32Array {
    const { memory } = this.#modules;
    const words = RUN_LENGTH * QUEUED_WORDS;
    const pointer = memory.allocate(words * WORD_BYTES, 'queue of a run with topology rules');
    return new Int32Array(memory.memory.buffer, pointer, words);
  }

  #join(number: MemberNumber, member: RunMember, slot: number): boolean {
    const { nodes } = member;
    if (nodes !== null && !this.#nodes.has(nodes)) {
      const { buckets, verdicts } = nodes.buckets;
      this.#entries += buckets.length * verdicts.idCount;
      if (this.#entries > MOST_ENTRIES || !nodes.join()) return false;
      this.#nodes.add(nodes);
    }
    number.run = this.#number;
    number.member = this.#members.push(member) - 1;
    return this.#add(number.member, slot);
  }

  /** Places the queued pods up to the first that the kernel cannot place; returns how many. */
  place(): number {
    let placed = 0;
    try {
      for (let last = -1; placed < this.#length; ) {
        placed += this.#placeFrom(placed);
        // A pod at which the kernel stops once more has to be placed alone.
        if (placed === this.#length || placed === last || !this.#goesOn(placed)) break;
        last = placed;
      }
    } catch (error) {
      if (!(error instanceof OutOfMemoryError)) throw error;
    }
    // If a run ends early, most of a long one would be queued in vain.
    this.#limit = placed === this.#length ? Math.min(RUN_LENGTH, this.#limit * 2) : Math.max(SHORTEST_RUN, placed * 2);
    this.#limit = Math.min(RUN_LENGTH, this.#limit);
    return placed;
  }

  #placeFrom(first: number): number {
    const { kernels, index } = this.#modules;
    const { env, results } = index;
    const records = this.#records.write(this.#members, env.slots, this.#search);
    const placed = kernels.placeByTopology(
      env.pointer,
      (this.#queue?.byteOffset ?? 0) + first * QUEUED_WORDS * WORD_BYTES,
      this.#length - first,
      results.byteOffset + first * RESULT_WORDS * WORD_BYTES,
      records,
    );
    this.#count(first, first + placed);
    this.#noteCrowds();
    return placed;
  }

  /** Notes the rules of pods for which the best nodes are mostly excluded: totals columns of their own pay then. */
  #noteCrowds(): void {
    for (let i = 0; i < this.#members.length; i++) {
      const { rules, pods, exclusions } = this.#members[i] as RunMember;
      const isCrowded = exclusions.length > 0 && this.#records.skippedNodes(i) > MOST_SKIPPED * pods;
      if (isCrowded && rules !== null) this.#crowded.add(rules);
    }
  }

  /** Does what the kernel needs before it can place the pod at which it has stopped; returns false if it cannot. */
  #goesOn(at: number): boolean {
    const { stopReason } = this.#modules.index.env;
    if (stopReason !== STOP.stale && stopReason !== STOP.normalize) return false;
    const member = this.#memberAt(at);
    if (member.nodes !== null) return member.nodes.prepare(member.rules);
    if (stopReason === STOP.stale) member.totals.block.rescan();
    else member.totals.renormalize();
    return true;
  }

  #memberAt(at: number): RunMember {
    return this.#members[this.#queue?.[at * QUEUED_WORDS] ?? 0] as RunMember;
  }

  /** Reports the placed pods. Nodes of which all have found their buckets need not be sorted again. */
  #count(from: number, to: number): void {
    const { index, topology } = this.#modules;
    for (const { buckets } of this.#nodes) buckets.isFollowed = true;
    for (const nodes of this.#records.nodes) if (this.#records.isIncomplete(nodes)) nodes.buckets.isFollowed = false;
    for (let i = from; i < to; i++) topology.podPlaced(index.slot(i), this.#memberAt(i).countedPods);
    for (const { buckets } of this.#nodes) buckets.isFollowed = false;
  }
}
