import type { Node } from '../../../api/node.ts';
import type { ResourceSlice } from '../../../api/resource-claims.ts';
import type { FeatureGates } from '../../../config/feature-gates.ts';
import type { ClusterObjects } from '../../../framework/cluster-objects.ts';
import type { ObjectFeed } from '../../../framework/object-feed.ts';
import type { ChangeLog } from '../../../lib/change-log.ts';
import { getOrMake } from '../../../lib/get-or-make.ts';
import { PairMap } from '../../../lib/pair-map.ts';
import type { AllocatedDevices } from './allocated-devices.ts';
import { type DeviceLayout, DeviceLooks } from './device-looks.ts';
import { JoinedDevices, NodeDevices, OpenNodes } from './node-devices.ts';
import { mattersElsewhere, type Pool, reachOn } from './pools.ts';

/** The slices of one pool. */
interface Group {
  readonly driver: string;
  readonly pool: string;
  readonly slices: readonly ResourceSlice[];
  /** The nodes that slices name, each once. */
  readonly nodes: readonly string[];
  /** Whether any node might use the pool. */
  readonly isWide: boolean;
}

/**
 * The devices that each node can use, kept from attempt to attempt. A pool whose slices all name a node is looked at by
 * these nodes alone; any other pool by all nodes.
 */
export class DeviceIndex {
  readonly #objects: ClusterObjects;
  readonly #features: FeatureGates;
  readonly #open: OpenNodes;
  readonly #log: ChangeLog<string>;
  readonly #feed: ObjectFeed;
  readonly #looks = new DeviceLooks();
  /** The slices by name as they were last seen. */
  readonly #slices = new Map<string, ResourceSlice>();
  readonly #groups = new PairMap<Group>();
  /** The pools with a slice that names the node. */
  readonly #byNode = new Map<string, readonly Group[]>();
  /** The pools that any node might use. */
  readonly #wide = new Set<Group>();
  /** What was found for the nodes that slices name. */
  readonly #known = new Map<string, NodeDevices>();
  /** What was found last for the node of a slot; some of it may have changed since. */
  #bySlot: (NodeDevices | undefined)[] = [];
  /** The nodes of slots for which that is shared, since no slice names them. */
  #unnamed: (Node | undefined)[] = [];
  /** What was found for the other nodes, once for all that the same slices reach: when they go, no slice does. */
  #others = new WeakMap<Node, NodeDevices>();
  readonly #byReach = new Map<string, NodeDevices>();
  /** Changes with each device that changes hands in a pool that any node might use. */
  #wideVersion = 0;

  /** `log` records the nodes whose pools change. */
  constructor(objects: ClusterObjects, features: FeatureGates, log: ChangeLog<string>) {
    this.#objects = objects;
    this.#features = features;
    this.#open = new OpenNodes(features);
    this.#log = log;
    this.#feed = objects.follow(['ResourceSlice']);
    this.#readAll();
  }

  /** The pools of the node are those that `poolsOf` finds among all slices. `slot`: that of the node, if it has one. */
  devicesOf(node: Node, slot = NO_SLOT): NodeDevices {
    this.catchUp();
    const last = slot >= 0 && slot < this.#bySlot.length ? this.#bySlot[slot] : undefined;
    if (last?.isCurrent && (last.node === node || this.#unnamed[slot] === node)) return last;
    const name = node.metadata?.name ?? '';
    const own = this.#byNode.get(name);
    if (own === undefined) {
      const shared = this.#devicesElsewhere(node);
      if (slot >= 0) {
        this.#bySlot[slot] = shared;
        this.#unnamed[slot] = node;
      }
      return shared;
    }
    let found = this.#known.get(name);
    if (found?.node !== node) {
      if (found !== undefined) found.isCurrent = false;
      found = this.#wide.size === 0 ? this.#find(node, own) : this.#findBoth(node, own);
      this.#known.set(name, found);
    }
    if (slot >= 0) this.#bySlot[slot] = found;
    return found;
  }

  /** The devices of pools that any node might use, which are all that a node has that no slice names. */
  #devicesElsewhere(node: Node): NodeDevices {
    return getOrMake(this.#others, node, () => {
      const groups = [...this.#wide];
      const reach = groups.map(({ slices }) => slices.map((slice) => reachOn(slice, node)).join()).join(';');
      return getOrMake(this.#byReach, reach, () => this.#find(node, groups));
    });
  }

  /** The devices of a node that slices name, and of pools that any node might use. */
  #findBoth(node: Node, groups: readonly Group[]): NodeDevices {
    const elsewhere = this.#devicesElsewhere(node);
    const ofNode = groups.filter(({ isWide }) => !isWide);
    return new JoinedDevices(node, this.#find(node, ofNode, elsewhere.pools), elsewhere, this.#open);
  }

  /** `others`: the pools that the node has besides. */
  #find(node: Node, groups: readonly Group[], others = NO_POOLS): NodeDevices {
    const [first] = groups;
    const alone = first !== undefined && groups.length === 1 ? first : undefined;
    const slices = alone === undefined ? groups.flatMap((group) => group.slices) : alone.slices;
    const found = new NodeDevices(node, slices, this.#open);
    const isOwn = alone !== undefined && !alone.isWide && others.length === 0;
    const only = isOwn && slices.length === 1 ? slices[0] : undefined;
    found.layout =
      only === undefined
        ? this.#looks.layoutOf(found.pools, found.devices, isOwn && alone.nodes.length === 1, others)
        : this.#layoutOf(found, only);
    return found;
  }

  /** `only`: the one slice that the node can use, and the only one of its pool. */
  #layoutOf(of: NodeDevices, only: ResourceSlice): DeviceLayout {
    const known = this.#looks.layoutByExample(only);
    if (known !== undefined) {
      of.only = only;
      return known;
    }
    const layout = this.#looks.layoutOf(of.pools, of.devices, true, NO_POOLS);
    this.#looks.addExample(only, of.devices, layout);
    return layout;
  }

  /** The look of the node's devices: nodes with one look can give the same. */
  lookOf(of: NodeDevices, allocated: AllocatedDevices): number {
    if (of.look !== null && of.lookVersion === this.#wideVersion) return of.look;
    if (of instanceof JoinedDevices) {
      const { own } = of;
      // Pools that any node might use do not change it.
      own.look ??= this.#looks.lookOf(own.layout, own, allocated);
      of.look = this.#looks.lookOfBoth(own.look, this.lookOf(of.elsewhere, allocated));
    } else of.look = this.#looks.lookOf(of.layout, of, allocated);
    of.lookVersion = this.#wideVersion;
    return of.look;
  }

  /** Notes that a device of the pool has changed hands. */
  deviceChanged(driver: string, pool: string): void {
    const group = this.#groups.get(driver, pool);
    if (group?.isWide) {
      this.#wideVersion++;
      this.#log.addAll();
      return;
    }
    for (const name of group?.nodes ?? []) {
      this.#known.get(name)?.forgetLook();
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
    this.#forgetOthers();
    this.#forgetSlots();
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
    const { driver } = spec;
    const pool = spec.pool.name;
    const before = this.#groups.get(driver, pool);
    if (before !== undefined) this.#drop(before);
    const others = before?.slices.filter(({ metadata }) => metadata?.name !== name) ?? [];
    // A list of one that is written as such takes no room for more.
    const slices = now === undefined ? others : others.length === 0 ? [now] : [...others, now];
    if (slices.length === 0) return;
    const isWide = !slices.every(namesNode) || (slices.some(hasCounters) && mattersElsewhere(slices, this.#features));
    this.#enter({ driver, pool, slices, nodes: nodesOf(slices), isWide });
  }

  #enter(group: Group): void {
    this.#groups.set(group.driver, group.pool, group);
    if (group.isWide) this.#wide.add(group);
    for (const node of group.nodes) {
      const others = this.#byNode.get(node);
      this.#byNode.set(node, others === undefined ? [group] : [...others, group]);
    }
    this.#forgetNodes(group);
  }

  #drop(group: Group): void {
    this.#groups.delete(group.driver, group.pool);
    this.#wide.delete(group);
    for (const node of group.nodes) {
      const left = (this.#byNode.get(node) ?? NO_GROUPS).filter((other) => other !== group);
      if (left.length > 0) this.#byNode.set(node, left);
      else this.#byNode.delete(node);
    }
    this.#forgetNodes(group);
  }

  /** Drops what was found for the nodes of the pool. */
  #forgetNodes({ nodes, isWide }: Group): void {
    if (isWide) {
      this.#known.clear();
      this.#forgetOthers();
      this.#forgetSlots();
      this.#log.addAll();
    }
    for (const node of nodes) {
      const known = this.#known.get(node);
      if (known !== undefined) known.isCurrent = false;
      // No slice has named it, so that it may share what is known of its slot.
      else this.#forgetSlots();
      this.#known.delete(node);
      this.#log.add(node);
    }
  }

  #forgetSlots(): void {
    this.#bySlot = [];
    this.#unnamed = [];
  }

  #forgetOthers(): void {
    this.#others = new WeakMap();
    this.#byReach.clear();
  }
}

/** Stands for the slot of a node that none is known of. */
const NO_SLOT = -1;
const NO_GROUPS: readonly Group[] = [];
const NO_POOLS: readonly Pool[] = [];

/** The nodes that the slices name, each once. */
function nodesOf(slices: readonly ResourceSlice[]): readonly string[] {
  const [first] = slices;
  if (first !== undefined && slices.length === 1) return first.spec.nodeName === undefined ? [] : [first.spec.nodeName];
  return [...new Set(slices.flatMap(({ spec }) => spec.nodeName ?? []))];
}

function namesNode({ spec }: ResourceSlice): boolean {
  return Boolean(spec.nodeName) && spec.perDeviceNodeSelection !== true;
}

function hasCounters({ spec }: ResourceSlice): boolean {
  return (spec.sharedCounters ?? []).length > 0;
}
