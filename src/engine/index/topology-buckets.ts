import type { ClusterState } from '../../framework/cluster/cluster-state.ts';
import type { Column, ColumnTable } from '../../memory/column-table.ts';
import { NO_DOMAIN, type TopologyDomains } from '../../memory/topology-domains.ts';
import type { TopologyIndex } from '../topology/topology-index.ts';
import type { DomainCount, TopologyRules } from '../topology/topology-rules.ts';
import type { NodeVerdicts } from '../verdicts/node-verdicts.ts';

/** Buckets that are kept apart; a cluster that needs more is looked at by cycles. */
const MAX_BUCKETS = 64;
const MAX_IDS = 65_535;
const REJECTED = 0;
const NO_CELL = -1;
const NO_ID = -1;

/** Nodes of one bucket are in the same domains, and hold the same numbers of the pods that matter. */
export interface TopologyBucket {
  /** By `shared`; NO_DOMAIN where the label is missing. */
  readonly domains: readonly number[];
  /** By `perNode`; -1 where the node is in no domain. */
  readonly counts: readonly number[];
}

/** A bucket, and the verdict on the node. */
interface BucketVerdict {
  readonly verdictId: number;
  readonly bucket: number;
}

export interface TopologyBucketsModules {
  readonly table: ColumnTable;
  readonly cluster: ClusterState;
  readonly topology: TopologyIndex;
}

/**
 * Sorts nodes into buckets by all that topology rules look at. Domains that several nodes share (zones, racks) are told
 * apart by number, and their counts read when they are needed; counts that differ from node to node (hostnames) are
 * part of the bucket: a placement moves one node to another bucket.
 */
export class TopologyBuckets {
  readonly column: Column<'u16'>;
  readonly buckets: TopologyBucket[] = [];
  /** By number; nothing for REJECTED. */
  readonly entries: (BucketVerdict | null)[] = [null];
  readonly #modules: TopologyBucketsModules;
  readonly #verdicts: NodeVerdicts;
  readonly #shared: readonly TopologyDomains[];
  readonly #perNode: readonly DomainCount[];
  /** Counts by node that must be 0: any pod there rejects the node. */
  readonly #exclusions: readonly DomainCount[];
  /** By bucket, then by verdict id of the verdicts; 0 for one that was not met yet. */
  readonly #idsByKey: number[][] = [];
  readonly #bucketIds = new Map<string, number>();
  /** By domain + 1, where only one shared key tells buckets apart. */
  readonly #bucketOfDomain: number[] = [];
  readonly #dirty: number[] = [];
  #verdictsVersion = -1;
  #nodesVersion = -1;

  constructor(modules: TopologyBucketsModules, verdicts: NodeVerdicts, { rules, spread, affinity }: TopologyRules) {
    this.#modules = modules;
    this.#verdicts = verdicts;
    const exclusions = rules.filter((rule) => rule.isExclusion && !isShared(rule.count)).map(({ count }) => count);
    const others = [...rules.filter((rule) => !rule.isExclusion || isShared(rule.count)), ...spread, ...affinity];
    const counts = others.map(({ count }) => count);
    this.#shared = [...new Set(counts.filter(isShared).map(({ domains }) => domains))];
    this.#perNode = [...new Set(counts.filter((count) => !isShared(count)))];
    this.#exclusions = [...new Set(exclusions)];
    this.column = modules.table.add('u16', 'entries by bucket');
    for (const { pods } of [...this.#perNode, ...this.#exclusions]) pods.listeners.add(this.#podsChanged);
  }

  /** Nodes cannot be told apart by so few buckets. */
  get isOverflown(): boolean {
    return this.buckets.length > MAX_BUCKETS || this.entries.length > MAX_IDS;
  }

  /** Some node has changed, or the verdict on one has changed: everything is to be sorted again. */
  get isOutdated(): boolean {
    return (
      this.#verdictsVersion !== this.#verdicts.idsVersion || this.#nodesVersion !== this.#modules.topology.nodesVersion
    );
  }

  /** How many pods a count has in a bucket; -1: the bucket is in no domain. */
  countIn({ domains, counts }: TopologyBucket, count: DomainCount): number {
    const at = this.#perNode.indexOf(count);
    if (at >= 0) return counts[at] ?? -1;
    const domain = domains[this.#shared.indexOf(count.domains)] ?? NO_DOMAIN;
    return domain === NO_DOMAIN ? -1 : count.countAt(-1, domain);
  }

  /** Whether the count is kept by bucket, not by an exclusion that has been looked at already. */
  isByBucket(count: DomainCount): boolean {
    return this.#perNode.includes(count) || isShared(count);
  }

  /** Of a shared topology key; NO_DOMAIN for a bucket without the label. */
  domainOf({ domains }: TopologyBucket, key: TopologyDomains): number {
    return domains[this.#shared.indexOf(key)] ?? NO_DOMAIN;
  }

  sortAll(): void {
    const { cluster, topology } = this.#modules;
    this.#verdictsVersion = this.#verdicts.idsVersion;
    this.#nodesVersion = topology.nodesVersion;
    this.#dirty.length = 0;
    if (this.#shared.length === 0 && this.#perNode.length === 0) {
      this.#sortByGate();
      return;
    }
    for (let slot = 0; slot < cluster.slotCount && !this.isOverflown; slot++) {
      this.column.values[slot] = this.#idOf(slot);
    }
  }

  /** There is one bucket: pods that keep away from their like, on hosts. */
  #sortByGate(): void {
    const { slotCount } = this.#modules.cluster;
    const idOf = new Int32Array(this.#verdicts.idCount).fill(NO_ID);
    const verdictIds = this.#verdicts.ids.values;
    const ids = this.column.values;
    for (let slot = 0; slot < slotCount; slot++) {
      const verdictId = verdictIds[slot] ?? REJECTED;
      let id = idOf[verdictId] ?? NO_ID;
      if (id === NO_ID) {
        id = this.#idIn(verdictId, slot);
        idOf[verdictId] = id;
      }
      ids[slot] = id;
    }
    for (const count of this.#exclusions) this.#exclude(count);
  }

  #exclude(count: DomainCount): void {
    if (count.pods.total === 0) return;
    const { slotCount } = this.#modules.cluster;
    const pods = count.pods.perNode.values;
    for (let slot = 0; slot < slotCount; slot++) {
      if (pods[slot] !== 0 && countOn(slot, count) > 0) this.column.values[slot] = REJECTED;
    }
  }

  /** Slots that may have moved since the last time, and their entries now; nothing is written. */
  takeMoves(): { readonly slot: number; readonly id: number }[] {
    if (this.#dirty.length === 0) return [];
    const moves: { slot: number; id: number }[] = [];
    for (const slot of this.#dirty) {
      const id = this.#idOf(slot);
      if (id !== this.column.values[slot]) moves.push({ slot, id });
    }
    this.#dirty.length = 0;
    return moves;
  }

  /** Nobody knows any more what the column holds: everything is to be sorted again before it is read. */
  forget(): void {
    this.#nodesVersion = -1;
  }

  release(): void {
    this.#modules.table.remove(this.column);
    for (const { pods } of [...this.#perNode, ...this.#exclusions]) pods.listeners.delete(this.#podsChanged);
  }

  /** Of buckets that nobody uses for long not every change is noted. */
  readonly #podsChanged = (slot: number): void => {
    if (this.#dirty.length < this.column.values.length) this.#dirty.push(slot);
    else this.#nodesVersion = -1;
  };

  #idOf(slot: number): number {
    for (const count of this.#exclusions) if (count.pods.total > 0 && countOn(slot, count) > 0) return REJECTED;
    return this.#idIn(this.#verdicts.ids.values[slot] ?? REJECTED, slot);
  }

  /** Without a look at exclusions. */
  #idIn(verdictId: number, slot: number): number {
    if (!this.#verdicts.accepts(verdictId)) return REJECTED;
    const bucket = this.#bucketOf(slot);
    let byVerdictId = this.#idsByKey[bucket];
    if (byVerdictId === undefined) {
      byVerdictId = [];
      this.#idsByKey[bucket] = byVerdictId;
    }
    const id = byVerdictId[verdictId] ?? this.entries.push({ verdictId, bucket }) - 1;
    byVerdictId[verdictId] = id;
    return id;
  }

  #bucketOf(slot: number): number {
    const [shared] = this.#shared;
    // Without a count by node a bucket is a domain, or there is only one.
    if (this.#perNode.length === 0 && this.#shared.length <= 1) {
      const domain = shared?.domainOf(slot) ?? NO_DOMAIN;
      const bucket = this.#bucketOfDomain[domain + 1] ?? this.#newBucket(slot);
      this.#bucketOfDomain[domain + 1] = bucket;
      return bucket;
    }
    let key = '';
    for (const shared of this.#shared) key += `${shared.domainOf(slot)} `;
    for (const count of this.#perNode) key += `${countOn(slot, count)} `;
    const known = this.#bucketIds.get(key);
    if (known !== undefined) return known;
    const bucket = this.#newBucket(slot);
    this.#bucketIds.set(key, bucket);
    return bucket;
  }

  #newBucket(slot: number): number {
    const domains = this.#shared.map((shared) => shared.domainOf(slot));
    const counts = this.#perNode.map((count) => countOn(slot, count));
    return this.buckets.push({ domains, counts }) - 1;
  }
}

/** Whether several nodes lie in one domain of the key. */
export function isShared({ domains, isByNode }: DomainCount): boolean {
  return domains.sharedDomains > 0 && !isByNode;
}

function countOn(slot: number, { domains, countAt }: DomainCount): number {
  const domain = domains.domainOf(slot);
  return domain === NO_DOMAIN ? NO_CELL : countAt(slot, domain);
}
