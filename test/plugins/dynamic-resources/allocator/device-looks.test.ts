import { describe, expect, it } from 'vitest';
import { DEFAULT_FEATURE_GATES } from '../../../../src/config/feature-gates.ts';
import { HeldDevices } from '../../../../src/plugins/dynamic-resources/allocator/allocated-devices.ts';
import { DeviceLooks } from '../../../../src/plugins/dynamic-resources/allocator/device-looks.ts';
import { poolsOf, usableDevices } from '../../../../src/plugins/dynamic-resources/allocator/pools.ts';
import { DRIVER, makeSlice } from '../../../builders/make-devices.ts';
import { makeNode } from '../../../builders/make-node.ts';

function devicesOf(node: string, attributes?: { readonly serial: { readonly string: string } }) {
  const devices = ['d0', 'd1'].map((name) => (attributes === undefined ? name : { name, attributes }));
  const slices = [makeSlice(node, devices)];
  const pools = poolsOf(makeNode(node), slices, DEFAULT_FEATURE_GATES);
  return { pools, slices, only: null, devices: usableDevices(pools) };
}

describe('DeviceLooks', () => {
  it('numbers nodes alike that have equal devices, of which the same are in use', () => {
    const looks = new DeviceLooks();
    const whole = new HeldDevices();
    const lookOf = (node: string): number => {
      const of = devicesOf(node);
      return looks.lookOf(looks.layoutOf(of.pools, of.devices, true, []), of, { whole, shared: new Map() });
    };
    const free = lookOf('a');
    expect(lookOf('b')).toBe(free);
    whole.count(DRIVER, 'a', 'd1', 1);
    const used = lookOf('a');
    expect([used === free, lookOf('b')]).toEqual([false, free]);
    whole.count(DRIVER, 'b', 'd1', 1);
    expect(lookOf('b')).toBe(used);
    whole.count(DRIVER, 'b', 'd1', 1);
    whole.count(DRIVER, 'b', 'd1', -1);
    expect(lookOf('b')).toBe(used);
    whole.count(DRIVER, 'b', 'd1', -1);
    expect(lookOf('b')).toBe(free);
  });

  it('gives every look a number of its own when there are too many kinds of devices to compare', () => {
    const looks = new DeviceLooks();
    const numbers = new Set<number>();
    const held = { whole: new HeldDevices(), shared: new Map() };
    for (let i = 0; i < 5000; i++) {
      const of = devicesOf('a', { serial: { string: `${i}` } });
      numbers.add(looks.lookOf(looks.layoutOf(of.pools, of.devices, true, []), of, held));
    }
    expect(numbers.size).toBe(5000);
  });
});
