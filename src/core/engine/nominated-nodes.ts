import { add } from '../../lib/int64.ts';
import type { ClusterState } from '../cache/cluster-state.ts';
import { type Framework, nominatedAhead } from '../framework/framework.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import type { FilterPlugin } from '../framework/plugin.ts';
import type { PodInfo } from '../framework/pod-info.ts';
import type { Status } from '../framework/status.ts';
import { NodeResourcesFit } from '../plugins/node-resources/fit.ts';
import { amountOf } from '../plugins/node-resources/resource-amounts.ts';
import type { PodClass } from './pod-class.ts';

export interface OwnNomination {
  readonly node: NodeInfo;
  /** null: feasible. */
  readonly status: Status | null;
}

/**
 * What the columns do not know: nodes where room is kept for other pods, and the node that is kept for this one.
 * `judge` gives the class of the pod with a PreFilter state of all plugins.
 */
export class NominatedNodes {
  readonly #framework: Framework;
  readonly #cluster: ClusterState;
  readonly #fit: NodeResourcesFit | undefined;

  constructor(framework: Framework, cluster: ClusterState) {
    this.#framework = framework;
    this.#cluster = cluster;
    this.#fit = framework.filterPlugins.find((plugin) => plugin instanceof NodeResourcesFit);
  }

  /** The verdict on the pod's own nominated node; null when it has none that is known. */
  own(judge: () => PodClass, pod: PodInfo): OwnNomination | null {
    if (pod.nominatedNodeName === '') return null;
    const node = this.#cluster.node(pod.nominatedNodeName);
    if (node === undefined) return null;
    const { state } = judge();
    const active = this.#framework.activeFilters(state);
    return { node, status: this.#framework.runFilterWithNominatedPods(active, state, pod, node, this.#cluster) };
  }

  /** The verdict on every node where pods of equal or higher priority are expected; null accepts. */
  verdicts(judge: () => PodClass, pod: PodInfo): Map<NodeInfo, Status | null> {
    const verdicts = new Map<NodeInfo, Status | null>();
    let active: FilterPlugin[] | null = null;
    let hasOnlyFit = false;
    for (const name of this.#cluster.nominatedNodeNames()) {
      const node = this.#cluster.node(name);
      const ahead = node === undefined ? [] : nominatedAhead(this.#cluster, name, pod);
      if (node === undefined || ahead.length === 0) continue;
      const podClass = judge();
      const { state, gate } = podClass;
      if (active === null) {
        active = this.#framework.activeFilters(state);
        hasOnlyFit = active.every((plugin) => plugin === this.#fit || plugin.filterReads === 'node');
      }
      // PreFilter left this node out: no filter sees it.
      const verdict = gate.verdict(node.slot);
      if (verdict?.position === -1) continue;
      const status = hasOnlyFit
        ? this.#bySums(active, podClass, pod, node, ahead)
        : this.#framework.runFilterWithNominatedPods(active, state, pod, node, this.#cluster);
      verdicts.set(node, status);
    }
    return verdicts;
  }

  /** Without a copy of the node. What fits beside the nominated pods fits without them, too: one pass is enough. */
  #bySums(
    active: readonly FilterPlugin[],
    { state }: PodClass,
    pod: PodInfo,
    node: NodeInfo,
    ahead: readonly PodInfo[],
  ): Status | null {
    for (const plugin of active) {
      const status =
        plugin === this.#fit && this.#fit !== undefined
          ? this.#fit.verdict(this.#fit.requested(state), node, node.pods.length + ahead.length, (name) =>
              ahead.reduce(
                (used, { requirements }) => add(used, amountOf(requirements.requests, name)),
                amountOf(node.requested, name),
              ),
            )
          : plugin.filter(state, pod, node);
      if (status !== null) return status;
    }
    return null;
  }
}
