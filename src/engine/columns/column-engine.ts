import type { Arrival, ClusterObserver } from '../../framework/cluster/cluster-observer.ts';
import type { ClusterState } from '../../framework/cluster/cluster-state.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import type { Plugin } from '../../framework/plugin.ts';
import { PodInfo } from '../../framework/pod-info.ts';
import type { Framework } from '../../framework/runtime/framework.ts';
import { type KernelHost, newKernelHost } from '../../kernels/kernel-host.ts';
import { assert } from '../../lib/assert.ts';
import { newIdentity } from '../../lib/identity.ts';
import { NodeColumns } from '../../memory/node-columns.ts';
import type { TaskRunner } from '../../pool/task-runner.ts';
import type { Cycle, Engine, IndexedEngine, PodTopology } from '../cycle/engine.ts';
import { CountedColumnSets } from '../index/counted-columns.ts';
import type { EngineModules } from '../index/engine-modules.ts';
import { formsVersion, type KernelPlugins, kernelPluginsOf, methodsQuestion } from '../index/kernel-plugins.ts';
import {
  type PodSignature,
  ResourceEntryBuilder,
  renewEntries,
  runPreFilter,
  runPreScore,
} from '../index/pod-signature.ts';
import { ResourceKernels } from '../index/resource-kernels.ts';
import { SignatureIndex } from '../index/signature-index.ts';
import type { SignatureTotals } from '../index/signature-totals.ts';
import type { TopologyBest } from '../index/topology-totals.ts';
import { TopologyTotalsSets } from '../index/topology-totals-sets.ts';
import { type VerdictsKeys, verdictsKeysOf, withOwnRequirements } from '../signature/pod-encoder.ts';
import { TopologyIndex } from '../topology/topology-index.ts';
import { BROKEN_PLAN, TopologyPlans } from '../topology/topology-plans.ts';
import type { TopologyRules } from '../topology/topology-rules.ts';
import { TopologyRun } from '../topology-run/topology-run.ts';
import { NodeAttributes } from '../verdicts/node-attributes.ts';
import type { VerdictsPod } from '../verdicts/node-judge.ts';
import { NodeLookSets } from '../verdicts/node-looks.ts';
import { NodeVerdicts } from '../verdicts/node-verdicts.ts';
import { PluginColumnSets } from '../verdicts/plugin-columns.ts';
import { canFilterLast, clusterReaders, namesMoreNodes } from './attempt-filters.ts';
import { AttemptMasks } from './attempt-masks.ts';
import { scoresInAttempt } from './attempt-scores.ts';
import { ColumnCycle } from './column-cycle.ts';
import {
  type ColumnEngineOptions,
  DEFAULT_LIMITS,
  type EngineLimits,
  type RunnerFactory,
} from './column-engine-options.ts';
import { FallbackEngine } from './fallback-engine.ts';
import { KeptRejections } from './kept-rejections.ts';
import { KeptSignatures } from './kept-signatures.ts';
import { NodeRows } from './node-rows.ts';
import { NominatedNodes } from './nominated-nodes.ts';
import { NominationMasks } from './nomination-masks.ts';
import { PlainRefusals } from './plain-refusals.ts';
import { evictBeyond, PodSignatureStore } from './pod-signatures.ts';
import { RareResourceNodes } from './rare-resource-nodes.ts';

const NO_NAMES: ReadonlySet<string> = new Set();

/**
 * Decides with WebAssembly kernels over columns. Node rows follow every change of the cluster at once; the columns of a
 * pod signature catch up when a pod of that signature is next scheduled.
 */
export class ColumnEngine implements Engine, IndexedEngine {
  readonly name: 'simd' | 'scalar';
  readonly runner: TaskRunner;
  readonly indexed: IndexedEngine = this;
  readonly #framework: Framework;
  readonly #cluster: ClusterState;
  readonly #fallback: FallbackEngine;
  readonly #host: KernelHost;
  readonly #columns: NodeColumns;
  readonly #rows: NodeRows;
  readonly #entries: ResourceEntryBuilder;
  readonly #kernelPlugins: KernelPlugins;
  readonly #clusterReaders: readonly Plugin[];
  readonly rareResourceNodes: RareResourceNodes;
  readonly needsMethods: (pod: PodInfo) => boolean;
  readonly #formsVersion: () => number;
  #knownForms = 0;
  readonly #attributes: NodeAttributes;
  readonly #looks: NodeLookSets;
  readonly attemptFilters: AttemptMasks;
  readonly #pluginColumns: PluginColumnSets;
  readonly #signatures: PodSignatureStore;
  readonly #topology: TopologyIndex;
  readonly #plans: TopologyPlans;
  /** Made when the first pod needs a cycle: its columns take 40 bytes a node. */
  #cycle: ColumnCycle | null = null;
  readonly #newCycle: () => ColumnCycle;
  readonly #kept: KeptSignatures;
  readonly refusals: PlainRefusals;
  readonly nominations: NominationMasks;
  readonly index: SignatureIndex;
  readonly #totalsSets: TopologyTotalsSets;
  readonly topologyRun: TopologyRun;
  readonly #isIndexOn: boolean;
  readonly #limits: EngineLimits;
  /** The bytes that were in use when the node columns last grew; the limit applies to what was added since. */
  #baseBytes = 0;

  /** `isIndexOn`: whether the kernels' results for a pod signature are kept from pod to pod. */
  constructor(
    kind: 'simd' | 'scalar',
    framework: Framework,
    cluster: ClusterState,
    isIndexOn: boolean,
    createRunner: RunnerFactory,
    options: ColumnEngineOptions = {},
  ) {
    this.name = kind;
    this.#isIndexOn = isIndexOn;
    this.#limits = options.limits ?? DEFAULT_LIMITS;
    this.#host = (options.newKernelHost ?? newKernelHost)(kind);
    const { memory, kernels } = this.#host;
    const columns = new NodeColumns(memory);
    const { table } = columns;
    this.#columns = columns;
    this.#rows = new NodeRows(columns);
    const counted = new CountedColumnSets({ columns, cluster, touch: this.#touch });
    this.#entries = new ResourceEntryBuilder(memory, columns, counted);
    this.#framework = framework;
    this.#kernelPlugins = kernelPluginsOf(framework);
    this.#clusterReaders = clusterReaders(framework);
    this.needsMethods = methodsQuestion(framework, this.#clusterReaders);
    this.#formsVersion = formsVersion(framework);
    this.rareResourceNodes = new RareResourceNodes(framework, cluster, columns);
    this.#cluster = cluster;
    this.#attributes = new NodeAttributes(table, cluster);
    this.#looks = new NodeLookSets(table, cluster, this.#attributes);
    const [attributes, looks, rejections] = [this.#attributes, this.#looks, new KeptRejections(table)];
    this.attemptFilters = new AttemptMasks({ framework, cluster, memory, table, attributes, looks, rejections });
    this.#fallback = new FallbackEngine(framework, cluster);
    this.#pluginColumns = new PluginColumnSets({ cluster, columns });
    this.#topology = new TopologyIndex({ memory, table, cluster, attributes: this.#attributes });
    this.#plans = new TopologyPlans({ index: this.#topology, framework, cluster });
    const nominatedNodes = new NominatedNodes(framework, cluster);
    this.nominations = new NominationMasks({ framework, cluster, memory, table, plans: this.#plans, nominatedNodes });
    this.runner = createRunner({ kind, kernels, memory, table });
    const modules: EngineModules = { kernels, memory, columns, framework, cluster, runner: this.runner };
    const resourceKernels = new ResourceKernels(modules, this.#kernelPlugins);
    this.#kept = new KeptSignatures({ table, changes: cluster.changes, resourceKernels });
    this.index = new SignatureIndex({ fit: this.#kernelPlugins.allocation?.form, ...modules }, isIndexOn);
    const { env } = this.index;
    const cycleModules = { resourceKernels, attributes, looks, rejections, nominatedNodes, env, ...modules };
    this.#newCycle = () => new ColumnCycle(cycleModules);
    this.#totalsSets = new TopologyTotalsSets({ index: this.index, table, cluster, topology: this.#topology });
    this.topologyRun = new TopologyRun({
      rulesOf: (pod, signature) => (this.#isInStep(signature) ? this.topologyOf(pod) : 'unknown'),
      totalsOf: (signature) => this.totalsOf(signature),
      ...{ kernels, memory, index: this.index, topology: this.#topology, sets: this.#totalsSets },
    });
    this.#signatures = new PodSignatureStore(columns, [this.index, this.#totalsSets, this.#kept]);
    this.refusals = new PlainRefusals({
      ...{ dropStale: () => this.dropStale(), index: this.index, plans: this.#plans, signatures: this.#signatures },
      ...{ kept: this.#kept, nominations: this.nominations, needsMethods: this.needsMethods, ...cycleModules },
    });
    cluster.observe(this);
  }

  get sharedMemoryBytes(): number {
    return this.#host.memory.allocatedBytes;
  }

  release(): void {
    this.runner.close();
    if (this.runner.workers === 1) this.#host.release?.();
  }

  get isQuiet(): boolean {
    return this.#plans.areQuiet;
  }

  get countsAssigned(): boolean {
    return !this.#topology.isIdle;
  }

  signatureOf(pod: PodInfo): PodSignature {
    let signature = this.#signatures.get(pod.requirements);
    if (signature === undefined) {
      this.#framework.activeTrace.rare(pod.pod);
      signature = this.#newSignature(pod);
      this.#signatures.add(pod.requirements, signature);
    }
    signature.lastRun = this.index.run;
    return signature;
  }

  topologyOf(pod: PodInfo): PodTopology {
    const plan = this.#plans.planOf(pod);
    if (plan === null) return 'none';
    if (plan === BROKEN_PLAN) return 'unknown';
    const rules = plan.rules(this.#host.kernels);
    return rules.rules.length + rules.spread.length + rules.affinity.length === 0 ? 'none' : rules;
  }

  bestByTopology(signature: PodSignature, rules: TopologyRules): TopologyBest | null {
    signature.lastRun = this.index.run;
    return this.#isInStep(signature) ? this.#totalsSets.best(signature, rules) : null;
  }

  totalsOf(signature: PodSignature): SignatureTotals | null {
    return this.#isInStep(signature) ? this.index.totalsOf(signature) : null;
  }

  uncharge(node: NodeInfo, pod: PodInfo): void {
    this.#podsChanged(node, [pod]);
  }

  /** Brings the signature's columns up to date; returns false if a plugin failed, which a cycle must report. */
  #isInStep(signature: PodSignature): boolean {
    if (signature.totals === null || signature.preFilter.rejected !== null) return false;
    renewEntries(signature, this.#columns.table.version);
    signature.verdicts.sync();
    return !signature.verdicts.hasFailed;
  }

  readonly #touch = (slot: number): void => {
    this.index.env.touch(slot, this.#cluster.slotCount);
  };

  /**
   * Nothing that is kept for pod signatures is needed for good. When there is too much of it, what was used longest ago
   * is given up: at most a little in one call, and more than one decision adds.
   */
  makeRoom(): void {
    this.dropStale();
    this.#topology.dropUnusedTerms();
    this.#signatures.evictRare();
    evictBeyond(() => this.#mostKept, this.#signatures, this.#plans);
  }

  get hasRoom(): boolean {
    return this.#signatures.size < this.#mostKept && !this.#signatures.hasManyRare;
  }

  /** The most signatures that may stay, and the most plans: none where memory is short. */
  get #mostKept(): number {
    const isHeavy = this.#host.memory.allocatedBytes - this.#baseBytes > this.#limits.bytes;
    return isHeavy ? 0 : this.#limits.objects / 2;
  }

  dropStale(): void {
    const version = this.#formsVersion();
    if (version === this.#knownForms) return;
    this.#knownForms = version;
    this.#signatures.dropAll(({ pod }) => pod.requirements.requests.scalar.size > 0);
  }

  begin(given: PodInfo, byMethods = false): Cycle {
    this.makeRoom();
    this.index.nextRun();
    const pod = withOwnRequirements(given);
    if (byMethods) return this.#fallback.begin(pod, 'a plugin failed');
    if (this.needsMethods(pod)) return this.#fallback.begin(pod, 'a score by devices');
    const kept = this.signatureOf(pod);
    const signature = this.#renewed(kept, pod);
    const { activeTrace } = this.#framework;
    activeTrace.trace?.start('topology');
    const plan = this.#plans.planOf(pod);
    activeTrace.trace?.end();
    if (this.#columns.isInexact || kept.isInexact) return this.#fallback.begin(pod, 'amounts beyond 2^53');
    if (plan === BROKEN_PLAN) return this.#fallback.begin(pod, 'a selector that cannot be read');
    if (namesMoreNodes(signature, kept)) return this.#fallback.begin(pod, 'a plugin names nodes in an attempt');
    if (scoresInAttempt(this.#framework, signature.attemptFilters, signature.state)) {
      return this.#fallback.begin(pod, 'a plugin scores by what it found in the attempt');
    }
    const { rejected } = signature.preFilter;
    // The filters of a plugin whose PreFilter did not run must not be called; no node is filtered then.
    if (rejected === null) kept.verdicts.sync();
    if (kept.verdicts.hasFailed) return this.#fallback.begin(pod, 'a plugin failed');
    if (!this.index.isUsable) this.#fallback.indexIsUnusable();
    const isCounted = renewEntries(kept, this.#columns.table.version);
    this.#cycle ??= this.#newCycle();
    // Kept rows follow nodes and pods alone.
    const isKept = !isCounted && this.#isIndexOn;
    const rows = isKept && kept.preScore !== null && rejected === null ? this.#kept.rowsOf(kept) : null;
    this.#cycle.begin(signature, pod, plan, rows);
    return this.#cycle;
  }

  reserve(slotCount: number): void {
    const { table } = this.#columns;
    if (slotCount > Math.min(table.capacity, this.index.env.rows)) this.index.clear();
    if (slotCount > table.capacity) {
      table.reserve(slotCount);
      this.#baseBytes = this.#host.memory.allocatedBytes;
    }
    this.runner.prepare(slotCount, this.#isIndexOn);
  }

  nodeChanged(node: NodeInfo): void {
    this.#rows.nodeChanged(node);
    const order = this.#columns.fixed.order.values;
    if (order[node.slot] !== node.order) this.index.env.nodeCame(node.slot);
    order[node.slot] = node.order;
    this.#touch(node.slot);
    this.#attributes.nodeChanged(node);
    this.#looks.nodeChanged(node);
    this.#topology.nodeChanged(node);
  }

  nodeRemoved(node: NodeInfo): void {
    this.#columns.clear(node.slot);
    this.#attributes.nodeRemoved(node);
    this.#looks.nodeRemoved(node);
    this.#touch(node.slot);
    this.#topology.nodeRemoved(node);
  }

  podAssigned(slot: number, pod: PodInfo): boolean {
    return this.#topology.podAssigned(slot, pod);
  }

  podsAdded(node: NodeInfo, pods: readonly PodInfo[], { chargedBy, mayHaveTerms, isCounted }: Arrival): void {
    if (chargedBy !== this) this.#podsChanged(node, pods);
    else if (isCounted) return;
    if (this.#topology.isIdle && !mayHaveTerms) return;
    this.#topology.podsAdded(node, pods);
  }

  podRemoved(node: NodeInfo, pod: PodInfo): void {
    this.#podsChanged(node, [pod]);
    this.#topology.podRemoved(node, pod);
  }

  clusterCopied(origin: ClusterObserver): void {
    assert(origin instanceof ColumnEngine, 'the other cluster has the same engines');
    this.#rows.copyFrom(origin.#columns, this.#cluster);
    this.index.env.copyFrom(origin.index.env);
    this.#attributes.copyFrom(origin.#attributes);
    this.#topology.copyFrom(origin.#topology);
  }

  #podsChanged(node: NodeInfo, pods: readonly PodInfo[]): void {
    this.#rows.podsChanged(node, pods);
    this.#touch(node.slot);
  }

  #newSignature(first: PodInfo): PodSignature {
    // The PodInfo is copied, because placing the original mutates it.
    const pod = new PodInfo(first.pod, first.requirements, first.nodeName, first.nominatedNodeName);
    const concerned = this.#clusterReaders.filter((plugin) => plugin.concerns?.(pod.pod) ?? true);
    const readers = concerned.length === 0 ? NO_NAMES : new Set(concerned.map(({ name }) => name));
    const ownPreFilter = runPreFilter(this.#framework, this.#cluster, pod, readers);
    const isVolatile = !canFilterLast(this.#framework, readers, ownPreFilter.state);
    const { state, preFilter } = isVolatile ? runPreFilter(this.#framework, this.#cluster, pod) : ownPreFilter;
    const preScore = isVolatile ? null : runPreScore(this.#framework, state, pod, []);
    const keys = verdictsKeysOf(pod, isVolatile);
    const { filter, allocation, balance } = this.#kernelPlugins;
    const filterResources = this.#entries.filterResources(pod, filter?.form);
    const filterEntries = this.#entries.filter(pod, filterResources, filter?.form);
    const fitScoreEntries = this.#entries.fitScore(pod, allocation?.form);
    const balancedEntries = this.#entries.balanced(pod, balance?.form);
    return {
      id: newIdentity(),
      pod,
      verdicts: this.#verdictsOf(keys, { pod, state, preFilter, scores: preScore?.scores ?? [] }),
      verdictsKey: keys.verdictsKey,
      state,
      preFilter,
      attemptFilters: isVolatile ? NO_NAMES : readers,
      preScore,
      filterResources,
      filterEntries,
      fitScoreEntries,
      balancedEntries,
      isInexact: filterEntries.isInexact || fitScoreEntries.isInexact || balancedEntries.isInexact,
      tableVersion: this.#columns.table.version,
      totals: undefined,
      isReleased: false,
      lastRun: this.index.run,
      holder: null,
    };
  }

  /** Returns the signature as this attempt sees it: with a new state if plugins read the cluster for such pods. */
  #renewed(signature: PodSignature, pod: PodInfo): PodSignature {
    const isVolatile = signature.preScore === null;
    if (!isVolatile && signature.attemptFilters.size === 0) return signature;
    const { state, preFilter } = runPreFilter(this.#framework, this.#cluster, pod);
    if (isVolatile) signature.verdicts.renew({ pod, state, preFilter, scores: [] });
    return { ...signature, pod, state, preFilter };
  }

  #verdictsOf(keys: VerdictsKeys, verdictsPod: VerdictsPod): NodeVerdicts {
    const modules = {
      cluster: this.#cluster,
      table: this.#columns.table,
      attributes: this.#attributes,
      filters: this.#framework.filterPlugins,
      onIdChanged: this.index.idChanged,
      onIdAdded: this.index.idAdded,
      activeTrace: this.#framework.activeTrace,
      pluginColumns: this.#pluginColumns,
    };
    return this.#signatures.verdictsOf(keys, (like) => new NodeVerdicts(modules, verdictsPod, like));
  }
}
