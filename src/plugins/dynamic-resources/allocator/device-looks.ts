import type { Device, ResourceSlice } from '../../../api/resource-claims.ts';
import { getOrMake } from '../../../lib/get-or-make.ts';
import type { AllocatedDevices } from './allocated-devices.ts';
import { areEqualDevices, haveOwnNames } from './equal-devices.ts';
import { jsonWithIntegers } from './json-with-integers.ts';
import { comparePools, type Pool, type PoolDevice } from './pools.ts';

/** More layouts than this are not compared: then the devices of every node are described in their own way. */
const MOST_LAYOUTS = 4096;
/** Other slices are compared with at most this many. */
const MOST_EXAMPLES = 8;
/** So many looks of devices elsewhere are joined to others before all are forgotten. */
const MOST_JOINED = 100;
/** The devices whose use is one number. */
const WORD_DEVICES = 30;

/** What devices a node has, without their names and without who uses them. Nodes with equal devices share it. */
export interface DeviceLayout {
  /** The numbers of looks, by which of the devices are in use; null before the first. */
  looks: Map<number | string, number> | null;
}

/** The layout of nodes that are compared with no other, whose looks all differ. */
export const UNSHARED: DeviceLayout = { looks: null };

/**
 * Numbers nodes by the looks of their devices: two nodes have the same number if the search for devices takes the same
 * course on both, because their devices differ in nothing but names, and devices at the same places are in use.
 *
 *   node a   h100 h100 a100   in use ✓ · ·  ─▶ look 1
 *   node b   h100 h100 a100   in use · · ·  ─▶ look 2
 *   node c   h100 h100 a100   in use ✓ · ·  ─▶ look 1
 */
export class DeviceLooks {
  readonly #layouts = new Map<string, DeviceLayout>();
  /** Slices that are all that their nodes have, and have usable devices alone; the last one first. */
  readonly #examples: { readonly spec: ResourceSlice['spec']; readonly layout: DeviceLayout }[] = [];
  /** By the look of the devices elsewhere, and of its own ones. */
  readonly #joined = new Map<number, Map<number, number>>();
  #nextLook = 0;

  /**
   * The layout of the one slice of a pool that names its node, if an example is known that has equal devices: this
   * costs a walk over them, and all of them are usable. Undefined if it is to be found by `layoutOf`.
   */
  layoutByExample({ spec }: ResourceSlice): DeviceLayout | undefined {
    const { devices = NO_DEVICES } = spec;
    for (const { spec: example, layout } of this.#examples) {
      if (example.driver !== spec.driver) continue;
      if (example.pool.resourceSliceCount !== spec.pool.resourceSliceCount) continue;
      if (!areEqualDevices(devices, example.devices ?? NO_DEVICES)) continue;
      // Names do not matter, unless a device is listed twice.
      return haveOwnNames(devices) ? layout : undefined;
    }
    return undefined;
  }

  /** Remembers the slice of such a pool if all of its devices are usable; `devices`: those of the node. */
  addExample({ spec }: ResourceSlice, devices: readonly PoolDevice[], layout: DeviceLayout): void {
    if (layout === UNSHARED || devices.length !== (spec.devices ?? NO_DEVICES).length) return;
    // Counters are not compared with those of the example.
    if ((spec.sharedCounters ?? []).length > 0) return;
    this.#examples.unshift({ spec, layout });
    if (this.#examples.length > MOST_EXAMPLES) this.#examples.pop();
  }

  /**
   * The layout of the devices, which are those of the pools that can be used. It is shared with no other node if the
   * search reads more than the devices and whether they are in use. `isOwn`: all devices of the pools are those of this
   * node. `others`: the pools that the node has besides, among which devices of these stand at their places.
   */
  layoutOf(
    pools: readonly Pool[],
    devices: readonly PoolDevice[],
    isOwn: boolean,
    others: readonly Pool[],
  ): DeviceLayout {
    if (!pools.every(isTakenWhole)) return UNSHARED;
    // What other nodes use of counters is not seen in the devices of this node.
    if (pools.some(hasCounters) && !(isOwn && pools.length === 1 && isAllOf(pools, devices))) return UNSHARED;
    if (this.#layouts.size >= MOST_LAYOUTS) return UNSHARED;
    const places = pools.map((pool) => others.filter((other) => comparePools(other, pool) < 0).length);
    const text = textOf(pools, devices) + places;
    let layout = this.#layouts.get(text);
    if (layout === undefined) {
      layout = { looks: null };
      this.#layouts.set(text, layout);
    }
    return layout;
  }

  /** The number of the look that the node's devices, which have this layout, have at present. */
  lookOf(layout: DeviceLayout, node: LookedAt, { whole }: AllocatedDevices): number {
    if (layout === UNSHARED) return this.#nextLook++;
    layout.looks ??= new Map();
    const isUnused = whole.isEmpty || node.slices.every((slice) => isFree(slice, whole));
    const use = isUnused ? NOTHING_IN_USE : useOf(node, whole);
    return getOrMake(layout.looks, use, () => this.#nextLook++);
  }

  /** The number of the look that a node's own devices have together with those that it has elsewhere. */
  lookOfBoth(own: number, elsewhere: number): number {
    if (this.#joined.size > MOST_JOINED) this.#joined.clear();
    return getOrMake(getOrMake(this.#joined, elsewhere, newMap), own, () => this.#nextLook++);
  }
}

function newMap(): Map<number, number> {
  return new Map();
}

/** What is looked at: `slices` are all that list devices of the node, and perhaps others. */
export interface LookedAt {
  /** The one slice, if its devices are those of the node; else null. */
  readonly only: ResourceSlice | null;
  readonly slices: readonly ResourceSlice[];
  readonly devices: readonly PoolDevice[];
}

const NOTHING_IN_USE = 0;

/** Whether claims hold nothing of the slice's pool. */
function isFree({ spec }: ResourceSlice, whole: AllocatedDevices['whole']): boolean {
  return whole.ofPool(spec.driver, spec.pool.name) === undefined;
}

const NO_DEVICES: readonly Device[] = [];

/** Which devices are in use, one bit each. */
function useOf(node: LookedAt, whole: AllocatedDevices['whole']): number | string {
  const use = new UseBits();
  const { only } = node;
  if (only !== null) {
    const held = whole.ofPool(only.spec.driver, only.spec.pool.name);
    // An iterator over a frozen list makes an object for each item.
    const devices = only.spec.devices ?? NO_DEVICES;
    for (let i = 0; i < devices.length; i++) use.add(held?.has((devices[i] as Device).name) ?? false);
    return use.bits;
  }
  let slice: PoolDevice['slice'] | null = null;
  let held: ReturnType<typeof whole.ofPool>;
  for (const each of node.devices) {
    if (each.slice !== slice) {
      slice = each.slice;
      held = whole.ofPool(slice.spec.driver, slice.spec.pool.name);
    }
    use.add(held?.has(each.device.name) ?? false);
  }
  return use.bits;
}

class UseBits {
  #words = '';
  #word = 0;
  #count = 0;
  #isAnyInUse = false;

  add(isInUse: boolean): void {
    if (this.#count > 0 && this.#count % WORD_DEVICES === 0) {
      this.#words += `${this.#word},`;
      this.#word = 0;
    }
    if (isInUse) {
      this.#word |= 1 << (this.#count % WORD_DEVICES);
      this.#isAnyInUse = true;
    }
    this.#count++;
  }

  get bits(): number | string {
    if (!this.#isAnyInUse) return NOTHING_IN_USE;
    return this.#words === '' ? this.#word : this.#words + this.#word;
  }
}

/** Whether no device is shared, which would depend on more than whether it is in use. */
function isTakenWhole({ slices }: Pool): boolean {
  return slices.every(({ spec }) => (spec.devices ?? []).every((device) => device.allowMultipleAllocations !== true));
}

function hasCounters({ slices }: Pool): boolean {
  return slices.some(
    ({ spec }) =>
      (spec.sharedCounters ?? []).length > 0 ||
      (spec.devices ?? []).some(({ consumesCounters = [] }) => consumesCounters.length > 0),
  );
}

/** Whether the devices, any of which may use up counters, are all that the pools have. */
function isAllOf(pools: readonly Pool[], devices: readonly PoolDevice[]): boolean {
  let count = 0;
  for (const { slices } of pools) for (const { spec } of slices) count += (spec.devices ?? NO_DEVICES).length;
  return count === devices.length;
}

/**
 * All that the search reads of the devices, as text; where each pool begins does not matter to it, since only devices
 * of a single pool use up counters.
 */
function textOf(pools: readonly Pool[], devices: readonly PoolDevice[]): string {
  const states = pools.map(({ isInvalid, isIncomplete }) => (isInvalid ? 'x' : isIncomplete ? '-' : '+'));
  const described = devices.map(({ device: { name: _, ...others }, slice }) => [slice.spec.driver, others]);
  const counters = pools.filter(hasCounters).map(({ slices }) => slices.map(({ spec }) => spec.sharedCounters ?? []));
  return jsonWithIntegers([states, described, counters]);
}
