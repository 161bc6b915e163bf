/** A cluster whose pods a TopologyIndex counts, and random changes of it. */
import fc from 'fast-check';
import type { Labels } from '../../../src/api/meta.ts';
import type { Node } from '../../../src/api/node.ts';
import type { PodSpec } from '../../../src/api/pod.ts';
import { TopologyIndex } from '../../../src/engine/topology/topology-index.ts';
import { TopologyScratch } from '../../../src/engine/topology/topology-scratch.ts';
import { NodeAttributes } from '../../../src/engine/verdicts/node-attributes.ts';
import { ClusterState } from '../../../src/framework/cluster/cluster-state.ts';
import type { NodeInfo } from '../../../src/framework/node-info.ts';
import { podRequirements } from '../../../src/framework/pod-info.ts';
import { instantiate, type KernelKind } from '../../../src/kernels/load.ts';
import { type Column, ColumnTable } from '../../../src/memory/column-table.ts';
import { SharedMemory } from '../../../src/memory/shared-memory.ts';
import { arbitraryNode, named, namespaceOf, PLAIN_AMOUNTS, podOf } from '../../builders/arbitrary-cluster.ts';
import { arbitraryPodAffinity, arbitraryPodLabels } from '../../builders/arbitrary-topology.ts';

export class WatchedCluster {
  readonly cluster = new ClusterState(podRequirements);
  readonly index: TopologyIndex;
  readonly scratch: TopologyScratch;
  readonly feasible: Column<'i32'>;
  readonly kernels;
  readonly #memory = new SharedMemory();

  constructor(kind: KernelKind) {
    const table = new ColumnTable(this.#memory);
    const { cluster } = this;
    this.kernels = instantiate(kind, this.#memory.memory);
    const attributes = new NodeAttributes(table, cluster);
    this.index = new TopologyIndex({ memory: this.#memory, table, cluster, attributes });
    this.scratch = new TopologyScratch(this.#memory, table);
    this.feasible = table.add('i32');
    cluster.observe({
      reserve: (slotCount) => table.reserve(slotCount),
      nodeChanged: (node) => {
        attributes.nodeChanged(node);
        this.index.nodeChanged(node);
      },
      nodeRemoved: (node) => this.index.nodeRemoved(node),
      podsAdded: (node, pods) => this.index.podsAdded(node, pods),
      podRemoved: (node, pod) => this.index.podRemoved(node, pod),
      clusterCopied: () => {},
    });
  }

  /** Every node there is, marked feasible. */
  markAll(): readonly NodeInfo[] {
    this.feasible.values.fill(0);
    const nodes = [...this.cluster.knownNodes()];
    for (const { slot } of nodes) this.feasible.values[slot] = -1;
    return nodes;
  }

  isFeasible({ slot }: NodeInfo): boolean {
    return this.feasible.values[slot] !== 0;
  }
}

const NAMES = ['n0', 'n1', 'n2', 'n3', 'n4', 'n5'];

export interface PodSketch {
  readonly name: string;
  readonly labels: Labels | undefined;
  readonly terminating: boolean;
  readonly spec: PodSpec;
}

type Change =
  | { readonly do: 'node'; readonly name: string; readonly node: Node }
  | { readonly do: 'removeNode'; readonly name: string }
  | { readonly do: 'pod'; readonly pod: PodSketch; readonly nodeName: string }
  | { readonly do: 'removePod'; readonly name: string };

const podName = fc.nat(11).map((i) => `p${i}`);
const nodeName = fc.constantFrom(...NAMES);

const affinity = fc.record({
  podAffinity: fc.option(arbitraryPodAffinity, { nil: undefined, freq: 3 }),
  podAntiAffinity: fc.option(arbitraryPodAffinity, { nil: undefined, freq: 3 }),
});

export const podSketch: fc.Arbitrary<PodSketch> = fc.record({
  name: podName,
  labels: arbitraryPodLabels,
  terminating: fc.constantFrom(false, false, false, true),
  spec: fc.record({ affinity: fc.option(affinity, { nil: undefined, freq: 2 }) }),
});

export const changes: fc.Arbitrary<Change[]> = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ do: fc.constant('node'), name: nodeName, node: arbitraryNode(PLAIN_AMOUNTS) }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('removeNode'), name: nodeName }) },
    { weight: 6, arbitrary: fc.record({ do: fc.constant('pod'), pod: podSketch, nodeName }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('removePod'), name: podName }) },
  ) as fc.Arbitrary<Change>,
  { maxLength: 30, size: 'max' },
);

/** What cannot be done (a node that is not there is to go) is left out. */
export function apply(cluster: ClusterState, change: Change): void {
  switch (change.do) {
    case 'node': {
      const node = named(change.node, change.name);
      if (cluster.node(change.name) === undefined) cluster.addNode(node);
      else cluster.updateNode(node);
      return;
    }
    case 'removeNode':
      if (cluster.node(change.name) !== undefined) cluster.removeNode(change.name);
      return;
    case 'pod': {
      const { name, spec, ...countedPodsByKey } = change.pod;
      cluster.pods.update(podOf(name, { ...spec, nodeName: change.nodeName }, countedPodsByKey));
      return;
    }
    case 'removePod':
      if (cluster.pods.get(namespaceOf(change.name), change.name) !== undefined) {
        cluster.pods.remove(namespaceOf(change.name), change.name);
      }
  }
}
