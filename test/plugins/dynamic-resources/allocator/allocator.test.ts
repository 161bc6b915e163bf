import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ResourceClaim, ResourceSlice } from '../../../../src/api/resource-claims.ts';
import { DEFAULT_FEATURE_GATES, type FeatureGates } from '../../../../src/config/feature-gates.ts';
import { allocatedDevices } from '../../../../src/plugins/dynamic-resources/allocator/allocated-devices.ts';
import { Allocator } from '../../../../src/plugins/dynamic-resources/allocator/allocator.ts';
import { poolsOf } from '../../../../src/plugins/dynamic-resources/allocator/pools.ts';
import { AllocationError, SelectorCache } from '../../../../src/plugins/dynamic-resources/allocator/selector-cache.ts';
import { DRIVER, makeDeviceClaim, makeDeviceClass, makeSlice, withDevices } from '../../../builders/make-devices.ts';
import { makeNode } from '../../../builders/make-node.ts';

const ODD = makeDeviceClass('odd', `device.attributes["${DRIVER}"].index % 2 == 1`);
const NONE = makeDeviceClass('none', 'false');
const CLASSES = new Map([makeDeviceClass(), ODD, NONE].map((one) => [one.metadata?.name, one]));

/** Tries the claims on node `n`; returns devices by claim, or why there are none. */
function allocate(
  slices: readonly ResourceSlice[],
  claims: readonly ResourceClaim[],
  held: readonly ResourceClaim[] = [],
  gates: Partial<FeatureGates> = {},
): string[][] | string {
  const features = { ...DEFAULT_FEATURE_GATES, ...gates };
  const allocator = new Allocator({
    features,
    poolsOf: (node) => poolsOf(node, slices, features),
    selectors: new SelectorCache(false),
    deviceClass: (name) => CLASSES.get(name),
    allocated: allocatedDevices(held, features),
  });
  const found = allocator.allocate(makeNode('n'), claims);
  if (found instanceof AllocationError) return found.message;
  if (typeof found === 'string') return found;
  return found.map(({ devices }) => (devices?.results ?? []).map(({ request, device }) => `${request} ${device}`));
}

const gpu = (index: number, more: object = {}) => ({
  name: `d${index}`,
  attributes: { index: { int: index } },
  ...more,
});
const part = (index: number, slices: number, more: object = {}) =>
  gpu(index, { consumesCounters: [{ counterSet: 'card', counters: { slices: { value: String(slices) } } }], ...more });
const CARD = { sharedCounters: [{ name: 'card', counters: { slices: { value: '3' } } }] };
const REFUSED = 'cannot allocate all claims';

describe('Allocator', () => {
  it('takes the first devices that fit, and goes back where that leaves too few for later requests', () => {
    const slices = [makeSlice('n', [gpu(0), gpu(1), gpu(2)])];
    const odd = { name: 'odd', exactly: { deviceClassName: 'odd', count: 1 } };
    expect(allocate(slices, [makeDeviceClaim('a', [1, 1]), makeDeviceClaim('b', [1])])).toEqual([
      ['r0 d0', 'r1 d1'],
      ['r0 d2'],
    ]);
    expect(allocate(slices, [makeDeviceClaim('a', [2, odd])])).toEqual([['r0 d0', 'r0 d2', 'odd d1']]);
    expect(allocate(slices, [makeDeviceClaim('a', [4])])).toBe(REFUSED);
  });

  it('leaves out what other claims hold, and devices of other nodes', () => {
    const held = withDevices(makeDeviceClaim('held', [1]), 'n', ['d0'], ['p']);
    const slices = [makeSlice('n', [gpu(0), gpu(1)]), makeSlice('m', [gpu(7)])];
    expect(allocate(slices, [makeDeviceClaim('a', [1])], [held])).toEqual([['r0 d1']]);
    expect(allocate(slices, [makeDeviceClaim('a', [2])], [held])).toBe(REFUSED);
    const admin = { name: 'r', exactly: { deviceClassName: 'gpu', adminAccess: true } };
    expect(allocate(slices, [makeDeviceClaim('a', [admin])], [held])).toEqual([['r d0']]);
  });

  it('takes all matching devices, which must be free and known in full', () => {
    const all = makeDeviceClaim('a', [{ name: 'r', exactly: { deviceClassName: 'odd', allocationMode: 'All' } }]);
    expect(allocate([makeSlice('n', [gpu(0), gpu(1), gpu(3)])], [all])).toEqual([['r d1', 'r d3']]);
    expect(allocate([makeSlice('n', [gpu(0)])], [all])).toBe(REFUSED);
    const half = makeSlice('n', [gpu(1)], { pool: { name: 'n', generation: 1, resourceSliceCount: 2 } });
    expect(allocate([half], [all])).toBe(
      `claim default/a, request r: asks for all devices, but resource pool ${DRIVER}/n is currently being updated`,
    );
  });

  it('prefers earlier alternatives, and leaves out those that are too many', () => {
    const either = (...counts: number[]) => ({
      name: 'r',
      firstAvailable: counts.map((count) => ({ name: `x${count}`, deviceClassName: 'gpu', count })),
    });
    const slices = [makeSlice('n', [gpu(0), gpu(1)])];
    expect(allocate(slices, [makeDeviceClaim('a', [either(3, 2, 1)])])).toEqual([['r/x2 d0', 'r/x2 d1']]);
    expect(allocate(slices, [makeDeviceClaim('a', [either(40, 1)])])).toEqual([['r/x1 d0']]);
    expect(allocate(slices, [makeDeviceClaim('a', [either(40), 1])])).toMatch(/number of requested devices 41 exceeds/);
  });

  it('keeps constraints on attributes', () => {
    const slices = [makeSlice('n', [gpu(0), gpu(1), { ...gpu(0), name: 'd2' }])];
    const same = { constraints: [{ matchAttribute: `${DRIVER}/index` }] };
    const distinct = { constraints: [{ distinctAttribute: `${DRIVER}/index` }] };
    expect(allocate(slices, [makeDeviceClaim('a', [2], same)])).toEqual([['r0 d0', 'r0 d2']]);
    expect(allocate(slices, [makeDeviceClaim('a', [1, 1], distinct)])).toEqual([['r0 d0', 'r1 d1']]);
    expect(allocate(slices, [makeDeviceClaim('a', [3], same)])).toBe(REFUSED);
  });

  it('shares counters and capacity', () => {
    const parts = [makeSlice('n', [part(0, 2), part(1, 2), part(2, 1)], CARD)];
    expect(allocate(parts, [makeDeviceClaim('a', [2])])).toEqual([['r0 d0', 'r0 d2']]);
    const shared = makeSlice('n', [
      gpu(0, { allowMultipleAllocations: true, capacity: { memory: { value: '10Gi' } } }),
    ]);
    const some = (memory: string) => {
      return { name: 'r', exactly: { deviceClassName: 'gpu', capacity: { requests: { memory } } } };
    };
    const claims = ['6Gi', '4Gi'].map((memory, i) => makeDeviceClaim(`c${i}`, [some(memory)]));
    expect(allocate([shared], claims)).toEqual([['r d0'], ['r d0']]);
    expect(allocate([shared], [...claims, makeDeviceClaim('c', [some('1')])])).toBe(REFUSED);
  });

  it('finds what is wrong with a claim, even where another request already has no device', () => {
    const all = (name: string, deviceClassName: string) => ({
      name,
      exactly: { deviceClassName, allocationMode: 'All' },
    });
    const noIndex = makeSlice('n', [{ name: 'd0' }], { driver: DRIVER });
    const claims = [makeDeviceClaim('a', [all('r', 'none')]), makeDeviceClaim('b', [all('r', 'odd')])];
    expect(allocate([noIndex], claims)).toMatch(/class odd: selector #0: .*no such key: index/);
    const none = { name: 'all', deviceClassName: 'none', allocationMode: 'All' };
    const either = { name: 'q', firstAvailable: [none, { name: 'many', deviceClassName: 'gpu', count: 40 }] };
    expect(allocate([makeSlice('n', [gpu(0)])], [makeDeviceClaim('a', [either])])).toBe(REFUSED);
  });

  it('asks the selector of a device before it looks at the capacity', () => {
    const small = makeSlice('n', [{ name: 'd0', capacity: { memory: { value: '1Gi' } } }, gpu(1)]);
    const exactly = { deviceClassName: 'odd', capacity: { requests: { memory: '2Gi' } } };
    for (const allocationMode of ['All', 'ExactCount']) {
      const claim = makeDeviceClaim('a', [{ name: 'r', exactly: { ...exactly, allocationMode } }]);
      expect(allocate([small], [claim])).toMatch(/no such key: index/);
    }
  });

  it('counts devices with admin access as in use, and their counters as taken, while the pod looks for more', () => {
    const admin = { name: 'r', exactly: { deviceClassName: 'gpu', adminAccess: true } };
    const slices = [makeSlice('n', [gpu(0), gpu(1)])];
    expect(allocate(slices, [makeDeviceClaim('a', [admin]), makeDeviceClaim('b', [1])])).toEqual([['r d0'], ['r0 d1']]);
    expect(allocate(slices, [makeDeviceClaim('a', [1]), makeDeviceClaim('b', [admin])])).toEqual([['r0 d0'], ['r d0']]);
    const parts = [makeSlice('n', [part(0, 2), part(1, 2), part(2, 1)], CARD)];
    expect(allocate(parts, [makeDeviceClaim('a', [admin]), makeDeviceClaim('b', [1])])).toEqual([['r d0'], ['r0 d2']]);
  });

  it('keeps the counters of devices that it refuses for a taint or a constraint, as v1.36.2 does', () => {
    const taints = [{ key: 'bad', effect: 'NoSchedule' }];
    const tainted = [makeSlice('n', [part(0, 2, { taints }), part(1, 2), part(2, 1)], CARD)];
    expect(allocate(tainted, [makeDeviceClaim('a', [1])])).toEqual([['r0 d2']]);
    const same = { constraints: [{ matchAttribute: `${DRIVER}/index` }] };
    const twins = [makeSlice('n', [part(0, 1), part(1, 1), { ...part(0, 1), name: 'd2' }], CARD)];
    expect(allocate(twins, [makeDeviceClaim('a', [2], same)])).toEqual([['r0 d0', 'r0 d2']]);
    const two = { sharedCounters: [{ name: 'card', counters: { slices: { value: '2' } } }] };
    const [narrow] = twins.map(({ spec }) => makeSlice('n', spec.devices ?? [], two));
    expect(allocate([narrow as ResourceSlice], [makeDeviceClaim('a', [2], same)])).toBe(REFUSED);
  });

  it('gives no device of a pool whose counters are overdrawn', () => {
    const counters = { memory: { value: '1' }, slices: { value: '3' } };
    const card = { sharedCounters: [{ name: 'card', counters }] };
    const greedy = gpu(0, { consumesCounters: [{ counterSet: 'card', counters: { memory: { value: '2' } } }] });
    const slices = [makeSlice('n', [greedy, part(1, 1), gpu(2)], card)];
    const held = withDevices(makeDeviceClaim('held', [1]), 'n', ['d0'], ['p']);
    expect(allocate(slices, [makeDeviceClaim('a', [1])])).toEqual([['r0 d1']]);
    expect(allocate(slices, [makeDeviceClaim('a', [1])], [held])).toEqual([['r0 d2']]);
  });

  it('does not touch tainted devices that are not tolerated', () => {
    const slices = [makeSlice('n', [gpu(0, { taints: [{ key: 'bad', effect: 'NoExecute' }] }), gpu(1)])];
    const tolerant = { name: 'r', exactly: { deviceClassName: 'gpu', tolerations: [{ operator: 'Exists' }] } };
    expect(allocate(slices, [makeDeviceClaim('a', [1])])).toEqual([['r0 d1']]);
    expect(allocate(slices, [makeDeviceClaim('a', [tolerant])])).toEqual([['r d0']]);
    expect(allocate(slices, [makeDeviceClaim('a', [1])], [], { DRADeviceTaints: false })).toEqual([['r0 d0']]);
  });

  it('finds devices exactly where there are some, and no device twice', () => {
    const counts = fc.array(fc.record({ count: fc.integer({ min: 1, max: 3 }), isOdd: fc.boolean() }), {
      minLength: 1,
      maxLength: 3,
    });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 7 }), counts, (size, wanted) => {
        const slices = [
          makeSlice(
            'n',
            Array.from({ length: size }, (_, i) => gpu(i)),
          ),
        ];
        const claims = wanted.map(({ count, isOdd }, i) =>
          makeDeviceClaim(`c${i}`, [{ name: 'r', exactly: { deviceClassName: isOdd ? 'odd' : 'gpu', count } }]),
        );
        const odd = wanted.reduce((sum, { count, isOdd }) => sum + (isOdd ? count : 0), 0);
        const all = wanted.reduce((sum, { count }) => sum + count, 0);
        const found = allocate(slices, claims);
        if (odd > Math.floor(size / 2) || all > size) {
          expect(found).toBe(REFUSED);
          return;
        }
        const devices = (found as string[][]).flat();
        expect(devices).toHaveLength(all);
        expect(new Set(devices).size).toBe(all);
      }),
    );
  });
});
