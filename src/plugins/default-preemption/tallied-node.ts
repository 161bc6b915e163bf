import type { NodeInfo } from '../../framework/node-info.ts';
import type { NodeTally } from '../../framework/node-tally.ts';
import type { PodNominator } from '../../framework/plugin.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import type { TallyContext, TopologyTally } from '../../framework/post-filter.ts';
import { filterRejection, nominatedAhead } from '../../framework/runtime/framework.ts';
import type { Status } from '../../framework/status.ts';
import type { DryRunNode } from './dry-run-node.ts';

/** What a dry run of one pod on tallies reads. */
export interface TallyNodeContext extends TallyContext {
  readonly nominator: PodNominator;
  /** The pod to schedule. */
  readonly pod: PodInfo;
}

/** A dry run on tallies, without any copy. Its answers are those of `ClonedNode`. */
export class TalliedNode implements DryRunNode {
  readonly #context: TallyNodeContext;
  readonly #node: NodeInfo;
  /** The tally of each filter, in their order; null for a filter whose answer does not depend on the node's pods. */
  readonly #byFilter: readonly (NodeTally | null)[];
  /** The tallies of topology filters, which come after the others. */
  readonly #topology: readonly TopologyTally[];
  /** All tallies, mostly one. */
  readonly #tallies: readonly NodeTally[];
  /** Whether the filters without a tally have accepted the node: their answer stays the same. */
  #isNodeAccepted = false;

  constructor(context: TallyNodeContext, node: NodeInfo) {
    const { nominator, filters, state, pod, topology } = context;
    const ahead = nominatedAhead(nominator.nominatedPodsForNode(node.name), pod);
    this.#context = context;
    this.#node = node;
    this.#byFilter = filters.map((plugin) => plugin.tally?.(state, pod, node, ahead) ?? null);
    this.#topology = topology === null ? NO_TALLIES : topology.of(node, ahead);
    this.#tallies = [...this.#byFilter.filter((tally) => tally !== null), ...this.#topology];
  }

  /** Whether topology filters may have given other answers than for the node as it is. */
  get isMoved(): boolean {
    return this.#topology.some(({ isMoved }) => isMoved);
  }

  remove(victim: PodInfo): null {
    for (const tally of this.#tallies) tally.remove(victim);
    return null;
  }

  addBack(spared: PodInfo): null {
    for (const tally of this.#tallies) tally.add(spared);
    return null;
  }

  fits(): boolean {
    if (!this.#isNodeAccepted) return this.rejection() === null;
    for (const tally of this.#tallies) if (!tally.fits()) return false;
    return true;
  }

  rejection(): Status | null {
    const { filters, state, pod } = this.#context;
    let position = 0;
    for (const plugin of filters) {
      const tally = this.#byFilter[position++] ?? null;
      const status = tally === null ? plugin.filter(state, pod, this.#node) : tally.rejection();
      if (status !== null) return filterRejection(status);
    }
    for (const tally of this.#topology) {
      const status = tally.rejection();
      if (status !== null) return filterRejection(status);
    }
    this.#isNodeAccepted = true;
    // Without the expected pods all filters are asked once more.
    for (const tally of this.#tallies) {
      const status = tally.rejectionAlone?.() ?? null;
      if (status !== null) return filterRejection(status);
    }
    return null;
  }
}

const NO_TALLIES: readonly TopologyTally[] = [];
