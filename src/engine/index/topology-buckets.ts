import type { ClusterState } from '../../framework/cluster/cluster-state.ts';
import type { Column, ColumnTable } from '../../memory/column-table.ts';
import type { DomainCount } from '../../memory/domain-counter.ts';
import { NO_DOMAIN, type NodeDomains } from '../../memory/topology-domains.ts';
import type { TopologyIndex } from '../topology/topology-index.ts';
import type { TopologyRules } from '../topology/topology-rules.ts';
import type { NodeVerdicts } from '../verdicts/node-verdicts.ts';
import { BucketKeys, COUNT_BITS, DOMAIN_BITS } from './bucket-keys.ts';

/** The most buckets; pods that need more are scheduled by cycles. */
const MAX_BUCKETS = 64;
const MAX_IDS = 65_535;
const REJECTED = 0;
const NO_COUNT = -1;
/** The most bits of the key of a bucket. */
const KEY_BITS = 52;
const NO_KEY = -1;

/** Nodes of one bucket are in the same domains, and hold the same numbers of the counted pods. */
export interface TopologyBucket {
  /** The domain for each shared topology key; NO_DOMAIN if the label is missing. */
  readonly domains: readonly number[];
  /** The number of pods for each count by node; -1 if the node is in no domain. */
  readonly counts: readonly number[];
}

/** The bucket and the verdict id of a node. */
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
 * Sorts nodes into buckets by all that topology rules look at. Of domains that several nodes share (zones, racks) the
 * bucket has the number, and their counts are read on demand; counts that differ from node to node (hostnames) are part
 * of the bucket, so that a placement moves one node to another bucket.
 */
export class TopologyBuckets {
  readonly column: Column<'u16'>;
  readonly buckets: TopologyBucket[] = [];
  /** The entries by number; null for REJECTED and others that reject. */
  readonly entries: (BucketVerdict | null)[] = [null];
  readonly #modules: TopologyBucketsModules;
  readonly verdicts: NodeVerdicts;
  /** The topology keys whose domains have several nodes, and the counts that differ from node to node. */
  readonly shared: readonly NodeDomains[];
  readonly perNode: readonly DomainCount[];
  /** Counts by node that must be 0, because any such pod rejects the node. */
  readonly exclusions: readonly DomainCount[];
  /** The numbers of entries by bucket, then by verdict id. */
  readonly #idsByKey: number[][] = [];
  /** The buckets by domains and counts, as a number where these are few and small. */
  readonly #bucketIds = new Map<number | string, number>();
  readonly #dirty: number[] = [];
  readonly #keys: BucketKeys;
  /** Whether kernels sort nodes whose counted pods change, so that these changes need not be recorded. */
  isFollowed = false;
  #verdictsVersion = -1;
  #nodesVersion = -1;

  /** `keys`: those of the last sort, which nobody reads any more. */
  constructor(
    modules: TopologyBucketsModules,
    verdicts: NodeVerdicts,
    { rules, spread, affinity }: TopologyRules,
    keys = new BucketKeys(),
  ) {
    this.#modules = modules;
    this.#keys = keys;
    this.verdicts = verdicts;
    const exclusions = rules.filter((rule) => rule.isExclusion && !isShared(rule.count)).map(({ count }) => count);
    const others = [...rules.filter((rule) => !rule.isExclusion || isShared(rule.count)), ...spread, ...affinity];
    const counts = others.map(({ count }) => count);
    this.shared = [...new Set(counts.filter(isShared).map(({ domains }) => domains))];
    this.perNode = [...new Set(counts.filter((count) => !isShared(count)))];
    this.exclusions = [...new Set(exclusions)];
    this.column = modules.table.add('u16', 'entries by bucket');
    for (const { pods } of [...this.perNode, ...this.exclusions]) pods.listeners.add(this.#podsChanged);
    verdicts.listeners.add(this.#verdictChanged);
  }

  /** Whether there are too many buckets or entries. */
  get isOverflown(): boolean {
    return this.buckets.length > MAX_BUCKETS || this.entries.length > MAX_IDS;
  }

  /** Whether a node, or a verdict unnoticed, has changed, so that all nodes must be sorted again. */
  get isOutdated(): boolean {
    return (
      this.#verdictsVersion !== this.verdicts.idsVersion || this.#nodesVersion !== this.#modules.topology.nodesVersion
    );
  }

  /** Whether some nodes may have to be moved to other buckets. */
  get hasMoves(): boolean {
    return this.#dirty.length > 0 || this.isOutdated;
  }

  /** The number of pods of a count in a bucket; -1 if the bucket is in no domain. */
  countIn(bucket: TopologyBucket, count: DomainCount): number {
    const at = this.perNode.indexOf(count);
    if (at >= 0) return bucket.counts[at] ?? -1;
    const domain = this.domainOf(bucket, count.domains);
    return domain === NO_DOMAIN ? -1 : count.countAt(-1, domain);
  }

  /** Whether buckets hold the count; false for an exclusion, which has already rejected its nodes. */
  isByBucket(count: DomainCount): boolean {
    return this.perNode.includes(count) || isShared(count);
  }

  /** The bucket's domain of a shared topology key; NO_DOMAIN if it lacks the label. */
  domainOf({ domains }: TopologyBucket, key: NodeDomains): number {
    return domains[this.shared.indexOf(key)] ?? NO_DOMAIN;
  }

  /** Whether there is but one bucket, since all rules are exclusions by hostname. */
  get #isOnlyBucket(): boolean {
    return this.shared.length === 0 && this.perNode.length === 0;
  }

  sortAll(): void {
    const { cluster, topology } = this.#modules;
    this.#verdictsVersion = this.verdicts.idsVersion;
    this.#nodesVersion = topology.nodesVersion;
    this.#dirty.length = 0;
    // To read columns is faster than to ask for each slot.
    for (const { isByNode, pods } of [...this.perNode, ...this.exclusions]) if (isByNode) void pods.perNode;
    if (this.#isOnlyBucket) {
      this.#sortByVerdict();
      return;
    }
    const keys = this.#keys.of(cluster.slotCount, this.shared, this.perNode);
    if (keys !== null && this.exclusions.every(({ pods }) => pods.total === 0)) this.#sortByKey(keys);
    else this.#sortBySlot();
  }

  #sortBySlot(): void {
    const { slotCount } = this.#modules.cluster;
    for (let slot = 0; slot < slotCount && !this.isOverflown; slot++) this.column.values[slot] = this.#idOf(slot);
  }

  /** Sorts nodes of which none is excluded, with the keys of their buckets. */
  #sortByKey(keys: Int32Array): void {
    const ids = this.column.values;
    const verdictIds = this.verdicts.ids.values;
    for (let slot = 0; slot < keys.length && !this.isOverflown; slot++) {
      const verdictId = verdictIds[slot] ?? REJECTED;
      if (this.verdicts.accepts(verdictId)) {
        const bucket = this.#bucketIds.get(keys[slot] as number) ?? this.#bucketOf(slot);
        ids[slot] = this.#idsByKey[bucket]?.[verdictId] ?? this.#newId(verdictId, bucket);
      } else ids[slot] = REJECTED;
    }
  }

  /** Sorts nodes into the only bucket, whose entries have the numbers of the verdicts. */
  #sortByVerdict(): void {
    const { slotCount } = this.#modules.cluster;
    if (this.buckets.length === 0) this.buckets.push({ domains: [], counts: [] });
    this.#enterVerdicts(this.verdicts.idCount);
    this.column.values.set(this.verdicts.ids.values.subarray(0, slotCount));
    for (const count of this.exclusions) this.#exclude(count);
  }

  /** Makes the entries of all verdicts below `end`. */
  #enterVerdicts(end: number): void {
    for (let id = this.entries.length; id < end; id++) {
      if (this.verdicts.accepts(id)) this.#newId(id, 0);
      else this.entries.push(null);
    }
  }

  #exclude(count: DomainCount): void {
    if (count.pods.total === 0) return;
    const { slotCount } = this.#modules.cluster;
    const pods = count.pods.perNode.values;
    for (let slot = 0; slot < slotCount; slot++) {
      if (pods[slot] !== 0 && countOn(slot, count) > 0) this.column.values[slot] = REJECTED;
    }
  }

  /** Returns the slots whose entry has changed since the last call, with the new entry; writes nothing. */
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

  /** Marks the column as outdated, so that all nodes are sorted before it is read again. */
  forget(): void {
    this.#nodesVersion = -1;
  }

  release(): void {
    this.#modules.table.remove(this.column);
    for (const { pods } of [...this.perNode, ...this.exclusions]) pods.listeners.delete(this.#podsChanged);
    this.verdicts.listeners.delete(this.#verdictChanged);
  }

  /** Records the change; if nobody takes the changes for long, all nodes are sorted instead. */
  readonly #podsChanged = (slot: number): void => {
    if (this.isFollowed) return;
    if (this.#dirty.length < this.column.values.length) this.#dirty.push(slot);
    else this.#nodesVersion = -1;
  };

  /** Verdicts change one by one, so that one that was missed leaves its number behind. */
  readonly #verdictChanged = (slot: number): void => {
    if (this.#verdictsVersion !== this.verdicts.idsVersion - 1) return;
    this.#verdictsVersion++;
    this.#podsChanged(slot);
  };

  #idOf(slot: number): number {
    for (const count of this.exclusions) if (count.pods.total > 0 && countOn(slot, count) > 0) return REJECTED;
    return this.#idIn(this.verdicts.ids.values[slot] ?? REJECTED, slot);
  }

  /** Returns the entry of a slot, exclusions not considered. */
  #idIn(verdictId: number, slot: number): number {
    if (!this.verdicts.accepts(verdictId)) return REJECTED;
    if (this.#isOnlyBucket) {
      this.#enterVerdicts(verdictId + 1);
      return verdictId;
    }
    const bucket = this.#bucketOf(slot);
    return this.#idsByKey[bucket]?.[verdictId] ?? this.#newId(verdictId, bucket);
  }

  #newId(verdictId: number, bucket: number): number {
    const byVerdictId = this.#idsByKey[bucket] ?? [];
    this.#idsByKey[bucket] = byVerdictId;
    const id = this.entries.push({ verdictId, bucket }) - 1;
    byVerdictId[verdictId] = id;
    return id;
  }

  /** The number of the entry of nodes with a verdict id in a bucket; undefined if there is none yet. */
  entryOf(bucket: number, verdictId: number): number | undefined {
    return this.verdicts.accepts(verdictId) ? this.#idsByKey[bucket]?.[verdictId] : REJECTED;
  }

  #bucketOf(slot: number): number {
    const number = this.#keyOf(slot);
    const key = number === NO_KEY ? this.#longKeyOf(slot) : number;
    const known = this.#bucketIds.get(key);
    if (known !== undefined) return known;
    const bucket = this.#newBucket(slot);
    this.#bucketIds.set(key, bucket);
    return bucket;
  }

  /** The domains and counts of a node as one number; NO_KEY if they are too many or too large. */
  #keyOf(slot: number): number {
    const [shared, perNode] = [this.shared, this.perNode];
    if (shared.length * DOMAIN_BITS + perNode.length * COUNT_BITS > KEY_BITS) return NO_KEY;
    let key = 0;
    for (let i = 0; i < shared.length; i++) {
      const domain = (shared[i] as NodeDomains).domainOf(slot) + 1;
      if (domain >= 2 ** DOMAIN_BITS) return NO_KEY;
      key = key * 2 ** DOMAIN_BITS + domain;
    }
    for (let i = 0; i < perNode.length; i++) {
      const count = countOn(slot, perNode[i] as DomainCount) + 1;
      if (count >= 2 ** COUNT_BITS) return NO_KEY;
      key = key * 2 ** COUNT_BITS + count;
    }
    return key;
  }

  #longKeyOf(slot: number): string {
    let key = '';
    for (const shared of this.shared) key += `${shared.domainOf(slot)} `;
    for (const count of this.perNode) key += `${countOn(slot, count)} `;
    return key;
  }

  #newBucket(slot: number): number {
    const domains = this.shared.map((shared) => shared.domainOf(slot));
    const counts = this.perNode.map((count) => countOn(slot, count));
    return this.buckets.push({ domains, counts }) - 1;
  }
}

/**
 * Whether to sort nodes costs as much as several searches: by counts that differ from node to node there are many
 * buckets, and with nothing but exclusions the totals columns serve one group of pods, where runs need none.
 */
export function isCostly(rules: TopologyRules): boolean {
  const isByNode = ({ count }: { readonly count: DomainCount }): boolean => !isShared(count);
  if (rules.spread.some(isByNode) || rules.affinity.some(isByNode) || onlyExcludes(rules)) return true;
  return rules.rules.some((rule) => !rule.isExclusion && isByNode(rule));
}

/** Whether all that the rules ask of a node is that it holds no counted pod. */
export function onlyExcludes({ rules, spread, affinity }: TopologyRules): boolean {
  if (rules.length === 0 || spread.length + affinity.length > 0) return false;
  return rules.every(({ isExclusion, count }) => isExclusion && !isShared(count));
}

/** Whether several nodes lie in one domain of the key. */
export function isShared({ domains, isByNode }: DomainCount): boolean {
  return domains.sharedDomains > 0 && !isByNode;
}

function countOn(slot: number, count: DomainCount): number {
  const domain = count.domains.domainOf(slot);
  return domain === NO_DOMAIN ? NO_COUNT : count.countAt(slot, domain);
}
