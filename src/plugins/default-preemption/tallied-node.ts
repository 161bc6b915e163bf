import type { NodeInfo } from '../../framework/node-info.ts';
import type { NodeTally } from '../../framework/node-tally.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { filterRejection, nominatedAhead } from '../../framework/runtime/framework.ts';
import type { Status } from '../../framework/status.ts';
import type { DryRunContext, DryRunNode } from './dry-run-node.ts';

/**
 * A dry run on tallies, without any copy, for pods about which every filter can tally (`canTally`). Its answers are
 * those of `ClonedNode`. The run of the filters without nominated pods is left out: a tally never rejects a node for
 * having fewer pods.
 */
export class TalliedNode implements DryRunNode {
  readonly #context: DryRunContext;
  readonly #node: NodeInfo;
  /** The tally of each filter, in their order; null for a filter whose answer does not depend on the node's pods. */
  readonly #byFilter: readonly (NodeTally | null)[];
  /** The tallies of `#byFilter`, mostly one. */
  readonly #tallies: readonly NodeTally[];
  /** Whether the filters without a tally have accepted the node: their answer stays the same. */
  #isNodeAccepted = false;

  constructor(context: DryRunContext, node: NodeInfo) {
    const { nominator, filters, state, pod } = context;
    const ahead = nominatedAhead(nominator.nominatedPodsForNode(node.name), pod);
    this.#context = context;
    this.#node = node;
    this.#byFilter = filters.map((plugin) => plugin.tally?.(state, pod, node, ahead) ?? null);
    this.#tallies = this.#byFilter.filter((tally) => tally !== null);
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
    this.#isNodeAccepted = true;
    return null;
  }
}
