import type { Node } from '../../../api/node.ts';
import type { ResourceSlice } from '../../../api/resource-claims.ts';
import type { FeatureGates } from '../../../config/feature-gates.ts';
import type { ClusterObjects } from '../../../framework/cluster-objects.ts';
import type { ObjectFeed } from '../../../framework/object-feed.ts';
import type { AllocatedDevices } from './allocated-devices.ts';
import { type DeviceLayout, DeviceLooks } from './device-looks.ts';
import type { NodeLog } from './node-log.ts';
import { type Pool, type PoolDevice, poolsOf, usableDevices } from './pools.ts';

/** The slices of one pool. */
interface Group {
  readonly slices: Map<string, ResourceSlice>;
  /** The nodes that slices name, each once. */
  nodes: readonly string[];
  /** Whether any node might use the pool. */
  isWide: boolean;
}

/** The devices of a node. */
export interface NodeDevices {
  readonly node: Node;
  readonly pools: readonly Pool[];
  /** The devices of usable pools, in the order in which they are looked for. */
  readonly devices: readonly PoolDevice[];
  /** Null if the devices do not decide alone what the node can give. */
  readonly layout: DeviceLayout | null;
  /** The number of the look that the devices have; null if it has to be looked up again. */
  look: number | null;
}

/**
 * The devices that each node can use, kept from attempt to attempt. A pool whose slices all name a node is looked at by
 * these nodes alone; any other pool by all nodes.
 */
export class DeviceIndex {
  readonly #objects: ClusterObjects;
  readonly #features: FeatureGates;
  readonly #log: NodeLog;
  readonly #feed: ObjectFeed;
  readonly #looks = new DeviceLooks();
  /** The slices by name as they were last seen. */
  readonly #slices = new Map<string, ResourceSlice>();
  readonly #groups = new Map<string, Group>();
  /** The keys of the pools with a slice that names the node. */
  readonly #byNode = new Map<string, Set<string>>();
  /** The keys of the pools that any node might use. */
  readonly #wide = new Set<string>();
  readonly #known = new Map<string, NodeDevices>();

  /** `log` records the nodes whose pools change. */
  constructor(objects: ClusterObjects, features: FeatureGates, log: NodeLog) {
    this.#objects = objects;
    this.#features = features;
    this.#log = log;
    this.#feed = objects.follow(['ResourceSlice']);
    this.#readAll();
  }

  /** The pools of the node are those that `poolsOf` finds among all slices. */
  devicesOf(node: Node): NodeDevices {
    this.catchUp();
    const name = node.metadata?.name ?? '';
    const known = this.#known.get(name);
    if (known?.node === node) return known;
    const keys = new Set([...(this.#byNode.get(name) ?? []), ...this.#wide]);
    const slices = [...keys].flatMap((key) => [...(this.#groups.get(key)?.slices.values() ?? [])]);
    const pools = poolsOf(node, slices, this.#features);
    const devices = usableDevices(pools);
    const found = { node, pools, devices, layout: this.#looks.layoutOf(pools, devices), look: null };
    this.#known.set(name, found);
    return found;
  }

  /** The look of the node's devices: nodes with one look can give the same. Null if the devices do not decide alone. */
  lookOf(of: NodeDevices, allocated: AllocatedDevices): number | null {
    if (of.layout === null) return null;
    of.look ??= this.#looks.lookOf(of.layout, of.devices, allocated);
    return of.look;
  }

  /** Notes that a device of the pool has changed hands. */
  deviceChanged(driver: string, pool: string): void {
    const group = this.#groups.get(keyOf(driver, pool));
    if (group?.isWide) {
      for (const known of this.#known.values()) known.look = null;
      this.#log.addAll();
      return;
    }
    for (const name of group?.nodes ?? []) {
      const known = this.#known.get(name);
      if (known !== undefined) known.look = null;
      this.#log.add(name);
    }
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
    const group: Group = this.#groups.get(key) ?? { slices: new Map(), nodes: [], isWide: false };
    this.#forget(key, group);
    const { slices } = group;
    if (now === undefined) slices.delete(name);
    else slices.set(name, now);
    if (slices.size === 0) this.#groups.delete(key);
    else this.#groups.set(key, group);
    const all = [...slices.values()];
    group.nodes = [...new Set(all.flatMap((slice) => slice.spec.nodeName ?? []))];
    group.isWide = all.some((slice) => !namesNode(slice));
    this.#forget(key, group);
    if (group.isWide) this.#wide.add(key);
    else this.#wide.delete(key);
    for (const node of group.nodes) {
      const keys = this.#byNode.get(node);
      if (keys === undefined) this.#byNode.set(node, new Set([key]));
      else keys.add(key);
    }
  }

  /** Drops what was found for the nodes of the pool. */
  #forget(key: string, { nodes, isWide }: Group): void {
    if (isWide) {
      this.#known.clear();
      this.#log.addAll();
    }
    for (const node of nodes) {
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

function keyOf(driver: string, pool: string): string {
  return `${driver}/${pool}`;
}
