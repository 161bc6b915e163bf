import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type {
  Device,
  DeviceConstraint,
  DeviceRequest,
  ResourceClaim,
  ResourceSlice,
} from '../../../src/api/resource-claims.ts';
import { Scheduler } from '../../../src/index.ts';
import { countedRound } from '../../builders/counted-round.ts';
import { DRIVER, makeDeviceClaim, makeDeviceClass, makeSlice, podWithDevices } from '../../builders/make-devices.ts';
import { makeNode } from '../../builders/make-node.ts';
import { runs } from '../../builders/runs.ts';

const NODES = ['a', 'b', 'c', 'd'];
/** Pools that no node owns, by the names of their slices. One sorts among those of nodes, one has a node's name. */
const NETWORK = new Map([
  ['bb', { driver: DRIVER, pool: 'bb' }],
  ['other', { driver: `a.${DRIVER}`, pool: 'b' }],
]);
const clock = { nowMillis: () => Date.UTC(2026, 0, 1) };
const ODD = 'device.attributes["gpu.example.com"].index % 2 == 1';

const CONSTRAINTS = ['none', 'match', 'distinct'] as const;
type Constraint = (typeof CONSTRAINTS)[number];

/** What is special about the devices of a slice. */
const STYLES = ['plain', 'plain', 'named', 'tainted', 'partitioned', 'shared', 'waiting'] as const;
type Style = (typeof STYLES)[number];

/** What pods of one kind claim. */
interface ClaimKind {
  readonly requests: readonly DeviceRequest[];
  readonly constraint: Constraint;
}

/** The devices of nodes of one kind. */
interface SliceKind {
  readonly devices: number;
  readonly wide: boolean;
  readonly whole: boolean;
  readonly style: Style;
  /** Whether two nodes share a pool. */
  readonly paired: boolean;
  /** Whether counters have a slice of their own. */
  readonly apart: boolean;
}

type Step =
  | { readonly kind: 'pod'; readonly claim: number }
  | { readonly kind: 'release'; readonly which: number }
  | { readonly kind: 'slice'; readonly node: string; readonly slice: number }
  | { readonly kind: 'unslice'; readonly node: string }
  | { readonly kind: 'node'; readonly node: string; readonly zone: string };

/** Few kinds of claims and of nodes, so that pods and nodes are often equal. */
interface Life {
  readonly claims: readonly ClaimKind[];
  readonly slices: readonly SliceKind[];
  /** The pools of `NETWORK` that there are at first. */
  readonly network: readonly string[];
  readonly steps: readonly Step[];
}

const request = fc.record({
  deviceClassName: fc.constantFrom('gpu', 'odd'),
  allocationMode: fc.constantFrom('ExactCount', 'ExactCount', 'ExactCount', 'ExactCount', 'All'),
  count: fc.integer({ min: 1, max: 2 }),
  adminAccess: fc.constantFrom(undefined, undefined, undefined, true),
  tolerations: fc.constantFrom(undefined, undefined, [{ operator: 'Exists' }]),
  capacity: fc.constantFrom(undefined, undefined, undefined, { requests: { memory: '3Gi' } }),
  selectors: fc.constantFrom(undefined, undefined, [{ cel: { expression: ODD } }]),
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

const arbitraryClaim: fc.Arbitrary<ClaimKind> = fc.record({
  requests: fc.array(arbitraryRequest, { minLength: 1, maxLength: 2 }),
  constraint: fc.constantFrom(...CONSTRAINTS),
});

const arbitrarySlice: fc.Arbitrary<SliceKind> = fc.record({
  devices: fc.integer({ min: 0, max: 4 }),
  wide: fc.constantFrom(false, false, false, true),
  whole: fc.constantFrom(true, true, true, false),
  style: fc.constantFrom(...STYLES),
  paired: fc.constantFrom(false, false, true),
  apart: fc.boolean(),
});

const node = fc.constantFrom(...NODES);
const publisher = fc.constantFrom(...NODES, ...NETWORK.keys());
const which = fc.nat(9);
const arbitraryStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: fc.record({ kind: fc.constant('pod' as const), claim: which }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('release' as const), which }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('slice' as const), node: publisher, slice: which }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('unslice' as const), node: publisher }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('node' as const), node, zone: fc.constantFrom('x', 'y') }) },
);

const arbitraryLife: fc.Arbitrary<Life> = fc.record({
  claims: fc.array(arbitraryClaim, { minLength: 1, maxLength: 3 }),
  slices: fc.array(arbitrarySlice, { minLength: 1, maxLength: 2 }),
  network: fc.oneof(fc.constant([]), fc.subarray([...NETWORK.keys()])),
  steps: fc.array(arbitraryStep, { minLength: 5, maxLength: 30 }),
});

function deviceOf(node: string, style: Style, i: number): Device {
  const attributes = { [`${DRIVER}/index`]: { int: i }, [`${DRIVER}/pair`]: { int: Math.floor(i / 2) } };
  const plain = { name: `d${i}`, attributes, capacity: { memory: { value: '8Gi' } } };
  if (style === 'named') return { ...plain, attributes: { ...attributes, id: { string: `${node}-${i}` } } };
  if (style === 'tainted') return i % 2 === 0 ? { ...plain, taints: [{ key: 'k', effect: 'NoSchedule' }] } : plain;
  if (style === 'shared') return { ...plain, allowMultipleAllocations: i % 2 === 0 };
  if (style === 'waiting') return { ...plain, bindingConditions: ['ready'], bindingFailureConditions: ['failed'] };
  if (style !== 'partitioned') return plain;
  return { ...plain, consumesCounters: [{ counterSet: 'slots', counters: { slots: { value: i === 0 ? '2' : '1' } } }] };
}

/** The slices of a node, or of a pool that no node owns; the last of them has its name, and the devices. */
function slicesOf(name: string, kind: SliceKind): ResourceSlice[] {
  const { devices, whole, style, apart } = kind;
  const network = NETWORK.get(name);
  const [wide, paired] = network === undefined ? [kind.wide, kind.paired] : [true, false];
  const all = Array.from({ length: devices }, (_, i) => {
    const device = deviceOf(name, style, i);
    return paired ? { ...device, name: `${name}-${device.name}` } : device;
  });
  const nodeSelector = {
    nodeSelectorTerms: [{ matchExpressions: [{ key: 'topology.kubernetes.io/zone', operator: 'In', values: ['x'] }] }],
  };
  const isPartitioned = style === 'partitioned';
  const hasCounterSlice = isPartitioned && apart;
  const poolName = paired ? (PAIRS.get(name) ?? name) : (network?.pool ?? name);
  const count = (hasCounterSlice ? 2 : 1) * (paired ? 2 : 1) + (whole ? 0 : 1);
  const pool = { name: poolName, generation: 1, resourceSliceCount: count };
  const driver = network?.driver ?? DRIVER;
  const reach = wide ? { driver, nodeSelector } : { driver };
  const sharedCounters = [{ name: 'slots', counters: { slots: { value: '2' } } }];
  const counted = isPartitioned && !apart ? { sharedCounters } : {};
  const slice = { ...makeSlice(name, all, { pool, ...reach, ...counted }), metadata: { name } };
  if (!hasCounterSlice) return [slice];
  const counters = makeSlice(name, [], { pool, ...reach, sharedCounters });
  return [{ ...counters, metadata: { name: `${name}-counters` } }, slice];
}

const PAIRS = new Map([
  ['a', 'ab'],
  ['b', 'ab'],
  ['c', 'cd'],
  ['d', 'cd'],
]);

function publish(scheduler: Scheduler, name: string, slices: readonly ResourceSlice[]): void {
  for (const known of [`${name}-counters`, name]) {
    const slice = slices.find(({ metadata }) => metadata?.name === known);
    if (slice !== undefined) scheduler.setObject('ResourceSlice', slice);
    else if (scheduler.has('ResourceSlice', known)) scheduler.removeObject('ResourceSlice', known);
  }
}

function constraintsOf(constraint: Constraint): DeviceConstraint[] {
  if (constraint === 'match') return [{ matchAttribute: 'gpu.example.com/pair' }];
  return constraint === 'distinct' ? [{ distinctAttribute: 'gpu.example.com/index' }] : [];
}

/** Plays the steps; returns what every attempt answered, and the devices that every claim has in the end. */
function play(engine: 'reference' | 'simd', { claims: kinds, slices, network, steps }: Life): unknown {
  const scheduler = new Scheduler({ engine, clock });
  scheduler.setObject('DeviceClass', makeDeviceClass('gpu', `device.driver.endsWith("${DRIVER}")`));
  scheduler.setObject('DeviceClass', makeDeviceClass('odd', ODD));
  for (const [i, name] of NODES.entries()) {
    scheduler.addNode(makeNode(name, { zone: 'x' }));
    publish(scheduler, name, slicesOf(name, countedRound(slices, i)));
  }
  for (const [i, name] of network.entries()) publish(scheduler, name, slicesOf(name, countedRound(slices, i)));
  const answers: unknown[] = [];
  const placed: ResourceClaim[] = [];
  for (const [i, step] of steps.entries()) {
    if (step.kind === 'slice') publish(scheduler, step.node, slicesOf(step.node, countedRound(slices, step.slice)));
    else if (step.kind === 'unslice') publish(scheduler, step.node, []);
    else if (step.kind === 'node') scheduler.updateNode(makeNode(step.node, { zone: step.zone }));
    else if (step.kind === 'release') {
      const [claim] = placed.splice(step.which % Math.max(1, placed.length), 1);
      const name = claim?.metadata?.name ?? '';
      if (claim === undefined) continue;
      scheduler.removePod('default', name);
      scheduler.removeObject('ResourceClaim', name, 'default');
    } else {
      const kind = countedRound(kinds, step.claim);
      const requests = kind.requests.map((each, number) => ({ ...each, name: `r${number}` }));
      const constraints = constraintsOf(kind.constraint);
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
      fc.property(arbitraryLife, (life) => {
        expect(play('simd', life)).toEqual(play('reference', life));
      }),
      { numRuns: runs(50) },
    );
  });
});
