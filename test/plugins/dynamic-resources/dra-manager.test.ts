import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ResourceClaim, ResourceSlice } from '../../../src/api/resource-claims.ts';
import { DEFAULT_FEATURE_GATES } from '../../../src/config/feature-gates.ts';
import { ClusterObjects } from '../../../src/framework/cluster-objects.ts';
import { allocatedDevices } from '../../../src/plugins/dynamic-resources/allocator/allocated-devices.ts';
import { poolsOf } from '../../../src/plugins/dynamic-resources/allocator/pools.ts';
import { DraManager } from '../../../src/plugins/dynamic-resources/dra-manager.ts';
import { DRIVER, makeDeviceClaim, makeSlice } from '../../builders/make-devices.ts';
import { makeNode } from '../../builders/make-node.ts';

const NAMES = ['a', 'b', 'c'];
const DEVICES = ['d0', 'd1', 'd2'];
const name = fc.constantFrom(...NAMES);

const arbitrarySlice: fc.Arbitrary<ResourceSlice> = fc
  .record({
    ...{ slice: name, pool: name, generation: fc.nat(2), resourceSliceCount: fc.integer({ min: 1, max: 2 }) },
    reach: fc.constantFrom('a', 'b', 'all', 'zone', 'each', 'nobody'),
  })
  .map(({ slice, pool: poolName, reach, generation, resourceSliceCount }) => {
    const pool = { name: poolName, generation, resourceSliceCount };
    const term = { matchExpressions: [{ key: 'topology.kubernetes.io/zone', operator: 'In', values: ['x'] }] };
    const made = makeSlice('a', reach === 'each' ? DEVICES.map((d) => ({ name: d, nodeName: 'c' })) : DEVICES, {
      pool,
    });
    const { nodeName: _, ...spec } = made.spec;
    const reaches = {
      a: { nodeName: 'a' },
      b: { nodeName: 'b' },
      all: { allNodes: true },
      zone: { nodeSelector: { nodeSelectorTerms: [term] } },
      each: { perDeviceNodeSelection: true },
      nobody: { allNodes: false },
    }[reach];
    return { metadata: { name: slice }, spec: { ...spec, ...reaches } } as ResourceSlice;
  });

const arbitraryClaim: fc.Arbitrary<ResourceClaim> = fc
  .record({ claim: name, pool: name, devices: fc.subarray(DEVICES), shared: fc.boolean(), admin: fc.boolean() })
  .map(({ claim, pool, devices, shared, admin }) => {
    const results = devices.map((device, i) => ({
      ...{ request: 'r0', driver: DRIVER, pool, device, adminAccess: admin },
      ...(shared && { shareID: `${claim}-${i}`, consumedCapacity: { memory: '1Gi' } }),
    }));
    return { ...makeDeviceClaim(claim, [1]), status: { allocation: { devices: { results } } } };
  });

type Step =
  | { readonly kind: 'set'; readonly slice: ResourceSlice }
  | { readonly kind: 'claim'; readonly claim: ResourceClaim; readonly how: 'set' | 'reserve' | 'assume' }
  | { readonly kind: 'remove'; readonly of: 'ResourceSlice' | 'ResourceClaim'; readonly name: string }
  | { readonly kind: 'release'; readonly claim: ResourceClaim };

const arbitraryStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('set' as const), slice: arbitrarySlice }),
  fc.record({
    ...{ kind: fc.constant('claim' as const), claim: arbitraryClaim },
    how: fc.constantFrom('set' as const, 'reserve' as const, 'assume' as const),
  }),
  fc.record({
    ...{ kind: fc.constant('remove' as const), name },
    of: fc.constantFrom('ResourceSlice' as const, 'ResourceClaim' as const),
  }),
  fc.record({ kind: fc.constant('release' as const), claim: arbitraryClaim }),
);

function take(step: Step, objects: ClusterObjects, { claims }: DraManager): void {
  if (step.kind === 'set') objects.set('ResourceSlice', step.slice);
  else if (step.kind === 'remove') objects.remove(step.of, step.name, step.of === 'ResourceClaim' ? 'default' : '');
  else if (step.kind === 'release') claims.release(step.claim);
  else if (step.how === 'set') objects.set('ResourceClaim', step.claim);
  else claims[step.how](step.claim);
}

describe('DraManager', () => {
  it('knows after every step the pools and the devices in use that a search through everything finds', () => {
    const others = [makeNode('b', { zone: 'y' }), makeNode('c', { zone: 'x' })];
    // The node of the first slot is replaced, and comes back as the object that it was.
    const versions = [makeNode('a', { zone: 'x' }), makeNode('a', { zone: 'y' })] as const;
    fc.assert(
      fc.property(fc.array(arbitraryStep, { maxLength: 20 }), (steps) => {
        const objects = new ClusterObjects();
        const manager = DraManager.of(objects, DEFAULT_FEATURE_GATES);
        expect(DraManager.of(objects, DEFAULT_FEATURE_GATES)).toBe(manager);
        for (const [i, step] of steps.entries()) {
          const nodes = [versions[i % 3 === 2 ? 1 : 0], ...others];
          take(step, objects, manager);
          const { allocated } = manager;
          const wanted = allocatedDevices(manager.claims.all(), DEFAULT_FEATURE_GATES);
          for (const [pool, device] of NAMES.flatMap((each) => DEVICES.map((d) => [each, d] as const))) {
            const key = `${DRIVER}/${pool}/${device}`;
            expect([allocated.whole.has(DRIVER, pool, device), allocated.shared.get(key)]).toEqual([
              wanted.whole.has(DRIVER, pool, device),
              wanted.shared.get(key),
            ]);
          }
          const slices = [...objects.list('ResourceSlice')];
          for (const [slot, node] of nodes.entries()) {
            const bySlot = manager.devices.devicesOf(node, slot);
            expect(bySlot.pools).toEqual(poolsOf(node, slices, DEFAULT_FEATURE_GATES));
            expect(manager.devices.devicesOf(node)).toBe(bySlot);
            // Extended resources count devices that no node can use, too.
            expect(bySlot.slices).toEqual(expect.arrayContaining(slices.filter(({ spec }) => !spec.nodeName)));
          }
        }
      }),
      { numRuns: 100 },
    );
  });
});
