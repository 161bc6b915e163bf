import type { Device } from '../../../api/resource-claims.ts';
import { getOrMake } from '../../../lib/get-or-make.ts';
import type { AllocatedDevices } from './allocated-devices.ts';
import { jsonWithIntegers } from './json-with-integers.ts';
import type { Pool, PoolDevice } from './pools.ts';

/** More layouts than this are not compared: then the devices of every node are described in their own way. */
const MOST_LAYOUTS = 4096;
/** The devices whose use is one number. */
const WORD_DEVICES = 30;

/** What devices a node has, without their names and without who uses them. Nodes with equal devices share it. */
export interface DeviceLayout {
  /** The numbers of looks, by which of the devices are in use; null before the first. */
  looks: Map<number | string, number> | null;
}

/** The layout of nodes that are compared with no other, whose looks all differ. */
const UNSHARED: DeviceLayout = { looks: null };

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
  #nextLook = 0;

  /**
   * The layout of the devices, which are those of the pools that can be used; null if the search reads more than the
   * devices and whether they are in use.
   */
  layoutOf(pools: readonly Pool[], devices: readonly PoolDevice[]): DeviceLayout | null {
    if (!pools.every(isSimple)) return null;
    if (this.#layouts.size >= MOST_LAYOUTS) return UNSHARED;
    const text = textOf(pools, devices);
    let layout = this.#layouts.get(text);
    if (layout === undefined) {
      layout = { looks: null };
      this.#layouts.set(text, layout);
    }
    return layout;
  }

  /** The number of the look that the devices of this layout have at present. */
  lookOf(layout: DeviceLayout, devices: readonly PoolDevice[], { whole }: AllocatedDevices): number {
    if (layout === UNSHARED) return this.#nextLook++;
    layout.looks ??= new Map();
    return getOrMake(layout.looks, useOf(devices, whole), () => this.#nextLook++);
  }
}

/** Which devices are in use, one bit each. */
function useOf(devices: readonly PoolDevice[], whole: AllocatedDevices['whole']): number | string {
  let word = 0;
  let words = '';
  let slice: PoolDevice['slice'] | null = null;
  let held: ReturnType<typeof whole.ofPool>;
  for (let i = 0; i < devices.length; i++) {
    if (i > 0 && i % WORD_DEVICES === 0) {
      words += `${word},`;
      word = 0;
    }
    const each = devices[i] as PoolDevice;
    if (each.slice !== slice) {
      slice = each.slice;
      held = whole.ofPool(slice.spec.driver, slice.spec.pool.name);
    }
    if (held?.has(each.device.name)) word |= 1 << (i % WORD_DEVICES);
  }
  return words === '' ? word : words + word;
}

/** Whether no counters are shared and no device, which would depend on more than the devices that are in use. */
function isSimple({ slices }: Pool): boolean {
  return slices.every(
    ({ spec }) => (spec.sharedCounters ?? []).length === 0 && (spec.devices ?? []).every(isTakenAsAWhole),
  );
}

function isTakenAsAWhole({ allowMultipleAllocations, consumesCounters = [] }: Device): boolean {
  return allowMultipleAllocations !== true && consumesCounters.length === 0;
}

/** All that the search reads of the devices, as text; where each pool begins does not matter to it. */
function textOf(pools: readonly Pool[], devices: readonly PoolDevice[]): string {
  const states = pools.map(({ isInvalid, isIncomplete }) => (isInvalid ? 'x' : isIncomplete ? '-' : '+'));
  const described = devices.map(({ device: { name: _, ...others }, slice }) => [slice.spec.driver, others]);
  return jsonWithIntegers([states, described]);
}
