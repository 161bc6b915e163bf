import type { ClusterState } from '../../framework/cluster/cluster-state.ts';
import type { ResourceFilterForm } from '../../framework/column-forms.ts';
import { CycleState } from '../../framework/cycle-state.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import type { Plugin } from '../../framework/plugin.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import type { Framework } from '../../framework/runtime/framework.ts';
import type { NodeColumns } from '../../memory/node-columns.ts';
import { definitionOf } from '../../plugins/registry.ts';
import type { OnlyNode } from '../cycle/engine.ts';
import { kernelPluginsOf } from '../index/kernel-plugins.ts';
import { clusterReaders } from './attempt-filters.ts';

/** More nodes are not asked one by one: a signature, which the next pods share, costs as much. */
const MOST_ASKED = 8;

/**
 * Finds the node of a pod that requests a resource which hardly any node has, such as the devices of one machine. All
 * other nodes lack it, so the plugins' own methods are asked about these few; if one node is left, nothing is scored.
 * Such a pod needs no signature, whose columns and totals are of all nodes.
 */
export class RareResourceNodes {
  readonly #framework: Framework;
  readonly #cluster: ClusterState;
  readonly #columns: NodeColumns;
  readonly #form: ResourceFilterForm | undefined;
  /** The plugins that are asked in every attempt of a pod that concerns them. */
  readonly #readers: readonly Plugin[];
  readonly hasOtherFilters: boolean;

  constructor(framework: Framework, cluster: ClusterState, columns: NodeColumns) {
    this.#framework = framework;
    this.#cluster = cluster;
    this.#columns = columns;
    this.#form = kernelPluginsOf(framework).filter?.form;
    this.#readers = clusterReaders(framework);
    const { preFilterPlugins, filterPlugins, isIncomplete } = framework;
    const isOther = ({ name }: Plugin): boolean => definitionOf(name) === undefined;
    this.hasOtherFilters = isIncomplete || preFilterPlugins.some(isOther) || filterPlugins.some(isOther);
  }

  /**
   * Returns the only node that fits the pod, for which pods on other nodes must not matter. Null if none or several fit
   * it, if many nodes have what it requests, or if more than the pod and single nodes must be read.
   */
  onlyNode(pod: PodInfo): OnlyNode | null {
    if (pod.requirements.requests.scalar.size === 0 || this.hasOtherFilters) return null;
    if (this.#cluster.hasNominations) return null;
    const [framework, cluster] = [this.#framework, this.#cluster];
    const slots = this.#fewestHolders(pod);
    if (slots === null || this.#readers.some((plugin) => plugin.concerns?.(pod.pod) ?? true)) return null;
    const state = new CycleState();
    const { rejected, nodeNames } = framework.runPreFilter(state, pod, cluster, framework.topologyPlugins);
    if (rejected !== null || nodeNames !== null) return null;
    for (const name of framework.topologyPlugins) state.skipFilter.add(name);
    const active = framework.activeFilters(state);
    let only: NodeInfo | null = null;
    for (const slot of slots.keys()) {
      const node = cluster.nodeAt(slot);
      if (node === undefined || framework.runFilter(active, state, pod, node) !== null) continue;
      if (only !== null) return null;
      only = node;
    }
    return only === null ? null : { node: only, state };
  }

  /** The slots outside which the filter of resources rejects the pod on every node; null if they are many. */
  #fewestHolders(pod: PodInfo): ReadonlyMap<number, unknown> | null {
    let fewest: ReadonlyMap<number, unknown> | null = null;
    for (const name of this.#form?.filteredResources(pod) ?? []) {
      const holders = this.#form?.isBackedByDevices?.(name) ? null : this.#columns.holders(name);
      if (holders !== null && holders.size <= (fewest?.size ?? MOST_ASKED)) fewest = holders;
    }
    return fewest;
  }
}
