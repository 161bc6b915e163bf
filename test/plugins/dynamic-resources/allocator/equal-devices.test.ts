import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Device } from '../../../../src/api/resource-claims.ts';
import { DEFAULT_FEATURE_GATES } from '../../../../src/config/feature-gates.ts';
import { HeldDevices } from '../../../../src/plugins/dynamic-resources/allocator/allocated-devices.ts';
import { DeviceLooks } from '../../../../src/plugins/dynamic-resources/allocator/device-looks.ts';
import { areEqualDevices, haveOwnNames } from '../../../../src/plugins/dynamic-resources/allocator/equal-devices.ts';
import { jsonWithIntegers } from '../../../../src/plugins/dynamic-resources/allocator/json-with-integers.ts';
import { poolsOf, usableDevices } from '../../../../src/plugins/dynamic-resources/allocator/pools.ts';
import { DRIVER, makeSlice } from '../../../builders/make-devices.ts';
import { makeNode } from '../../../builders/make-node.ts';

const value = fc.oneof(
  fc.record({ string: fc.constantFrom('x', 'y') }),
  fc.record({ int: fc.constantFrom<number | bigint>(1, 2n ** 60n) }),
  fc.record({ strings: fc.array(fc.constantFrom('x', 'y'), { maxLength: 2 }) }),
);
const key = fc.constantFrom('model', 'numa', '__proto__', 'constructor');
const device = fc
  .record({ name: fc.constantFrom('d0', 'd1', 'd2'), attributes: fc.dictionary(key, value, { maxKeys: 2 }) })
  .chain((made) =>
    fc.constantFrom<unknown>(made, { ...made, taints: [] }, { name: made.name }),
  ) as fc.Arbitrary<Device>;
const devices = fc.array(device, { maxLength: 3 });

/** The devices without their names, as text in which the order of members does not matter. */
function textOf(list: readonly Device[]): string {
  const sorted = list.map(({ name: _, attributes, ...others }) => [
    others,
    Object.entries(attributes ?? {}).sort(([a], [b]) => (a < b ? -1 : 1)),
    attributes === undefined,
  ]);
  return jsonWithIntegers(sorted);
}

/** Whether there is a member of this name, with which devices are not recognised. */
function hasPrototype(list: readonly Device[]): boolean {
  return list.some(({ attributes = {} }) => Object.hasOwn(attributes, '__proto__'));
}

describe('areEqualDevices', () => {
  it('compares everything but names', () => {
    const renamed = devices.map((list) => structuredClone(list).map((each, i) => ({ ...each, name: `other-${i}` })));
    fc.assert(
      fc.property(fc.oneof(fc.tuple(devices, devices), fc.clone(devices, 2), fc.tuple(devices, renamed)), ([a, b]) => {
        expect(areEqualDevices(a, b)).toBe(textOf(a) === textOf(b) && !hasPrototype(a));
      }),
      { numRuns: 400 },
    );
  });
});

describe('haveOwnNames', () => {
  it('finds names that occur twice, among few and many', () => {
    const many = Array.from({ length: 40 }, (_, i) => ({ name: `d${i}` }));
    expect([[], many.slice(0, 8), many].map(haveOwnNames)).toEqual([true, true, true]);
    expect(
      [
        [...many.slice(0, 8), { name: 'd3' }],
        [...many, { name: 'd39' }],
      ].map(haveOwnNames),
    ).toEqual([false, false]);
  });
});

describe('DeviceLooks, of slices that are alone in their pools', () => {
  it('knows the layout by an example only where the devices have this layout', () => {
    const node = makeNode('a');
    const free = { whole: new HeldDevices(), shared: new Map() };
    const used = { whole: new HeldDevices(), shared: new Map() };
    used.whole.count(DRIVER, 'a', 'd0', 1);
    fc.assert(
      fc.property(fc.array(devices, { minLength: 2, maxLength: 12 }), (lists) => {
        const looks = new DeviceLooks();
        /** The text of the devices that each look has. */
        const numbers = new Map<number, string>();
        for (const list of [...lists, ...lists]) {
          const slices = [makeSlice('a', list)];
          const pools = poolsOf(node, slices, DEFAULT_FEATURE_GATES);
          const of = { slices, only: null, devices: usableDevices(pools) };
          const known = looks.layoutByExample(slices[0]!);
          const layout = known ?? looks.layoutOf(pools, of.devices, true, []);
          if (known === undefined) looks.addExample(slices[0]!, of.devices, layout);
          // Of devices that are listed twice none is usable.
          const text = haveOwnNames(list) ? textOf(list) : '';
          const number = looks.lookOf(layout!, of, free);
          expect(numbers.get(number) ?? text).toBe(text);
          numbers.set(number, text);
          const only = known === undefined ? null : slices[0]!;
          expect(looks.lookOf(layout!, { ...of, only }, used)).toBe(looks.lookOf(layout!, of, used));
        }
      }),
      { numRuns: 100 },
    );
  });
});
