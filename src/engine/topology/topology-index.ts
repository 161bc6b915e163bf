import type { Node } from '../../api/node.ts';
import { HOSTNAME_LABEL, topologyValue } from '../../api/topology-spread.ts';
import type { ClusterState } from '../../framework/cluster/cluster-state.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { getOrMake } from '../../lib/get-or-make.ts';
import type { Column, ColumnTable } from '../../memory/column-table.ts';
import { type DomainCounter, PodCounter } from '../../memory/domain-counter.ts';
import type { SharedMemory } from '../../memory/shared-memory.ts';
import { NO_DOMAIN, TopologyDomains } from '../../memory/topology-domains.ts';
import type { NodeAttributes } from '../verdicts/node-attributes.ts';
import { type CountedPods, CountedPodsGroups, type KnownPod, newKnownPod } from './counted-pods.ts';
import { PartNumbers } from './counted-pods-key.ts';
import { CountedSlots } from './counted-slots.ts';
import { KnownPods } from './known-pods.ts';
import { Marked } from './marked.ts';
import { Membership, type MembershipModules } from './membership.ts';
import { EVERY_NODE, type NodeCondition } from './node-condition.ts';
import { OwnedTerms } from './owned-terms.ts';

/** The most groups of pods that are copied at once; more are sorted anew when they are needed. */
const MOST_COPIED_GROUPS = 1024;

interface KeyEntry {
  readonly domains: TopologyDomains;
  /** The counters over these domains, by the key of their condition. */
  readonly memberships: Map<string, Membership>;
  /** The number of plans that use the domains without a counter. */
  holders: number;
}

interface CounterEntry {
  readonly counter: PodCounter;
  /** Returns the number of times that a pod counts: 0 or 1, or the number of equal terms that it has. */
  readonly multiplicity: (pod: PodInfo) => number;
  readonly byDomain: Map<
    string,
    { readonly counter: DomainCounter; readonly topologyKey: string; readonly condition: NodeCondition }
  >;
  /** The marks of which each pod that counts has one; null if any pod may count. */
  readonly marks: readonly string[] | null;
  readonly groups: Set<CountedPods>;
  /** The number of plans and terms that use the counter. */
  holders: number;
}

/** What the plan of a pod signature needs of the index. */
export interface TopologyCounters {
  readonly ownedTerms: OwnedTerms;
  readonly nodeCount: number;
  domains(key: string): TopologyDomains;
  hostSlots(): Column<'i32'>;
  /**
   * A counter of pods by node. `key` names what is counted: with an equal key the first `multiplicity` is kept.
   * `marks`: each pod that counts has one of these; null if any pod may count.
   */
  podCounter(key: string, multiplicity: (pod: PodInfo) => number, marks: readonly string[] | null): PodCounter;
  /** A counter of pods by domain, over the nodes that fulfil the condition. */
  domainCounter(
    key: string,
    multiplicity: (pod: PodInfo) => number,
    topologyKey: string,
    condition: NodeCondition,
    marks: readonly string[] | null,
  ): DomainCounter;
}

export interface TopologyIndexModules {
  readonly memory: SharedMemory;
  readonly table: ColumnTable;
  readonly cluster: ClusterState;
  /** They must hear of a change of a node before the index does. */
  readonly attributes: NodeAttributes;
}

/**
 * Counters for topology spread and inter-pod affinity. A counter is made when a pod signature first needs it, every
 * placement, deletion and node change updates it, and it is given up with the last plan or term that uses it.
 *
 *   pod ─▶ countedPods (namespace, labels, terms) ─▶ pod counters (pods per node) ─▶ domain counters (pods per domain)
 */
export class TopologyIndex implements TopologyCounters {
  readonly parts = new PartNumbers();
  readonly #knownPods = new KnownPods<KnownPod>();
  /** A number that changes when a node is added, updated or removed. */
  nodesVersion = 0;
  readonly #modules: TopologyIndexModules;
  readonly #membershipModules: MembershipModules;
  readonly #keys = new Map<string, KeyEntry>();
  readonly #counters = new Map<string, CounterEntry>();
  readonly #entries = new Map<PodCounter, CounterEntry>();
  readonly #marked = new Marked<CounterEntry>();
  /** The counters of any pods. */
  readonly #unmarked = new Set<CounterEntry>();
  /** The pods on nodes, which are not sorted before the first counter. */
  #groups: CountedPodsGroups | null = null;
  #hostSlots: Column<'i32'> | null = null;
  readonly #ownedTerms: OwnedTerms;
  /** Whether pods on nodes may have terms that are not registered. */
  #hasUnreadTerms = false;

  constructor(modules: TopologyIndexModules) {
    this.#modules = modules;
    this.#membershipModules = { domains: (topologyKey) => this.domains(topologyKey), ...modules };
    this.#ownedTerms = new OwnedTerms({
      make: (key, multiplicity, topologyKey) => {
        const counter = this.domainCounter(key, multiplicity, topologyKey, EVERY_NODE, [key]);
        this.hold(key);
        return counter;
      },
      drop: (key) => this.release(key),
    });
  }

  /** The affinity terms of the pods on nodes. */
  get ownedTerms(): OwnedTerms {
    if (this.#hasUnreadTerms) this.#readTerms();
    return this.#ownedTerms;
  }

  /**
   * Takes over what another index knows of the pods of a cluster that was copied. Their terms are read when they are
   * needed, and so are the pods themselves if they are of very many groups.
   */
  copyFrom(other: TopologyIndex): void {
    this.nodesVersion++;
    this.#hasUnreadTerms = other.#hasUnreadTerms || other.#ownedTerms.list.length > 0;
    if (!this.#hasUnreadTerms || other.#groups === null || other.#groups.size > MOST_COPIED_GROUPS) return;
    this.#groups = this.#newGroups();
    this.#groups.copyFrom(other.#groups);
  }

  #readTerms(): void {
    this.#hasUnreadTerms = false;
    this.#groups ??= this.#sortPods();
    for (const countedPods of [...this.#groups.with(null)]) this.#register(countedPods);
  }

  #register(countedPods: CountedPods): void {
    if (countedPods.hasRegistered) return;
    countedPods.hasRegistered = true;
    this.#ownedTerms.add(countedPods.pod);
  }

  /** The number of counters of pods. */
  get size(): number {
    return this.#counters.size;
  }

  get nodeCount(): number {
    return this.#modules.cluster.nodeCount;
  }

  /** Whether nothing has ever counted pods without terms. */
  get isIdle(): boolean {
    return this.#groups === null;
  }

  /** Drops the terms of pods that are gone, if they are many. No plan may be in use. */
  dropUnusedTerms(): void {
    this.#ownedTerms.dropUnused();
  }

  /** Returns what is known of pods that are equal to this one; null if the pod has no template. */
  knownPod(pod: PodInfo): KnownPod | null {
    return this.#knownPods.of(pod, newKnownPod);
  }

  podsAdded(node: NodeInfo, pods: readonly PodInfo[]): void {
    const groups = this.#groups;
    // All of these pods are on their node already, so that the first counter, if a term makes it now, counts them, too.
    if (groups === null) for (const pod of pods) this.#ownedTerms.add(pod);
    else for (const pod of pods) this.#podAdded(groups, node.slot, pod);
  }

  /** Counts a pod that is assigned to the node in the slot. Returns false while nothing is counted. */
  podAssigned(slot: number, pod: PodInfo): boolean {
    if (this.#groups === null) return false;
    this.#podAdded(this.#groups, slot, pod);
    return true;
  }

  #podAdded(groups: CountedPodsGroups, slot: number, pod: PodInfo): void {
    const countedPods = groups.of(pod, this.knownPod(pod));
    countedPods.perSlot.add(slot);
    for (const { counter, multiplicity } of countedPods.counters) counter.add(slot, multiplicity);
    this.#register(countedPods);
  }

  /** Takes over a pod of a group with registered terms, whose place kernels have counted in columns already. */
  podPlaced(slot: number, countedPods: CountedPods): void {
    countedPods.perSlot.add(slot);
    for (const { counter, multiplicity } of countedPods.counters) counter.addCounted(slot, multiplicity);
  }

  podRemoved(node: NodeInfo, pod: PodInfo): void {
    if (this.#groups === null) return;
    const countedPods = this.#groups.of(pod, this.knownPod(pod));
    for (const { counter, multiplicity } of countedPods.counters) counter.add(node.slot, -multiplicity);
    this.#groups.remove(countedPods, node.slot);
    if (!countedPods.isGone) return;
    for (const { counter } of countedPods.counters) this.#entries.get(counter)?.groups.delete(countedPods);
    this.#ownedTerms.lost(countedPods.pod);
  }

  nodeChanged({ slot, name, node }: NodeInfo): void {
    this.nodesVersion++;
    for (const [key, { domains, memberships }] of this.#keys) {
      const value = topologyValue(node, key);
      const stays = domains.holds(slot, value);
      // Mostly nothing changes that any of the counters reads, of which there may be thousands.
      const moved = [...memberships.values()].filter((membership) => !stays || !membership.isUpToDate(slot, node));
      for (const membership of moved) membership.leave(slot);
      if (!stays) {
        domains.clear(slot);
        domains.assign(slot, value, name);
      }
      for (const membership of moved) membership.join(slot, node);
    }
    this.#setHostSlot(slot, node);
  }

  /** The node's pods must have been removed before. */
  nodeRemoved({ slot }: NodeInfo): void {
    this.nodesVersion++;
    for (const { domains, memberships } of this.#keys.values()) {
      for (const membership of memberships.values()) membership.leave(slot);
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
      this.#forEachNode((slot, node) => this.#setHostSlot(slot, node));
    }
    return this.#hostSlots;
  }

  podCounter(key: string, multiplicity: (pod: PodInfo) => number, marks: readonly string[] | null = null): PodCounter {
    return this.#counterEntry(key, multiplicity, marks).counter;
  }

  domainCounter(
    key: string,
    multiplicity: (pod: PodInfo) => number,
    topologyKey: string,
    condition: NodeCondition = EVERY_NODE,
    marks: readonly string[] | null = null,
  ): DomainCounter {
    const entry = this.#counterEntry(key, multiplicity, marks);
    const domainKey = JSON.stringify([topologyKey, condition.key]);
    const known = entry.byDomain.get(domainKey);
    if (known !== undefined) return known.counter;
    const { domains, memberships } = this.#keyEntry(topologyKey);
    const membership = getOrMake(
      memberships,
      condition.key,
      () => new Membership(this.#membershipModules, domains, condition),
    );
    const counter = membership.newCounter(entry.counter);
    entry.byDomain.set(domainKey, { counter, topologyKey, condition });
    return counter;
  }

  /** The groups of pods that the counter counts. */
  groupsOf(counter: PodCounter): Iterable<CountedPods> {
    return this.#entries.get(counter)?.groups ?? [];
  }

  /** Keeps the counter of this key until `release`. */
  hold(key: string): void {
    const entry = this.#counters.get(key);
    if (entry !== undefined) entry.holders++;
  }

  /** Reverts `hold`; a counter that nobody holds any more is given up. */
  release(key: string): void {
    const entry = this.#counters.get(key);
    if (entry === undefined || --entry.holders > 0) return;
    this.#counters.delete(key);
    this.#entries.delete(entry.counter);
    if (entry.marks === null) this.#unmarked.delete(entry);
    else this.#marked.delete(entry, entry.marks);
    for (const { counters } of entry.groups) {
      const at = counters.findIndex(({ counter }) => counter === entry.counter);
      counters.splice(at, 1);
    }
    entry.counter.release(this.#modules.table);
    for (const { counter, topologyKey, condition } of entry.byDomain.values()) {
      const memberships = this.#keys.get(topologyKey)?.memberships;
      if (memberships?.get(condition.key)?.drop(counter)) memberships.delete(condition.key);
      this.#dropUnusedKey(topologyKey);
    }
  }

  /** Keeps the domains of a topology key until `releaseDomains`. */
  holdDomains(key: string): void {
    this.#keyEntry(key).holders++;
  }

  releaseDomains(key: string): void {
    const entry = this.#keys.get(key);
    if (entry !== undefined) entry.holders--;
    this.#dropUnusedKey(key);
  }

  #dropUnusedKey(key: string): void {
    const entry = this.#keys.get(key);
    if (entry === undefined || entry.holders > 0 || entry.memberships.size > 0) return;
    this.#keys.delete(key);
    entry.domains.release();
  }

  #keyEntry(key: string): KeyEntry {
    return getOrMake(this.#keys, key, () => {
      const domains = new TopologyDomains(this.#modules.memory, this.#modules.table);
      const { attributes, cluster } = this.#modules;
      attributes.forEachValue(key, (slot, value) => domains.assign(slot, value, cluster.nodeNameAt(slot)));
      return { domains, memberships: new Map(), holders: 0 };
    });
  }

  #counterEntry(key: string, multiplicity: (pod: PodInfo) => number, marks: readonly string[] | null): CounterEntry {
    const known = this.#counters.get(key);
    if (known !== undefined) return known;
    const groups = this.#groups ?? this.#sortPods();
    const slots = new CountedSlots(multiplicity);
    const counter = new PodCounter(this.#modules.table, slots);
    const entry = { counter, multiplicity, byDomain: new Map(), marks, groups: slots.groups, holders: 0 };
    this.#counters.set(key, entry);
    this.#entries.set(counter, entry);
    if (marks === null) this.#unmarked.add(entry);
    else this.#marked.add(entry, marks);
    for (const countedPods of groups.with(marks)) this.#count(countedPods, entry);
    return entry;
  }

  /** Sorts the pods on nodes into groups when there is a first counter. */
  #sortPods(): CountedPodsGroups {
    const groups = this.#newGroups();
    for (const node of this.#modules.cluster.knownNodes()) {
      for (const pod of node.pods) groups.of(pod, this.knownPod(pod)).perSlot.add(node.slot);
    }
    this.#groups = groups;
    return groups;
  }

  #newGroups(): CountedPodsGroups {
    return new CountedPodsGroups(this.parts, (countedPods) => {
      for (const entry of this.#unmarked) this.#count(countedPods, entry);
      for (const entry of this.#marked.of(countedPods.marks)) this.#count(countedPods, entry);
    });
  }

  /** Calls `visit` with every node, without an object for each. */
  #forEachNode(visit: (slot: number, node: Node) => void): void {
    const { cluster } = this.#modules;
    for (let slot = 0; slot < cluster.slotCount; slot++) {
      const info = cluster.nodeAt(slot);
      if (info !== undefined) visit(slot, info.node);
    }
  }

  /** Lets the counter count these pods, if it counts such pods at all. */
  #count(countedPods: CountedPods, { counter, multiplicity, groups }: CounterEntry): void {
    const times = multiplicity(countedPods.pod);
    if (times === 0) return;
    countedPods.counters.push({ counter, multiplicity: times });
    groups.add(countedPods);
    for (const [slot, pods] of countedPods.perSlot.entries()) counter.add(slot, times * pods);
  }

  #setHostSlot(slot: number, node: Node): void {
    if (this.#hostSlots === null) return;
    this.#hostSlots.values[slot] = topologyValue(node, HOSTNAME_LABEL) === undefined ? NO_DOMAIN : slot;
  }
}
