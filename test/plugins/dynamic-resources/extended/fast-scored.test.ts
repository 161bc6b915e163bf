import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Device, ResourceSlice } from '../../../../src/api/resource-claims.ts';
import { loadConfiguration, type Pod, Scheduler, type SchedulerOptions } from '../../../../src/index.ts';
import { countedRound } from '../../../builders/counted-round.ts';
import { makeDeviceClaim, makeDeviceClass, makeSlice, withDevices } from '../../../builders/make-devices.ts';
import { makeNode } from '../../../builders/make-node.ts';
import { runs } from '../../../builders/runs.ts';

const NODES = ['a', 'b', 'c', 'd', 'e'];
const clock = { nowMillis: () => Date.UTC(2026, 0, 1) };
const GPU = 'example.com/gpu';
const ODD = 'example.com/odd';
const UNBACKED = 'example.com/fpga';

/** The conditions of classes; the last fails for devices without an index. */
const CONDITIONS = {
  gpu: 'device.driver == "gpu.example.com"',
  odd: 'device.attributes["gpu.example.com"].index % 2 == 1',
};
type ClassName = keyof typeof CONDITIONS;

interface Profile {
  readonly strategy: 'LeastAllocated' | 'MostAllocated' | 'RequestedToCapacityRatio';
  readonly scored: readonly { readonly name: string; readonly weight: number }[];
  readonly balanced: readonly string[];
  readonly claimsAreRead: boolean;
}

/** What devices a node publishes, and for whom. */
interface SliceKind {
  readonly devices: number;
  readonly reach: 'node' | 'all' | 'zone' | 'nobody' | 'each';
  readonly style: 'plain' | 'shared' | 'unnumbered';
  /** Whether the pool is complete, and consistent. */
  readonly state: 'usable' | 'incomplete' | 'invalid' | 'old';
}

type Step =
  | { readonly kind: 'pod' | 'batch' | 'release'; readonly which: number }
  | { readonly kind: 'node'; readonly node: string; readonly own: number; readonly zone: string }
  | { readonly kind: 'slice'; readonly node: string; readonly which: number }
  | { readonly kind: 'unslice'; readonly node: string }
  | { readonly kind: 'claim'; readonly node: string; readonly devices: readonly string[] }
  | { readonly kind: 'class'; readonly name: ClassName; readonly backs: string }
  | { readonly kind: 'unclass'; readonly name: ClassName };

interface Life {
  readonly profile: Profile;
  readonly pods: readonly Readonly<Record<string, number>>[];
  readonly slices: readonly SliceKind[];
  readonly own: readonly number[];
  readonly steps: readonly Step[];
}

const SCORED = ['cpu', 'memory', GPU, ODD];
const weights = fc.record({ name: fc.constantFrom(...SCORED), weight: fc.integer({ min: 1, max: 5 }) });
const arbitraryProfile: fc.Arbitrary<Profile> = fc.record({
  strategy: fc.constantFrom('LeastAllocated', 'MostAllocated', 'RequestedToCapacityRatio'),
  scored: fc.uniqueArray(weights, { minLength: 1, maxLength: 3, selector: ({ name }) => name }),
  balanced: fc.uniqueArray(fc.constantFrom(...SCORED), { minLength: 1, maxLength: 3 }),
  claimsAreRead: fc.constantFrom(true, true, true, true, false),
});

const arbitrarySlice: fc.Arbitrary<SliceKind> = fc.record({
  devices: fc.integer({ min: 0, max: 5 }),
  reach: fc.oneof(
    { weight: 12, arbitrary: fc.constant('node' as const) },
    { weight: 4, arbitrary: fc.constantFrom('all' as const, 'zone' as const, 'nobody' as const, 'each' as const) },
  ),
  style: fc.constantFrom('plain', 'plain', 'plain', 'shared', 'unnumbered'),
  state: fc.constantFrom('usable', 'usable', 'usable', 'incomplete', 'invalid', 'old'),
});

const which = fc.nat(9);
const node = fc.constantFrom(...NODES);
const name = fc.constantFrom<ClassName>('gpu', 'odd');
const own = fc.constantFrom(0, 0, 0, 2, 3);
const zone = fc.constantFrom('x', 'y');
const step = <K extends Step['kind'], T>(kind: K, more: T) => fc.record({ kind: fc.constant(kind), ...more });
const arbitraryStep = fc.oneof(
  { weight: 12, arbitrary: step('pod', { which }) },
  { weight: 3, arbitrary: step('batch', { which }) },
  { weight: 4, arbitrary: step('release', { which }) },
  { weight: 2, arbitrary: step('node', { node, own, zone }) },
  { weight: 4, arbitrary: step('slice', { node, which }) },
  { weight: 1, arbitrary: step('unslice', { node }) },
  { weight: 4, arbitrary: step('claim', { node, devices: fc.subarray(['d0', 'd1', 'd2', 'd3']) }) },
  { weight: 1, arbitrary: step('class', { name, backs: fc.constantFrom(GPU, GPU, ODD, '') }) },
  { weight: 1, arbitrary: step('unclass', { name }) },
) as fc.Arbitrary<Step>;

const arbitraryLife: fc.Arbitrary<Life> = fc.record({
  profile: arbitraryProfile,
  pods: fc.array(fc.dictionary(fc.constantFrom(GPU, GPU, ODD, UNBACKED), fc.integer({ min: 0, max: 2 })), {
    minLength: 1,
    maxLength: 3,
  }),
  slices: fc.array(arbitrarySlice, { minLength: 1, maxLength: 3 }),
  own: fc.array(own, { minLength: 1, maxLength: 3 }),
  steps: fc.array(arbitraryStep, { minLength: 5, maxLength: 40 }),
});

function configOf({ strategy, scored, balanced, claimsAreRead }: Profile): object {
  const shape = [
    { utilization: 0, score: 0 },
    { utilization: 100, score: 10 },
  ];
  const ratio = strategy === 'RequestedToCapacityRatio' ? { requestedToCapacityRatio: { shape } } : {};
  const resources = balanced.map((each) => ({ name: each, weight: 1 }));
  return {
    apiVersion: 'kubescheduler.config.k8s.io/v1',
    kind: 'KubeSchedulerConfiguration',
    profiles: [
      {
        ...(!claimsAreRead && { plugins: { multiPoint: { disabled: [{ name: 'DynamicResources' }] } } }),
        pluginConfig: [
          {
            name: 'NodeResourcesFit',
            args: { scoringStrategy: { type: strategy, resources: scored, ...ratio } },
          },
          { name: 'NodeResourcesBalancedAllocation', args: { resources } },
        ],
      },
    ],
  };
}

function deviceOf(i: number, { reach, style }: SliceKind): Device {
  const zoned = { nodeSelector: selectorOf(i % 2 === 0 ? 'x' : 'y') };
  return {
    name: `d${i}`,
    ...((style !== 'unnumbered' || i > 0) && { attributes: { index: { int: i } } }),
    ...(style === 'shared' && { allowMultipleAllocations: true }),
    ...(reach === 'each' && (i === 0 ? { allNodes: true } : zoned)),
  };
}

function selectorOf(wanted: string) {
  const matchExpressions = [{ key: 'topology.kubernetes.io/zone', operator: 'In' as const, values: [wanted] }];
  return { nodeSelectorTerms: [{ matchExpressions }] };
}

function sliceOf(of: string, kind: SliceKind): ResourceSlice {
  const { devices, reach, state } = kind;
  const all = Array.from({ length: devices }, (_, i) => deviceOf(i, kind));
  const twice = state === 'invalid' ? all.slice(0, 1) : [];
  const reaches = {
    node: {},
    all: { allNodes: true },
    zone: { nodeSelector: selectorOf('x') },
    nobody: { allNodes: false },
    each: { perDeviceNodeSelection: true, allNodes: false },
  }[reach];
  const pool = { name: of, generation: state === 'old' ? 1 : 2, resourceSliceCount: state === 'incomplete' ? 2 : 1 };
  return { ...makeSlice(of, [...all, ...twice], { pool, ...reaches }), metadata: { name: of } };
}

function setClass(scheduler: Scheduler, className: ClassName, backs: string): void {
  const made = makeDeviceClass(className, CONDITIONS[className]);
  const spec = { ...made.spec, ...(backs !== '' && { extendedResourceName: backs }) };
  scheduler.setObject('DeviceClass', { ...made, spec });
}

function setNode(scheduler: Scheduler, nodeName: string, ofOwn: number, ofZone: string): void {
  const gpus = ofOwn === 0 ? {} : { [GPU]: ofOwn };
  const made = makeNode(nodeName, { zone: ofZone, allocatable: { cpu: 8, memory: '32Gi', pods: 110, ...gpus } });
  if (scheduler.node(nodeName) === undefined) scheduler.addNode(made);
  else scheduler.updateNode(made);
}

function podOf(podName: string, requests: Readonly<Record<string, number>>): Pod {
  const resources = { requests: { cpu: '100m', ...requests } };
  return {
    metadata: { name: podName, namespace: 'default', uid: `uid-${podName}` },
    spec: { containers: [{ name: 'main', resources }] },
  };
}

/** Plays the steps; returns what every attempt answered. */
function play(options: SchedulerOptions, { profile, pods, slices, own: owns, steps }: Life): unknown {
  const scheduler = new Scheduler({ clock, configuration: loadConfiguration(configOf(profile)), ...options });
  setClass(scheduler, 'gpu', GPU);
  setClass(scheduler, 'odd', ODD);
  // A newer slice of the pool of a makes some kinds of slices old.
  const newest = sliceOf('a', { devices: 1, reach: 'node', style: 'plain', state: 'usable' });
  scheduler.setObject('ResourceSlice', { ...newest, metadata: { name: 'newest' } });
  for (const [i, each] of NODES.entries()) {
    setNode(scheduler, each, countedRound(owns, i), 'x');
    scheduler.setObject('ResourceSlice', sliceOf(each, countedRound(slices, i)));
  }
  const answers: unknown[] = [];
  const placed: string[] = [];
  const note = (podName: string): void => {
    if (scheduler.pod('default', podName)?.node) placed.push(podName);
  };
  for (const [i, each] of steps.entries()) {
    if (each.kind === 'node') setNode(scheduler, each.node, each.own, each.zone);
    else if (each.kind === 'slice')
      scheduler.setObject('ResourceSlice', sliceOf(each.node, countedRound(slices, each.which)));
    else if (each.kind === 'unslice') {
      if (scheduler.has('ResourceSlice', each.node)) scheduler.removeObject('ResourceSlice', each.node);
    } else if (each.kind === 'claim') {
      scheduler.setObject(
        'ResourceClaim',
        withDevices(makeDeviceClaim(`of-${each.node}`, [1]), each.node, each.devices),
      );
    } else if (each.kind === 'class') setClass(scheduler, each.name, each.backs);
    else if (each.kind === 'unclass') {
      if (scheduler.has('DeviceClass', each.name)) scheduler.removeObject('DeviceClass', each.name);
    } else if (each.kind === 'release') {
      const [podName] = placed.splice(each.which % Math.max(1, placed.length), 1);
      if (podName !== undefined) scheduler.removePod('default', podName);
    } else if (each.kind === 'batch') {
      const batch = [0, 1, 2].map((k) => podOf(`p${i}-${k}`, countedRound(pods, each.which + (k >> 1))));
      const results = scheduler.scheduleBatch(batch);
      answers.push(batch.map((_, number) => results.at(number)));
      for (const { metadata } of batch) note(metadata?.name ?? '');
    } else {
      const pod = podOf(`p${i}`, countedRound(pods, each.which));
      answers.push(scheduler.explain(pod), scheduler.schedule(pod));
      note(`p${i}`);
    }
  }
  return answers;
}

describe('scores of extended resources that devices back', () => {
  it('are computed from kept counts as from all slices', () => {
    fc.assert(
      fc.property(arbitraryLife, (life) => {
        const reference = play({ engine: 'reference' }, life);
        expect(play({ engine: 'simd' }, life)).toEqual(reference);
        expect(play({ engine: 'scalar', index: false }, life)).toEqual(reference);
      }),
      { numRuns: runs(40) },
    );
  });
});
