import type { NodeInfo } from '../../framework/node-info.ts';
import type { NodeTally } from '../../framework/node-tally.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { filterRejection, nominatedAhead } from '../../framework/runtime/framework.ts';
import type { Status } from '../../framework/status.ts';
import type { NodeTrial, TrialModules } from './node-trial.ts';

/**
 * The same answers as `ObjectTrial` from tallies alone, without copying anything: for pods about which every filter can
 * tally (`canTally`). The pass without nominated pods needs no look: fewer pods never make a tally reject.
 */
export class TallyTrial implements NodeTrial {
  readonly #modules: TrialModules;
  readonly #node: NodeInfo;
  /** Side by side with the filters; null for one whose answer does not depend on the pods of the node. */
  readonly #byFilter: readonly (NodeTally | null)[];
  /** Those that there are, mostly one. */
  readonly #tallies: readonly NodeTally[];
  /** The filters without a tally have accepted the node, and would do so again. */
  #isNodeAccepted = false;

  constructor(modules: TrialModules, node: NodeInfo) {
    const { nominator, filters, state, pod } = modules;
    const ahead = nominatedAhead(nominator.nominatedPodsForNode(node.name), pod);
    this.#modules = modules;
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
    const { filters, state, pod } = this.#modules;
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
