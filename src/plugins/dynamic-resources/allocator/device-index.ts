import type { Node } from '../../../api/node.ts';
import type { ResourceSlice } from '../../../api/resource-claims.ts';
import type { FeatureGates } from '../../../config/feature-gates.ts';
import type { ClusterObjects } from '../../../framework/cluster-objects.ts';
import type { ObjectFeed } from '../../../framework/object-feed.ts';
import type { NodeLog } from './node-log.ts';
import { type Pool, poolsOf } from './pools.ts';

/** The slices of one pool, by name. */
type Group = Map<string, ResourceSlice>;

/**
 * The pools that each node can use, kept from attempt to attempt. A pool whose slices all name a node is looked at by
 * these nodes alone; any other pool by all nodes.
 */
export class DeviceIndex {
  readonly #objects: ClusterObjects;
  readonly #features: FeatureGates;
  readonly #log: NodeLog;
  readonly #feed: ObjectFeed;
  /** The slices by name as they were last seen. */
  readonly #slices = new Map<string, ResourceSlice>();
  readonly #groups = new Map<string, Group>();
  /** The keys of the pools with a slice that names the node. */
  readonly #byNode = new Map<string, Set<string>>();
  /** The keys of the pools that any node might use. */
  readonly #wide = new Set<string>();
  readonly #known = new Map<string, { readonly node: Node; readonly pools: readonly Pool[] }>();

  /** `log` records the nodes whose pools change. */
  constructor(objects: ClusterObjects, features: FeatureGates, log: NodeLog) {
    this.#objects = objects;
    this.#features = features;
    this.#log = log;
    this.#feed = objects.follow(['ResourceSlice']);
    this.#readAll();
  }

  /** The pools of the node, as `poolsOf` finds them among all slices. */
  poolsOf(node: Node): readonly Pool[] {
    this.catchUp();
    const name = node.metadata?.name ?? '';
    const known = this.#known.get(name);
    if (known?.node === node) return known.pools;
    const keys = [...(this.#byNode.get(name) ?? []), ...this.#wide];
    const slices = [...new Set(keys)].flatMap((key) => [...(this.#groups.get(key)?.values() ?? [])]);
    const pools = poolsOf(node, slices, this.#features);
    this.#known.set(name, { node, pools });
    return pools;
  }

  /** The nodes that may use devices of the pool; null if any node might. */
  nodesOf(driver: string, pool: string): Iterable<string> | null {
    const key = keyOf(driver, pool);
    return this.#wide.has(key) ? null : namesIn(this.#groups.get(key));
  }

  /** Takes notice of changed slices. */
  catchUp(): void {
    if (!this.#feed.hasChanges) return;
    const changes = this.#feed.take();
    if (changes !== null) {
      for (const key of changes.keys()) this.#read(key.slice(key.indexOf('/') + 1));
      return;
    }
    for (const index of [this.#slices, this.#groups, this.#byNode, this.#wide, this.#known]) index.clear();
    this.#readAll();
    this.#log.addAll();
  }

  #readAll(): void {
    for (const { metadata } of this.#objects.list('ResourceSlice')) this.#read(metadata?.name ?? '');
  }

  #read(name: string): void {
    const before = this.#slices.get(name);
    const after = this.#objects.get('ResourceSlice', name);
    if (before !== undefined) this.#change(name, before, undefined);
    if (after === undefined) this.#slices.delete(name);
    else {
      this.#slices.set(name, after);
      this.#change(name, after, after);
    }
  }

  /** Sets or removes one slice of the pool to which `slice` belongs. */
  #change(name: string, { spec }: ResourceSlice, now: ResourceSlice | undefined): void {
    const key = keyOf(spec.driver, spec.pool.name);
    const group: Group = this.#groups.get(key) ?? new Map();
    this.#forget(key, group);
    if (now === undefined) group.delete(name);
    else group.set(name, now);
    if (group.size === 0) this.#groups.delete(key);
    else this.#groups.set(key, group);
    this.#forget(key, group);
    const isWide = [...group.values()].some((slice) => !namesNode(slice));
    if (isWide) this.#wide.add(key);
    else this.#wide.delete(key);
    for (const node of namesIn(group)) {
      const keys = this.#byNode.get(node);
      if (keys === undefined) this.#byNode.set(node, new Set([key]));
      else keys.add(key);
    }
  }

  /** Drops what was found for the nodes of the pool. */
  #forget(key: string, group: Group): void {
    if (this.#wide.has(key) || [...group.values()].some((slice) => !namesNode(slice))) {
      this.#known.clear();
      this.#log.addAll();
      return;
    }
    for (const node of namesIn(group)) {
      this.#known.delete(node);
      this.#byNode.get(node)?.delete(key);
      this.#log.add(node);
    }
  }
}

function namesNode({ spec }: ResourceSlice): boolean {
  const { nodeName, perDeviceNodeSelection, sharedCounters = [] } = spec;
  return Boolean(nodeName) && perDeviceNodeSelection !== true && sharedCounters.length === 0;
}

function namesIn(group: Group | undefined): Set<string> {
  return new Set([...(group?.values() ?? [])].flatMap(({ spec }) => spec.nodeName ?? []));
}

function keyOf(driver: string, pool: string): string {
  return `${driver}/${pool}`;
}
