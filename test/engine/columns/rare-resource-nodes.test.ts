import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Pod, PodSpec } from '../../../src/api/pod.ts';
import { RareResourceNodes } from '../../../src/engine/columns/rare-resource-nodes.ts';
import { type EngineName, type PluginRegistry, Scheduler, type SchedulerOptions } from '../../../src/index.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';
import { runs } from '../../builders/runs.ts';
import { configurationWith } from '../../core/user-plugins/lab-plugin.ts';

const numRuns = runs(60);

const ZONE = 'topology.kubernetes.io/zone';
const OWN = { topologyKey: ZONE, labelSelector: { matchLabels: { app: 'own' } } };
const DEVICES = ['a.io/x', 'a.io/y', 'b.io/z'] as const;

/** What pods want beside their devices. */
const SHAPES: readonly Omit<PodSpec, 'containers'>[] = [
  {},
  {},
  {},
  { nodeSelector: { disk: 'fast' } },
  { tolerations: [{ key: 'k', operator: 'Exists' }] },
  { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [OWN] } } },
  { topologySpreadConstraints: [{ ...OWN, maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule' }] },
  { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }] },
  { volumes: [{ name: 'v', gcePersistentDisk: { pdName: 'disk' } }] },
];

const arbitraryNode = fc.record({
  cpu: fc.constantFrom('1', '4'),
  devices: fc.dictionary(fc.constantFrom(...DEVICES), fc.constantFrom(0, 1, 2), { maxKeys: 2 }),
  disk: fc.constantFrom('fast', 'fast', 'slow'),
  isTainted: fc.constantFrom(false, false, true),
  unschedulable: fc.constantFrom(false, false, false, true),
});
const arbitraryStep = fc.record({
  /** A node that changes, comes or goes before the pod; null if none does. */
  at: fc.option(fc.nat(11)),
  node: fc.option(arbitraryNode, { freq: 4 }),
  gone: fc.constantFrom(false, false, true),
  requests: fc.record({
    device: fc.constantFrom(...DEVICES),
    amount: fc.constantFrom(1, 1, 2),
    other: fc.constantFrom(null, null, null, ...DEVICES),
    cpu: fc.constantFrom('1', '1', '3'),
  }),
  shape: fc.nat(SHAPES.length - 1),
  port: fc.constantFrom(undefined, undefined, undefined, 80, 81),
  /** A second pod like it comes at once. */
  twice: fc.boolean(),
});
type Step = typeof arbitraryStep extends fc.Arbitrary<infer T> ? T : never;

function podOf(name: string, { requests: { device, amount, other, cpu }, shape, port }: Step): Pod {
  const requests = { cpu, ...(other !== null && { [other]: 1 }), [device]: amount };
  const ports = port === undefined ? undefined : [{ containerPort: port, hostPort: port }];
  const { metadata, spec } = makePod(name, { requests, ...(ports && { ports }) });
  return { metadata: { ...metadata, labels: { app: 'own' } }, spec: { ...spec, ...SHAPES[shape] } as PodSpec };
}

function play(steps: readonly Step[], options: SchedulerOptions) {
  const scheduler = new Scheduler(options);
  // Many nodes have no devices, so that a search by percentage leaves most of them out.
  for (let i = 0; i < 120; i++) scheduler.addNode(makeNode(`plain${i}`, { cpu: 8, labels: { disk: 'fast' } }));
  const late = { metadata: { name: 'late' }, provisioner: 'disks.io', volumeBindingMode: 'WaitForFirstConsumer' };
  scheduler.setObject('StorageClass', late);
  scheduler.setObject('PersistentVolumeClaim', {
    metadata: { name: 'data', namespace: 'default' },
    spec: { storageClassName: 'late', accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  });
  const placed: string[] = [];
  const results = steps.map((step, i) => {
    const { at, node, gone, twice } = step;
    const name = `n${at}`;
    if (at !== null && node === null && scheduler.has('Node', name)) scheduler.removeNode(name);
    if (at !== null && node !== null) {
      const { cpu, devices, disk, isTainted, unschedulable } = node;
      const taints = isTainted ? [{ key: 'k', effect: 'NoSchedule' }] : [];
      const labels = { disk, [ZONE]: `z${at % 3}` };
      const made = makeNode(name, { cpu, allocatable: devices, labels, taints, unschedulable });
      if (scheduler.has('Node', name)) scheduler.updateNode(made);
      else scheduler.addNode(made);
    }
    if (gone && placed.length > 0) scheduler.removePod('default', placed.splice(i % placed.length, 1)[0] ?? '');
    const names = twice ? [`p${i}`, `q${i}`] : [`p${i}`];
    return names.map((each) => {
      const result = scheduler.schedule(podOf(each, step));
      if (result.status === 'scheduled') placed.push(each);
      return result;
    });
  });
  // What pods that anybody may run get says whether all columns are charged.
  for (let i = 0; i < 8; i++) results.push([scheduler.schedule(makePod(`last${i}`, { requests: { cpu: '500m' } }))]);
  scheduler.close();
  return results;
}

/** A plugin that cannot tell about some nodes. */
const FAILING: PluginRegistry = {
  Failing: () => ({
    name: 'Failing',
    filterReads: 'node',
    dependsOn: () => null,
    filter: (_state, _pod, { node }) => {
      if (node.metadata?.labels?.['disk'] === 'slow') throw new Error('a slow disk');
      return null;
    },
  }),
};

const failing = configurationWith(FAILING, 1, {
  plugins: {
    multiPoint: {
      disabled: [{ name: '*' }],
      enabled: ['PrioritySort', 'Failing', 'TaintToleration', 'NodeResourcesFit', 'DefaultBinder'].map((name) => ({
        name,
      })),
    },
  },
});

const ignoring = configurationWith({}, 1, {
  pluginConfig: [{ name: 'NodeResourcesFit', args: { ignoredResources: ['a.io/y'], ignoredResourceGroups: ['b.io'] } }],
});

const arbitraryOptions = fc.record({
  engine: fc.constantFrom<EngineName>('simd', 'scalar'),
  index: fc.boolean(),
  others: fc.record({
    tieBreak: fc.constantFrom('first' as const, 'random' as const, 'upstream' as const),
    percentageOfNodesToScore: fc.constantFrom(0, 100, 100),
    configuration: fc.constantFrom(configurationWith({}), configurationWith({}), ignoring),
  }),
});

afterEach(() => {
  vi.restoreAllMocks();
});

describe('pods with a resource that few nodes have get the node that the reference engine chooses', () => {
  test('whatever else they want, and whatever happens to nodes and pods', () => {
    const found = vi.spyOn(RareResourceNodes.prototype, 'onlyNode');
    let count = 0;
    const steps = fc.array(arbitraryStep, { minLength: 15, maxLength: 40, size: 'max' });
    fc.assert(
      fc.property(steps, arbitraryOptions, (life, { engine, index, others }) => {
        found.mockClear();
        expect(play(life, { ...others, engine, index })).toEqual(play(life, { ...others, engine: 'reference' }));
        count += found.mock.results.filter(({ value }) => value !== null).length;
      }),
      { numRuns },
    );
    expect(count).toBeGreaterThan(numRuns);
  });

  test('where a plugin of an embedder fails on some nodes', () => {
    const steps = fc.array(arbitraryStep, { minLength: 5, maxLength: 15, size: 'max' });
    const options = { plugins: FAILING, configuration: failing };
    fc.assert(
      fc.property(steps, (life) => {
        expect(play(life, { ...options, engine: 'simd' })).toEqual(play(life, { ...options, engine: 'reference' }));
      }),
      { numRuns: Math.ceil(numRuns / 3) },
    );
  });
});

test('the only node is found without a signature, and two nodes are compared', () => {
  const found = vi.spyOn(RareResourceNodes.prototype, 'onlyNode');
  const scheduler = new Scheduler();
  for (let i = 0; i < 20; i++) scheduler.addNode(makeNode(`n${i}`, { allocatable: { [`a.io/d${i >> 1}`]: 1 } }));
  const taints = [{ key: 'k', effect: 'NoSchedule' }];
  scheduler.updateNode(makeNode('n3', { allocatable: { 'a.io/d1': 1 }, taints }));
  const answers = [1, 2].map((i) => scheduler.schedule(makePod(`p${i}`, { requests: { [`a.io/d${i}`]: 1 } })));
  expect(answers).toMatchObject([
    { node: 'n2', score: null, feasibleNodes: 1 },
    { node: 'n4', feasibleNodes: 2 },
  ]);
  expect(found.mock.results.map(({ value }) => value?.node.name)).toEqual(['n2', undefined]);
  scheduler.close();
});
