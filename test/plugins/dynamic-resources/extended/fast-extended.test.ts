import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Pod, Scheduler, type SchedulerOptions } from '../../../../src/index.ts';
import { countedRound } from '../../../builders/counted-round.ts';
import { makeDeviceClaim, makeDeviceClass, makeSlice } from '../../../builders/make-devices.ts';
import { makeNode } from '../../../builders/make-node.ts';

const NODES = ['a', 'b', 'c', 'd', 'e'];
const clock = { nowMillis: () => Date.UTC(2026, 0, 1) };
const GPU = 'example.com/gpu';
const ODD = 'example.com/odd';
const IMPLICIT = 'deviceclass.resource.kubernetes.io/odd';
const UNBACKED = 'example.com/fpga';
const ODD_DEVICES = 'device.attributes["gpu.example.com"].index % 2 == 1';

/** What the containers of a pod request; the first is an init container. */
interface PodKind {
  readonly containers: readonly Readonly<Record<string, number>>[];
  readonly init: 'none' | 'plain' | 'sidecar';
  readonly claims: boolean;
  readonly priority: number;
}

/** What a node has by itself, and the number of its devices. */
interface NodeKind {
  readonly own: Readonly<Record<string, number>>;
  readonly devices: number;
  readonly tainted: boolean;
}

type Step =
  | { readonly kind: 'pod'; readonly which: number }
  | { readonly kind: 'batch'; readonly which: number }
  | { readonly kind: 'release'; readonly which: number }
  | { readonly kind: 'node'; readonly node: string; readonly which: number }
  | { readonly kind: 'unclass'; readonly name: 'gpu' | 'odd' }
  | { readonly kind: 'class'; readonly name: 'gpu' | 'odd'; readonly backs: boolean };

interface Life {
  readonly pods: readonly PodKind[];
  readonly nodes: readonly NodeKind[];
  readonly steps: readonly Step[];
}

const resource = fc.constantFrom(GPU, GPU, GPU, ODD, IMPLICIT, UNBACKED);
const amounts = fc.dictionary(resource, fc.integer({ min: 0, max: 2 }), { maxKeys: 2 });

const arbitraryPod: fc.Arbitrary<PodKind> = fc.record({
  containers: fc.array(amounts, { minLength: 1, maxLength: 3 }),
  init: fc.constantFrom('none', 'none', 'plain', 'sidecar'),
  claims: fc.constantFrom(false, false, false, true),
  priority: fc.constantFrom(0, 0, 10),
});

const arbitraryNode: fc.Arbitrary<NodeKind> = fc.record({
  own: fc.oneof(fc.constant({}), fc.dictionary(resource, fc.integer({ min: 0, max: 3 }), { maxKeys: 2 })),
  devices: fc.integer({ min: 0, max: 4 }),
  tainted: fc.constantFrom(false, false, true),
});

const which = fc.nat(9);
const name = fc.constantFrom('gpu' as const, 'odd' as const);
const backs = fc.constantFrom(true, true, false);
const arbitraryStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 10, arbitrary: fc.record({ kind: fc.constant('pod' as const), which }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('batch' as const), which }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('release' as const), which }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('node' as const), node: fc.constantFrom(...NODES), which }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('class' as const), name, backs }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('unclass' as const), name }) },
);

const arbitraryLife: fc.Arbitrary<Life> = fc.record({
  pods: fc.array(arbitraryPod, { minLength: 1, maxLength: 3 }),
  nodes: fc.array(arbitraryNode, { minLength: 1, maxLength: 3 }),
  steps: fc.array(arbitraryStep, { minLength: 5, maxLength: 30 }),
});

function podOf(name: string, { containers, init, claims, priority }: PodKind): Pod {
  const all = containers.map((requests, i) => ({
    name: `c${i}`,
    resources: { requests: { cpu: '100m', ...requests } },
  }));
  const [first, ...others] = all;
  const hasInit = init !== 'none' && others.length > 0;
  const sidecar = init === 'sidecar' ? { restartPolicy: 'Always' as const } : {};
  return {
    metadata: { name, namespace: 'default', uid: `uid-${name}` },
    spec: {
      priority,
      ...(hasInit && { initContainers: [{ ...first, name: 'init', ...sidecar }] }),
      containers: hasInit ? others : all,
      ...(claims && { resourceClaims: [{ name: 'own', resourceClaimName: name }] }),
    },
  };
}

function setNode(scheduler: Scheduler, name: string, { own, devices, tainted }: NodeKind): void {
  const node = makeNode(name, { allocatable: { cpu: 8, memory: '32Gi', pods: 110, ...own } });
  if (scheduler.node(name) === undefined) scheduler.addNode(node);
  else scheduler.updateNode(node);
  const taints = tainted ? [{ key: 'k', effect: 'NoSchedule' as const }] : undefined;
  const all = Array.from({ length: devices }, (_, i) => ({
    name: `d${i}`,
    attributes: { index: { int: i } },
    ...(i === 0 && taints && { taints }),
  }));
  scheduler.setObject('ResourceSlice', makeSlice(name, all));
}

function setClass(scheduler: Scheduler, name: 'gpu' | 'odd', backs: boolean): void {
  const made = name === 'gpu' ? makeDeviceClass() : makeDeviceClass('odd', ODD_DEVICES);
  const extendedResourceName = name === 'gpu' ? GPU : ODD;
  scheduler.setObject('DeviceClass', { ...made, spec: { ...made.spec, ...(backs && { extendedResourceName }) } });
}

/** Plays the steps; returns what every attempt answered, and the claims in the end. */
function play(options: SchedulerOptions, { pods, nodes, steps }: Life): unknown {
  const scheduler = new Scheduler({ clock, ...options });
  setClass(scheduler, 'gpu', true);
  setClass(scheduler, 'odd', false);
  for (const [i, name] of NODES.entries()) setNode(scheduler, name, countedRound(nodes, i));
  const answers: unknown[] = [];
  const placed: string[] = [];
  const make = (i: number | string, which: number): Pod => {
    const kind = countedRound(pods, which);
    const requests = [
      { name: 'r', exactly: { deviceClassName: 'gpu', allocationMode: 'ExactCount' as const, count: 1 } },
    ];
    if (kind.claims) scheduler.setObject('ResourceClaim', makeDeviceClaim(`p${i}`, requests));
    return podOf(`p${i}`, kind);
  };
  const note = (pod: Pod): void => {
    const podName = pod.metadata?.name ?? '';
    if (scheduler.pod('default', podName)?.node) placed.push(podName);
  };
  for (const [i, step] of steps.entries()) {
    if (step.kind === 'node') setNode(scheduler, step.node, countedRound(nodes, step.which));
    else if (step.kind === 'class') setClass(scheduler, step.name, step.backs);
    else if (step.kind === 'unclass') {
      if (scheduler.has('DeviceClass', step.name)) scheduler.removeObject('DeviceClass', step.name);
    } else if (step.kind === 'release') {
      const [podName] = placed.splice(step.which % Math.max(1, placed.length), 1);
      if (podName === undefined) continue;
      scheduler.removePod('default', podName);
      if (scheduler.has('ResourceClaim', podName, 'default'))
        scheduler.removeObject('ResourceClaim', podName, 'default');
    } else if (step.kind === 'batch') {
      const batch = [make(`${i}-0`, step.which), make(`${i}-1`, step.which), make(`${i}-2`, step.which + 1)];
      const results = scheduler.scheduleBatch(batch);
      answers.push(batch.map((_, number) => results.at(number)));
      for (const pod of batch) note(pod);
    } else {
      const pod = make(i, step.which);
      answers.push(scheduler.explain(pod), scheduler.schedule(pod));
      note(pod);
    }
  }
  return { answers, cluster: new TextDecoder().decode(scheduler.snapshot()) };
}

describe('extended resources that devices back', () => {
  it('are given by columns and index as by the plugins’ own methods', () => {
    fc.assert(
      fc.property(arbitraryLife, (life) => {
        const reference = play({ engine: 'reference' }, life);
        expect(play({ engine: 'simd' }, life)).toEqual(reference);
        expect(play({ engine: 'scalar', index: false }, life)).toEqual(reference);
      }),
      { numRuns: 25 },
    );
  });
});
