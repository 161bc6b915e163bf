import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DeviceRequest, ResourceClaim, ResourceSlice } from '../../../src/api/resource-claims.ts';
import { Scheduler } from '../../../src/index.ts';
import { makeDeviceClaim, makeDeviceClass, makeSlice, podWithDevices } from '../../builders/make-devices.ts';
import { makeNode } from '../../builders/make-node.ts';

const NODES = ['a', 'b', 'c', 'd'];
const clock = { nowMillis: () => Date.UTC(2026, 0, 1) };
const ODD = 'device.attributes["gpu.example.com"].index % 2 == 1';

type Step =
  | { readonly kind: 'pod'; readonly requests: readonly DeviceRequest[]; readonly match: boolean }
  | { readonly kind: 'release'; readonly which: number }
  | {
      readonly kind: 'slice';
      readonly node: string;
      readonly devices: number;
      readonly wide: boolean;
      readonly whole: boolean;
    }
  | { readonly kind: 'unslice'; readonly node: string }
  | { readonly kind: 'node'; readonly node: string; readonly zone: string };

const request = fc.record({
  deviceClassName: fc.constantFrom('gpu', 'odd'),
  allocationMode: fc.constantFrom('ExactCount', 'ExactCount', 'ExactCount', 'All'),
  count: fc.integer({ min: 1, max: 2 }),
});

const arbitraryRequest: fc.Arbitrary<DeviceRequest> = fc.oneof(
  { weight: 4, arbitrary: request.map((exactly): DeviceRequest => ({ name: 'r', exactly })) },
  {
    weight: 1,
    arbitrary: fc.tuple(request, request).map(
      ([one, two]): DeviceRequest => ({
        name: 'r',
        firstAvailable: [
          { name: 'one', ...one },
          { name: 'two', ...two },
        ],
      }),
    ),
  },
);

const node = fc.constantFrom(...NODES);
const arbitraryStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('pod' as const),
      requests: fc.array(arbitraryRequest, { minLength: 1, maxLength: 2 }),
      match: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('release' as const), which: fc.nat(9) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      ...{ kind: fc.constant('slice' as const), node, devices: fc.integer({ min: 0, max: 4 }) },
      ...{ wide: fc.boolean(), whole: fc.boolean() },
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('unslice' as const), node }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('node' as const), node, zone: fc.constantFrom('x', 'y') }) },
);

function sliceOf({ node: name, devices, wide, whole }: Extract<Step, { kind: 'slice' }>): ResourceSlice {
  const all = Array.from({ length: devices }, (_, i) => ({
    name: `d${i}`,
    attributes: { index: { int: i }, pair: { int: Math.floor(i / 2) } },
  }));
  const nodeSelector = {
    nodeSelectorTerms: [{ matchExpressions: [{ key: 'topology.kubernetes.io/zone', operator: 'In', values: ['x'] }] }],
  };
  const pool = { name, generation: 1, resourceSliceCount: whole ? 1 : 2 };
  return makeSlice(name, all, { pool, ...(wide && { nodeSelector }) });
}

/** Plays the steps; returns what every attempt answered, and the devices that every claim has in the end. */
function play(engine: 'reference' | 'simd', steps: readonly Step[]): unknown {
  const scheduler = new Scheduler({ engine, clock });
  scheduler.setObject('DeviceClass', makeDeviceClass());
  scheduler.setObject('DeviceClass', makeDeviceClass('odd', ODD));
  for (const name of NODES) scheduler.addNode(makeNode(name, { zone: 'x' }));
  const answers: unknown[] = [];
  const placed: ResourceClaim[] = [];
  for (const [i, step] of steps.entries()) {
    if (step.kind === 'slice') scheduler.setObject('ResourceSlice', sliceOf(step));
    else if (step.kind === 'unslice') {
      if (scheduler.has('ResourceSlice', step.node)) scheduler.removeObject('ResourceSlice', step.node);
    } else if (step.kind === 'node') scheduler.updateNode(makeNode(step.node, { zone: step.zone }));
    else if (step.kind === 'release') {
      const [claim] = placed.splice(step.which % Math.max(1, placed.length), 1);
      const name = claim?.metadata?.name ?? '';
      if (claim === undefined) continue;
      scheduler.removePod('default', name);
      scheduler.removeObject('ResourceClaim', name, 'default');
    } else {
      const requests = step.requests.map((each, at) => ({ ...each, name: `r${at}` }));
      const constraints = step.match ? [{ matchAttribute: 'gpu.example.com/pair' }] : [];
      const claim = makeDeviceClaim(`c${i}`, requests, { constraints });
      scheduler.setObject('ResourceClaim', claim);
      const pod = podWithDevices(`c${i}`, [`c${i}`]);
      answers.push(scheduler.explain(pod), scheduler.schedule(pod));
      if (scheduler.pod('default', `c${i}`)?.node) placed.push(claim);
    }
  }
  const claims = steps.map((_, i) => scheduler.object('ResourceClaim', `c${i}`, 'default')?.status?.allocation);
  return { answers, claims };
}

describe('devices that are followed from attempt to attempt', () => {
  it('are given as in a search that gathers everything anew', () => {
    fc.assert(
      fc.property(fc.array(arbitraryStep, { minLength: 5, maxLength: 25 }), (steps) => {
        expect(play('simd', steps)).toEqual(play('reference', steps));
      }),
      { numRuns: 60 },
    );
  });
});
