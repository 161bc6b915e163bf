import { KeptRejections } from '../../src/engine/columns/kept-rejections.ts';
import { NominatedNodes } from '../../src/engine/columns/nominated-nodes.ts';
import { CountedColumnSets } from '../../src/engine/index/counted-columns.ts';
import { type KernelPlugins, kernelPluginsOf } from '../../src/engine/index/kernel-plugins.ts';
import { NodeEnv } from '../../src/engine/index/node-env.ts';
import { type PodSignature, ResourceEntryBuilder, runPreScore } from '../../src/engine/index/pod-signature.ts';
import { ResourceKernels } from '../../src/engine/index/resource-kernels.ts';
import { TopologyIndex } from '../../src/engine/topology/topology-index.ts';
import { NodeAttributes } from '../../src/engine/verdicts/node-attributes.ts';
import type { VerdictsPod } from '../../src/engine/verdicts/node-judge.ts';
import { NodeLookSets } from '../../src/engine/verdicts/node-looks.ts';
import { NodeVerdicts } from '../../src/engine/verdicts/node-verdicts.ts';
import { PluginColumnSets } from '../../src/engine/verdicts/plugin-columns.ts';
import { ClusterState } from '../../src/framework/cluster/cluster-state.ts';
import { CycleState } from '../../src/framework/cycle-state.ts';
import type { NodeInfo } from '../../src/framework/node-info.ts';
import type { Plugin } from '../../src/framework/plugin.ts';
import { podRequirements } from '../../src/framework/pod-info.ts';
import { Framework } from '../../src/framework/runtime/framework.ts';
import type { Node, Pod } from '../../src/index.ts';
import type { Kernels } from '../../src/kernels/abi.ts';
import { instantiate, type KernelKind } from '../../src/kernels/load.ts';
import { newIdentity } from '../../src/lib/identity.ts';
import { NodeColumns } from '../../src/memory/node-columns.ts';
import { SharedMemory } from '../../src/memory/shared-memory.ts';
import { NodeResourcesBalancedAllocation } from '../../src/plugins/node-resources/balanced-allocation.ts';
import { NodeResourcesFit } from '../../src/plugins/node-resources/fit.ts';
import { amountOf } from '../../src/plugins/node-resources/resource-amounts.ts';
import { InlineRunner } from '../../src/pool/inline-runner.ts';
import { atEveryPoint } from './framework-plugins.ts';
import { makePodInfo } from './make-cluster.ts';

export interface EngineColumnsOptions {
  /** The plugins; by default resources are filtered, scored by what is allocated, and balanced. */
  readonly plugins?: readonly Plugin[];
  readonly weights?: ReadonlyMap<string, number>;
  readonly kind?: KernelKind;
}

/**
 * The columns of a cluster, and what the column engine builds them into, each part for itself: for tests of the files
 * that stand below the engine.
 */
export class EngineColumns {
  readonly memory = new SharedMemory();
  readonly kernels: Kernels;
  readonly columns = new NodeColumns(this.memory);
  readonly cluster = new ClusterState(podRequirements);
  readonly framework: Framework;
  readonly kernelPlugins: KernelPlugins;
  readonly resourceKernels: ResourceKernels;
  readonly env: NodeEnv;
  /** All environments that are notified of changes. */
  readonly envs: NodeEnv[] = [];
  readonly entries: ResourceEntryBuilder;
  readonly attributes = new NodeAttributes(this.columns.table, this.cluster);
  readonly looks = new NodeLookSets(this.columns.table, this.cluster, this.attributes);
  readonly rejections = new KeptRejections(this.columns.table);
  readonly nominatedNodes: NominatedNodes;
  readonly pluginColumns = new PluginColumnSets({ cluster: this.cluster, columns: this.columns });
  readonly topology: TopologyIndex;
  readonly runner: InlineRunner;
  /** The slots whose verdict has changed, in the order in which that was reported. */
  readonly changedSlots: number[] = [];
  /** How often a new verdict id was reported. */
  addedIds = 0;
  /** A callback for a new verdict id, which the index has in its place. */
  onIdAdded: (() => void) | null = null;
  /** A callback for a slot whose verdict id has changed, which the index has in its place. */
  onIdChanged: ((slot: number, before: number) => void) | null = null;

  constructor({ plugins, weights = new Map(), kind = 'simd' }: EngineColumnsOptions = {}) {
    const { memory, columns, cluster } = this;
    this.kernels = instantiate(kind, memory.memory);
    const all = plugins ?? [new NodeResourcesFit(), new NodeResourcesBalancedAllocation()];
    this.framework = new Framework(atEveryPoint(all, weights));
    this.kernelPlugins = kernelPluginsOf(this.framework);
    const { kernels, framework } = this;
    this.nominatedNodes = new NominatedNodes(framework, cluster);
    this.resourceKernels = new ResourceKernels({ kernels, memory, columns, framework }, this.kernelPlugins);
    this.env = new NodeEnv({ kernels: this.kernels, memory, columns }, this.kernelPlugins.allocation?.form);
    this.envs.push(this.env);
    const counted = new CountedColumnSets({ columns, cluster, touch: (slot) => this.#touch(slot) });
    this.entries = new ResourceEntryBuilder(memory, columns, counted);
    this.topology = new TopologyIndex({ memory, table: columns.table, cluster, attributes: this.attributes });
    this.runner = new InlineRunner({ memory, kernels: this.kernels });
    cluster.observe({
      reserve: (slotCount) => columns.table.reserve(slotCount),
      nodeChanged: (node) => this.#nodeChanged(node),
      nodeRemoved: (node) => {
        columns.clear(node.slot);
        this.looks.nodeRemoved(node);
        this.#touch(node.slot);
        this.topology.nodeRemoved(node);
      },
      podsAdded: (node, pods) => {
        this.#charge(node);
        this.topology.podsAdded(node, pods);
      },
      podRemoved: (node, pod) => {
        this.#charge(node);
        this.topology.podRemoved(node, pod);
      },
      clusterCopied: () => {},
    });
  }

  add(...nodes: readonly Node[]): this {
    for (const node of nodes) this.cluster.addNode(node);
    this.cluster.updateSnapshot();
    for (const env of this.envs) env.renew(this.cluster.slotCount);
    return this;
  }

  /** What the plugins at hand say of the pod, before any node is looked at. */
  preFiltered(pod: Pod): VerdictsPod {
    const info = makePodInfo(pod);
    const state = new CycleState();
    const preFilter = this.framework.runPreFilter(state, info, this.cluster, this.framework.topologyPlugins);
    for (const name of this.framework.topologyPlugins) state.skipFilter.add(name);
    const { scores } = runPreScore(this.framework, state, info, []);
    return { pod: info, state, preFilter, scores };
  }

  /** Node verdicts that are not synchronised yet. `like`: those on a pod that differs in images alone. */
  verdictsOf(pod: Pod, verdictsPod = this.preFiltered(pod), like: NodeVerdicts | null = null): NodeVerdicts {
    const modules = {
      cluster: this.cluster,
      table: this.columns.table,
      attributes: this.attributes,
      filters: this.framework.filterPlugins,
      onIdChanged: (slot: number, _verdicts: NodeVerdicts, before: number) => {
        this.changedSlots.push(slot);
        this.onIdChanged?.(slot, before);
        this.#touch(slot);
      },
      onIdAdded: () => {
        this.addedIds++;
        this.onIdAdded?.();
      },
      activeTrace: this.framework.activeTrace,
      pluginColumns: this.pluginColumns,
    };
    return new NodeVerdicts(modules, verdictsPod, like);
  }

  /** A signature whose verdicts are synchronised with the cluster. */
  signatureOf(pod: Pod): PodSignature {
    const verdictsPod = this.preFiltered(pod);
    const { pod: info, state, preFilter, scores } = verdictsPod;
    const { filter, allocation, balance } = this.kernelPlugins;
    const verdicts = this.verdictsOf(pod, verdictsPod);
    verdicts.sync();
    const filterResources = this.entries.filterResources(info, filter?.form);
    return {
      ...{ pod: info, verdicts, state, preFilter, attemptFilters: new Set(), preScore: { failure: null, scores } },
      filterResources,
      filterEntries: this.entries.filter(info, filterResources),
      fitScoreEntries: this.entries.fitScore(info, allocation?.form),
      balancedEntries: this.entries.balanced(info, balance?.form),
      isInexact: false,
      tableVersion: this.columns.table.version,
      totals: undefined,
      isReleased: false,
      ...{ id: newIdentity(), verdictsKey: '', lastRun: 0, holder: null },
    };
  }

  /** Brings a signature up to date with the cluster, as the engine does before it is used. */
  renew({ verdicts, filterEntries, fitScoreEntries, balancedEntries }: PodSignature): void {
    verdicts.sync();
    for (const entries of [filterEntries, fitScoreEntries, balancedEntries]) entries.write();
  }

  #nodeChanged(node: NodeInfo): void {
    const { columns } = this;
    for (const name of new Set([...columns.namesAt(node.slot), ...node.allocatable.scalar.keys()])) {
      const amount = name === 'pods' ? node.allowedPodCount : amountOf(node.allocatable, name);
      columns.setResource('allocatable', name, node.slot, amount);
    }
    const order = columns.fixed.order.values;
    if (order[node.slot] !== node.order) for (const env of this.envs) env.nodeCame(node.slot);
    order[node.slot] = node.order;
    this.#touch(node.slot);
    this.attributes.nodeChanged(node);
    this.looks.nodeChanged(node);
    this.topology.nodeChanged(node);
  }

  #charge({ slot, pods, requested, nonZeroRequested }: NodeInfo): void {
    const { columns } = this;
    for (const name of new Set([...columns.namesAt(slot), ...requested.scalar.keys()])) {
      const amount = name === 'pods' ? pods.length : amountOf(requested, name);
      columns.setResource('requested', name, slot, amount);
    }
    columns.setAmount(columns.fixed.nonZeroMilliCPU, slot, nonZeroRequested.milliCPU);
    columns.setAmount(columns.fixed.nonZeroMemoryBytes, slot, nonZeroRequested.memoryBytes);
    this.#touch(slot);
  }

  #touch(slot: number): void {
    for (const env of this.envs) env.touch(slot, this.cluster.slotCount);
  }
}
