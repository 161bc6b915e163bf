import type { ClusterState } from '../../framework/cluster/cluster-state.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import type { NodeColumns } from '../../memory/node-columns.ts';
import { amountOf } from '../../plugins/node-resources/resource-amounts.ts';

const EPHEMERAL_STORAGE = 'ephemeral-storage';

/** Writes what nodes offer, and what their pods request, into the rows of the columns. */
export class NodeRows {
  readonly #columns: NodeColumns;

  constructor(columns: NodeColumns) {
    this.#columns = columns;
  }

  nodeChanged({ slot, allocatable, allowedPodCount }: NodeInfo): void {
    const columns = this.#columns;
    if (allocatable.ephemeralStorageBytes !== 0) columns.common(EPHEMERAL_STORAGE);
    for (const name of columns.namesAt(slot)) {
      const amount = name === 'pods' ? allowedPodCount : amountOf(allocatable, name);
      columns.setResource('allocatable', name, slot, amount);
    }
    for (const [name, amount] of allocatable.scalar) columns.setResource('allocatable', name, slot, amount);
  }

  /** `pods`: those that have come or gone. */
  podsChanged(node: NodeInfo, pods: readonly PodInfo[]): void {
    const { requested, nonZeroRequested, slot } = node;
    const columns = this.#columns;
    columns.setAmount(columns.common('pods').requested, slot, node.pods.length);
    columns.setAmount(columns.common('cpu').requested, slot, requested.milliCPU);
    columns.setAmount(columns.common('memory').requested, slot, requested.memoryBytes);
    if (requested.ephemeralStorageBytes !== 0 || columns.isCommon(EPHEMERAL_STORAGE)) {
      columns.setAmount(columns.common(EPHEMERAL_STORAGE).requested, slot, requested.ephemeralStorageBytes);
    }
    for (const pod of pods) {
      const { scalar } = pod.requirements.requests;
      if (scalar.size === 0) continue;
      for (const name of scalar.keys()) columns.setResource('requested', name, slot, amountOf(requested, name));
    }
    columns.setAmount(columns.fixed.nonZeroMilliCPU, slot, nonZeroRequested.milliCPU);
    columns.setAmount(columns.fixed.nonZeroMemoryBytes, slot, nonZeroRequested.memoryBytes);
  }

  /** Takes over the rows of a cluster of which this one is a copy. */
  copyFrom(origin: NodeColumns, cluster: ClusterState): void {
    const columns = this.#columns;
    columns.copyFrom(origin, cluster.slotCount);
    for (const [slot, names] of origin.rareNames) {
      const node = cluster.nodeAt(slot);
      if (node === undefined) continue;
      for (const name of names) {
        columns.setResource('allocatable', name, slot, amountOf(node.allocatable, name));
        columns.setResource('requested', name, slot, amountOf(node.requested, name));
      }
    }
  }
}
