import type { Labels } from '../../api/meta.ts';
import type { Node } from '../../api/node.ts';
import type { Affinity } from '../../api/pod.ts';
import { HOSTNAME_LABEL, topologyValue } from '../../api/topology-spread.ts';
import type { ClusterState } from '../../framework/cluster/cluster-state.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import type { Column, ColumnTable } from '../../memory/column-table.ts';
import { DomainCounter, PodCounter } from '../../memory/domain-counter.ts';
import type { SharedMemory } from '../../memory/shared-memory.ts';
import { NO_DOMAIN, TopologyDomains } from '../../memory/topology-domains.ts';
import { countedPodsKey, PartNumbers } from './counted-pods-key.ts';
import { KnownPods } from './known-pods.ts';
import { OwnedTerms } from './owned-terms.ts';

/** A condition for nodes that take part in a count; conditions with equal keys are equal. */
export interface NodeCondition {
  readonly key: string;
  includes(node: Node): boolean;
}

const EVERY_NODE: NodeCondition = { key: '', includes: () => true };

/** What is known of pods that are equal to spread constraints and affinity terms. */
export interface KnownPod {
  countedPods: CountedPods | null;
}

interface KeyEntry {
  readonly domains: TopologyDomains;
  readonly counters: { readonly counter: DomainCounter; readonly condition: NodeCondition }[];
}

interface CounterEntry {
  readonly counter: PodCounter;
  /** Returns the number of times that a pod counts: 0 or 1, or the number of equal terms that it has. */
  readonly multiplicity: (pod: PodInfo) => number;
  readonly byDomain: Map<string, DomainCounter>;
}

/** Pods that all counters count alike, and the counters that count them. */
interface CountedPods {
  readonly pod: PodInfo;
  readonly key: string;
  /** Whether no such pod is left, so that a later one must be looked up again. */
  isGone: boolean;
  /** Whether the terms of the pods are registered. */
  hasRegistered: boolean;
  /** The number of these pods on each slot; slots without any are absent. */
  readonly perSlot: Map<number, number>;
  readonly counters: { readonly counter: PodCounter; readonly multiplicity: number }[];
}

export interface TopologyIndexModules {
  readonly memory: SharedMemory;
  readonly table: ColumnTable;
  readonly cluster: ClusterState;
}

/**
 * Counters for topology spread and inter-pod affinity. A counter is made when a pod signature first needs it, and every
 * placement, deletion and node change updates it.
 *
 *   pod ─▶ countedPods (namespace, labels, terms) ─▶ pod counters (pods per node) ─▶ domain counters (pods per domain)
 */
export class TopologyIndex {
  /** The affinity terms of the pods on nodes. */
  readonly ownedTerms: OwnedTerms;
  readonly parts = new PartNumbers();
  readonly #knownPods = new KnownPods<KnownPod>();
  /** A number that changes when a node is added, updated or removed. */
  nodesVersion = 0;
  readonly #modules: TopologyIndexModules;
  readonly #keys = new Map<string, KeyEntry>();
  readonly #counters = new Map<string, CounterEntry>();
  readonly #countedPodsByKey = new Map<string, CountedPods>();
  #byLabels = new WeakMap<Labels, { affinity: Affinity | undefined; namespace: string; countedPods: CountedPods }>();
  #hostSlots: Column<'i32'> | null = null;

  constructor(modules: TopologyIndexModules) {
    this.#modules = modules;
    this.ownedTerms = new OwnedTerms((key, multiplicity, topologyKey) =>
      this.domainCounter(key, multiplicity, topologyKey),
    );
  }

  /** The number of counters of pods. */
  get size(): number {
    return this.#counters.size;
  }

  /** Drops all counters, and makes those that the terms of pods on nodes still need. */
  restart(): void {
    const { table, cluster } = this.#modules;
    for (const { counter } of this.#counters.values()) counter.release(table);
    for (const { counters } of this.#keys.values()) counters.length = 0;
    this.#counters.clear();
    this.#countedPodsByKey.clear();
    this.#byLabels = new WeakMap();
    this.parts.clear();
    this.#knownPods.clear();
    this.ownedTerms.restart([...cluster.knownNodes()].flatMap(({ pods }) => pods));
  }

  get nodeCount(): number {
    return this.#modules.cluster.nodeCount;
  }

  /** Whether nothing counts pods without terms. */
  get isIdle(): boolean {
    return this.#counters.size === 0;
  }

  podAdded(node: NodeInfo, pod: PodInfo): void {
    if (this.#counters.size > 0) {
      const countedPods = this.#countedPodsOf(pod);
      addPods(countedPods, node.slot, 1);
      for (const { counter, multiplicity } of countedPods.counters) counter.add(node.slot, multiplicity);
      if (countedPods.hasRegistered) return;
      countedPods.hasRegistered = true;
    }
    // The pod is on its node already, so that a counter that is made now counts it, too.
    this.ownedTerms.add(pod);
  }

  podRemoved(node: NodeInfo, pod: PodInfo): void {
    if (this.#counters.size === 0) return;
    const countedPods = this.#countedPodsOf(pod);
    for (const { counter, multiplicity } of countedPods.counters) counter.add(node.slot, -multiplicity);
    addPods(countedPods, node.slot, -1);
    if (countedPods.perSlot.size > 0) return;
    countedPods.isGone = true;
    this.#countedPodsByKey.delete(countedPods.key);
  }

  nodeChanged({ slot, node }: NodeInfo): void {
    this.nodesVersion++;
    for (const [key, { domains, counters }] of this.#keys) {
      for (const { counter } of counters) counter.leave(slot);
      domains.clear(slot);
      domains.assign(slot, topologyValue(node, key));
      for (const { counter, condition } of counters) if (condition.includes(node)) counter.join(slot);
    }
    this.#setHostSlot(slot, node);
  }

  /** The node's pods must have been removed before. */
  nodeRemoved({ slot }: NodeInfo): void {
    this.nodesVersion++;
    for (const { domains, counters } of this.#keys.values()) {
      for (const { counter } of counters) counter.leave(slot);
      domains.clear(slot);
    }
    if (this.#hostSlots !== null) this.#hostSlots.values[slot] = NO_DOMAIN;
  }

  domains(key: string): TopologyDomains {
    return this.#keyEntry(key).domains;
  }

  /** A column in which each node is a domain of its own: its slot, or NO_DOMAIN for a node without a hostname. */
  hostSlots(): Column<'i32'> {
    if (this.#hostSlots === null) {
      this.#hostSlots = this.#modules.table.add('i32', 'host slots', NO_DOMAIN);
      for (const { slot, node } of this.#modules.cluster.knownNodes()) this.#setHostSlot(slot, node);
    }
    return this.#hostSlots;
  }

  /** A counter of pods by node. `key` names what is counted: with an equal key the first `multiplicity` is kept. */
  podCounter(key: string, multiplicity: (pod: PodInfo) => number): PodCounter {
    return this.#counterEntry(key, multiplicity).counter;
  }

  /** A counter of pods by domain, over the nodes that fulfil the condition. */
  domainCounter(
    key: string,
    multiplicity: (pod: PodInfo) => number,
    topologyKey: string,
    condition: NodeCondition = EVERY_NODE,
  ): DomainCounter {
    const entry = this.#counterEntry(key, multiplicity);
    const domainKey = JSON.stringify([topologyKey, condition.key]);
    let counter = entry.byDomain.get(domainKey);
    if (counter === undefined) {
      const { memory, table, cluster } = this.#modules;
      const { domains, counters } = this.#keyEntry(topologyKey);
      const isForAll = condition === EVERY_NODE;
      counter = new DomainCounter(memory, table, domains, entry.counter, isForAll);
      if (!isForAll)
        for (const { slot, node } of cluster.knownNodes()) if (condition.includes(node)) counter.join(slot);
      counters.push({ counter, condition });
      entry.byDomain.set(domainKey, counter);
    }
    return counter;
  }

  #keyEntry(key: string): KeyEntry {
    let entry = this.#keys.get(key);
    if (entry === undefined) {
      const domains = new TopologyDomains(this.#modules.memory, this.#modules.table);
      for (const { slot, node } of this.#modules.cluster.knownNodes()) domains.assign(slot, topologyValue(node, key));
      entry = { domains, counters: [] };
      this.#keys.set(key, entry);
    }
    return entry;
  }

  #counterEntry(key: string, multiplicity: (pod: PodInfo) => number): CounterEntry {
    let entry = this.#counters.get(key);
    if (entry === undefined) {
      if (this.#counters.size === 0) this.#collectCountedPods();
      entry = { counter: new PodCounter(this.#modules.table), multiplicity, byDomain: new Map() };
      this.#counters.set(key, entry);
      this.#countPlacedPods(entry);
    }
    return entry;
  }

  /** Fills `#countedPodsByKey`, which is not kept before the first counter. */
  #collectCountedPods(): void {
    for (const node of this.#modules.cluster.knownNodes()) {
      for (const pod of node.pods) addPods(this.#countedPodsOf(pod), node.slot, 1);
    }
  }

  #countPlacedPods({ counter, multiplicity }: CounterEntry): void {
    for (const countedPods of this.#countedPodsByKey.values()) {
      const times = multiplicity(countedPods.pod);
      if (times === 0) continue;
      countedPods.counters.push({ counter, multiplicity: times });
      for (const [slot, pods] of countedPods.perSlot) counter.add(slot, times * pods);
    }
  }

  /** Returns what is known of pods that are equal to this one; null if the pod has no template. */
  knownPod(pod: PodInfo): KnownPod | null {
    return this.#knownPods.of(pod, newKnownPod);
  }

  #countedPodsOf(pod: PodInfo): CountedPods {
    const known = this.knownPod(pod);
    if (known === null) return this.#countedPodsWithoutTemplate(pod);
    if (known.countedPods === null || known.countedPods.isGone) known.countedPods = this.#lookUpCountedPods(pod);
    return known.countedPods;
  }

  #countedPodsWithoutTemplate(pod: PodInfo): CountedPods {
    const { labels, deletionTimestamp } = pod.pod.metadata ?? {};
    if (labels === undefined || deletionTimestamp) return this.#lookUpCountedPods(pod);
    // Pods of one template share their labels object.
    const known = this.#byLabels.get(labels);
    if (
      known &&
      !known.countedPods.isGone &&
      known.affinity === pod.pod.spec?.affinity &&
      known.namespace === pod.namespace
    ) {
      return known.countedPods;
    }
    const countedPods = this.#lookUpCountedPods(pod);
    this.#byLabels.set(labels, { affinity: pod.pod.spec?.affinity, namespace: pod.namespace, countedPods });
    return countedPods;
  }

  #lookUpCountedPods(pod: PodInfo): CountedPods {
    const key = countedPodsKey(pod, this.parts);
    let countedPods = this.#countedPodsByKey.get(key);
    if (countedPods === undefined) {
      const counters = [...this.#counters.values()]
        .map(({ counter, multiplicity }) => ({ counter, multiplicity: multiplicity(pod) }))
        .filter(({ multiplicity }) => multiplicity > 0);
      countedPods = { pod, key, isGone: false, hasRegistered: false, perSlot: new Map(), counters };
      this.#countedPodsByKey.set(key, countedPods);
    }
    return countedPods;
  }

  #setHostSlot(slot: number, node: Node): void {
    if (this.#hostSlots === null) return;
    this.#hostSlots.values[slot] = topologyValue(node, HOSTNAME_LABEL) === undefined ? NO_DOMAIN : slot;
  }
}

function newKnownPod(): KnownPod {
  return { countedPods: null };
}

function addPods({ perSlot }: CountedPods, slot: number, delta: number): void {
  const pods = (perSlot.get(slot) ?? 0) + delta;
  if (pods > 0) perSlot.set(slot, pods);
  else perSlot.delete(slot);
}
