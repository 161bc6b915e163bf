import type { Node } from '../../../api/node.ts';
import type { NodeSelector } from '../../../api/node-selector.ts';
import type { Device, ResourceSlice } from '../../../api/resource-claims.ts';
import type { FeatureGates } from '../../../config/feature-gates.ts';
import { onNode } from './allocation-result.ts';
import { type DeviceLayout, UNSHARED } from './device-looks.ts';
import { comparePools, type Pool, type PoolDevice, poolsOf, usableDevices } from './pools.ts';

/** At most this many nodes have their pools at hand: large clusters have more devices than memory has room for. */
const MOST_OPEN = 4096;

/** The devices of a node. Most nodes are known by the layout of their devices, and are never asked for more. */
export class NodeDevices {
  readonly node: Node;
  readonly #slices: readonly ResourceSlice[];
  readonly #open: OpenNodes;
  /** Nodes are compared by it. */
  layout: DeviceLayout = UNSHARED;
  /** The number of the look that the devices have; null if it has to be looked up again. */
  look: number | null = null;
  /** The state of the pools of all nodes in which the look was found. */
  lookVersion = 0;
  /** Whether nothing has changed about its slices since. */
  isCurrent = true;
  /** The one slice that the node can use, all of whose devices are usable; null if there may be others. */
  only: ResourceSlice | null = null;
  #pools: readonly Pool[] | null = null;
  #selector: NodeSelector | null = null;

  constructor(node: Node, slices: readonly ResourceSlice[], open: OpenNodes) {
    this.node = node;
    this.#slices = slices;
    this.#open = open;
  }

  /** The slices among which are all that the node can use. */
  get slices(): readonly ResourceSlice[] {
    return this.#slices;
  }

  /** What selects the node alone, shared by all claims that have devices of it. */
  get selector(): NodeSelector {
    this.#selector ??= onNode(this.node.metadata?.name ?? '');
    return this.#selector;
  }

  get pools(): readonly Pool[] {
    if (this.#pools === null) {
      this.#pools = this.findPools(this.#open.features);
      this.#open.add(this);
    }
    return this.#pools;
  }

  protected findPools(features: FeatureGates): readonly Pool[] {
    return poolsOf(this.node, this.slices, features);
  }

  /** The devices of usable pools, in the order in which they are looked for. */
  get devices(): readonly PoolDevice[] {
    const { only: slice } = this;
    return slice === null ? usableDevices(this.pools) : (slice.spec.devices ?? []).map((device) => ({ device, slice }));
  }

  /** The device at this place among them. */
  deviceAt(place: number): PoolDevice {
    const { only: slice } = this;
    if (slice === null) return this.devices[place] as PoolDevice;
    return { device: slice.spec.devices?.[place] as Device, slice };
  }

  forgetLook(): void {
    this.look = null;
  }

  /** Forgets the pools until they are asked for again. */
  close(): void {
    this.#pools = null;
  }
}

/** The devices of a node that has pools of its own, and reaches pools that others reach as well. */
export class JoinedDevices extends NodeDevices {
  readonly own: NodeDevices;
  /** Shared by all nodes that reach the same. */
  readonly elsewhere: NodeDevices;

  constructor(node: Node, own: NodeDevices, elsewhere: NodeDevices, open: OpenNodes) {
    super(node, [], open);
    this.own = own;
    this.elsewhere = elsewhere;
  }

  override get slices(): readonly ResourceSlice[] {
    return [...this.own.slices, ...this.elsewhere.slices];
  }

  protected override findPools(): readonly Pool[] {
    return [...this.own.pools, ...this.elsewhere.pools].sort(comparePools);
  }

  override forgetLook(): void {
    super.forgetLook();
    this.own.forgetLook();
  }
}

/** The nodes whose pools were asked for lately. */
export class OpenNodes {
  readonly features: FeatureGates;
  readonly #nodes: NodeDevices[] = [];
  #next = 0;

  constructor(features: FeatureGates) {
    this.features = features;
  }

  /** Adds a node, and closes the one that was added longest ago when there are too many. */
  add(node: NodeDevices): void {
    this.#nodes[this.#next]?.close();
    this.#nodes[this.#next] = node;
    this.#next = (this.#next + 1) % MOST_OPEN;
  }
}
