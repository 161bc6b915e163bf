import type { ClusterState } from '../../framework/cluster/cluster-state.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import type { Combinations } from './node-attributes.ts';
import type { NodeJudge } from './node-judge.ts';
import { NO_NODE_ID } from './verdict-table.ts';

/**
 * The verdict ids of nodes by their looks, once a node that looks so has been judged, without images. Filters that read
 * pods are asked about each node by itself, unless its pods are nothing to them.
 */
export class KnownVerdicts {
  readonly #judge: NodeJudge;
  readonly #cluster: ClusterState;
  readonly #looks: Int32Array;
  /** The ids by look: before filters that read pods, and of nodes whose pods are nothing to these filters. */
  readonly #before: Uint16Array;
  readonly #alone: Uint16Array;

  /** Holds until a node or a pod changes. */
  #slotsWithPorts: ReadonlySet<number> | null = null;

  constructor(judge: NodeJudge, cluster: ClusterState, looks: Combinations) {
    this.#judge = judge;
    this.#cluster = cluster;
    this.#looks = looks.bySlot();
    this.#before = new Uint16Array(looks.count);
    this.#alone = judge.readsPods ? new Uint16Array(looks.count) : this.#before;
  }

  idOf(slot: number): number {
    const node = this.#cluster.nodeAt(slot);
    if (node === undefined) return NO_NODE_ID;
    const known = this.#isAlone(slot) ? (this.#alone[this.#lookOf(slot)] ?? NO_NODE_ID) : NO_NODE_ID;
    return known === NO_NODE_ID ? this.#judged(node) : known;
  }

  #lookOf(slot: number): number {
    return this.#looks[slot] ?? 0;
  }

  #isAlone(slot: number): boolean {
    const { readsPods, readsNoMoreThanPorts } = this.#judge;
    if (!readsPods || !readsNoMoreThanPorts) return !readsPods;
    this.#slotsWithPorts ??= this.#judge.slotsWithPorts;
    return !this.#slotsWithPorts.has(slot);
  }

  #judged(node: NodeInfo): number {
    const look = this.#lookOf(node.slot);
    const before = this.#before[look] || this.#judge.idOfLook(node);
    this.#before[look] = before;
    if (!this.#judge.readsPods) return before;
    const id = this.#judge.idWithPods(node, before);
    if (this.#isAlone(node.slot)) this.#alone[look] = id;
    return id;
  }
}
