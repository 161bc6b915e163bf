import type { PodInfo } from '../../framework/pod-info.ts';
import type { Kernels } from '../../kernels/abi.ts';
import { OutOfMemoryError, type SharedMemory } from '../../memory/shared-memory.ts';
import type { PodSignature } from '../index/pod-signature.ts';
import { RUN_LENGTH, type SignatureIndex } from '../index/signature-index.ts';
import type { TopologyTotalsSets } from '../index/topology-totals-sets.ts';
import type { KnownPod } from '../topology/counted-pods.ts';
import type { TopologyIndex } from '../topology/topology-index.ts';
import type { TopologyRules } from '../topology/topology-rules.ts';
import { type RunMember, RunRecords } from './run-records.ts';

const WORD_BYTES = Int32Array.BYTES_PER_ELEMENT;
const SHORTEST_RUN = 16;
/** The most entries of all sorted nodes, of which every run writes a table. */
const MOST_ENTRIES = 65_536;

export interface TopologyRunModules {
  readonly kernels: Kernels;
  readonly memory: SharedMemory;
  readonly index: SignatureIndex;
  readonly topology: TopologyIndex;
  readonly sets: TopologyTotalsSets;
  /** The rules of a pod whose signature is brought up to date; a word if there are none or a cycle has to decide. */
  readonly rulesOf: (pod: PodInfo, signature: PodSignature) => TopologyRules | string;
}

/**
 * Pods with topology rules that one call of a kernel places in a row. The kernel finds the best bucket for each,
 * charges the node, raises the counts of the pod's group, and moves the node to another bucket; what only the host can
 * do (a new bucket, a scan) ends the run.
 */
export class TopologyRun {
  readonly #modules: TopologyRunModules;
  readonly #records: RunRecords;
  readonly #members: RunMember[] = [];
  readonly #nodes = new Set<RunMember['nodes']>();
  #queue: Int32Array | null = null;
  #length = 0;
  #limit = RUN_LENGTH;
  #entries = 0;
  #number = 0;

  constructor(modules: TopologyRunModules) {
    this.#modules = modules;
    this.#records = new RunRecords(modules.memory);
  }

  /** Starts a run with an empty queue. */
  begin(): void {
    this.#number++;
    this.#length = 0;
    this.#entries = 0;
    this.#members.length = 0;
    this.#nodes.clear();
  }

  /**
   * Queues a pod; returns false if it cannot be part of the run, because it is full, or because its nodes were not
   * sorted before, its like was not counted, or kernels cannot follow.
   */
  enqueue(pod: PodInfo, signature: PodSignature): boolean {
    const { topology, sets, index, rulesOf } = this.#modules;
    const known = topology.knownPod(pod);
    if (known === null) return false;
    if (known.run === this.#number) return this.#add(known.member);
    const { countedPods } = known;
    // Placing a pod with terms that are not registered would change the rules of others.
    if (countedPods === null || countedPods.isGone || !countedPods.hasRegistered) return false;
    signature.lastRun = index.run;
    const rules = rulesOf(pod, signature);
    if (typeof rules === 'string') return false;
    const nodes = sets.known(signature, rules);
    return nodes !== null && this.#join(known, { nodes, rules, countedPods });
  }

  #add(member: number): boolean {
    if (this.#length === this.#limit) return false;
    this.#queue ??= this.#newQueue();
    this.#queue[this.#length++] = member;
    return true;
  }

  #newQueue(): Int32Array {
    const { memory } = this.#modules;
    const pointer = memory.allocate(RUN_LENGTH * WORD_BYTES, 'queue of a run with topology rules');
    return new Int32Array(memory.memory.buffer, pointer, RUN_LENGTH);
  }

  #join(known: KnownPod, member: RunMember): boolean {
    const { nodes } = member;
    if (!this.#nodes.has(nodes)) {
      const { buckets, verdicts } = nodes.buckets;
      this.#entries += buckets.length * verdicts.idCount;
      if (this.#entries > MOST_ENTRIES || !nodes.join()) return false;
      this.#nodes.add(nodes);
    }
    known.run = this.#number;
    known.member = this.#members.push(member) - 1;
    return this.#add(known.member);
  }

  /** Places the queued pods up to the first that the kernel cannot place; returns how many. */
  place(): number {
    if (this.#length === 0 || this.#queue === null) return 0;
    const { kernels, index } = this.#modules;
    const { env, results } = index;
    let records: number;
    try {
      records = this.#records.write(this.#members, env.slots);
    } catch (error) {
      if (!(error instanceof OutOfMemoryError)) throw error;
      return 0;
    }
    const { byteOffset } = this.#queue;
    const placed = kernels.placeByTopology(env.pointer, byteOffset, this.#length, results.byteOffset, records);
    this.#count(placed);
    // If a run ends early, most of a long one would be queued in vain.
    this.#limit = placed === this.#length ? Math.min(RUN_LENGTH, this.#limit * 2) : Math.max(SHORTEST_RUN, placed * 2);
    this.#limit = Math.min(RUN_LENGTH, this.#limit);
    return placed;
  }

  /** Reports the placed pods. Nodes of which all have found their buckets need not be sorted again. */
  #count(placed: number): void {
    const { index, topology } = this.#modules;
    for (const { buckets } of this.#nodes) buckets.isFollowed = true;
    for (const nodes of this.#records.nodes) if (this.#records.isIncomplete(nodes)) nodes.buckets.isFollowed = false;
    for (let i = 0; i < placed; i++) {
      const { countedPods } = this.#members[this.#queue?.[i] ?? 0] as RunMember;
      topology.podPlaced(index.slot(i), countedPods);
    }
    for (const { buckets } of this.#nodes) buckets.isFollowed = false;
  }
}
