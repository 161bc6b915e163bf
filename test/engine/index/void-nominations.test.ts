/** Pods beside nominated ones, about which the index decides where no nomination matters. */
import fc from 'fast-check';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { PodSpec } from '../../../src/api/pod.ts';
import { ColumnEngine } from '../../../src/engine/columns/column-engine.ts';
import { type Pod, type ScheduleResult, Scheduler, type SchedulerOptions } from '../../../src/index.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';
import { claimVolume, makeClaim, makeStorageClass, makeVolume } from '../../builders/make-storage.ts';
import { configurationWith } from '../../core/user-plugins/lab-plugin.ts';

/** BERTH_RUNS=5000 (with a FAST_CHECK_SEED) for a long hunt; the default keeps the suite quick. */
const numRuns = Number(process.env['BERTH_RUNS'] ?? 40);

const HOST = 'kubernetes.io/hostname';
const ZONE = 'topology.kubernetes.io/zone';
const RARE = 'example.com/rare';
const NODES = 12;
const term = (topologyKey: string, app: string) => ({ topologyKey, labelSelector: { matchLabels: { app } } });
const spread = { ...term(ZONE, 'a'), maxSkew: 1 };

const apart: Partial<PodSpec> = {
  affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term(HOST, 'a')] } },
};

/** What the pods ask for beside cpu. */
const SHAPES: readonly Partial<PodSpec>[] = [
  {},
  {},
  { nodeSelector: { disk: 'fast' } },
  apart,
  { affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term(ZONE, 'b')] } } },
  { topologySpreadConstraints: [{ ...spread, whenUnsatisfiable: 'DoNotSchedule' }] },
  { topologySpreadConstraints: [{ ...spread, topologyKey: HOST, whenUnsatisfiable: 'ScheduleAnyway' }] },
  { volumes: [claimVolume('free')] },
  { volumes: [claimVolume('alone')] },
];

const arbitraryForm = fc.record({
  shape: fc.nat(SHAPES.length - 1),
  cpu: fc.constantFrom('100m', '1', '2', '4'),
  app: fc.constantFrom('a', 'b'),
  priority: fc.constantFrom<(number | undefined)[]>(undefined, 0, 5, 10),
  hasPort: fc.nat(3).map((n) => n === 0),
  isRare: fc.nat(4).map((n) => n === 0),
  namesNode: fc.nat(9).map((n) => n === 0),
});
const [at, form] = [fc.nat(NODES - 1), fc.nat(3)];
const bursts = fc.array(fc.tuple(form, fc.integer({ min: 1, max: 12 })), { minLength: 1, maxLength: 3 });
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('nominate' as const), at, form, isHigh: fc.boolean() }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('noNomination' as const, 'place' as const, 'empty' as const, 'node' as const),
      at,
    }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('schedule' as const), form, at }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('batch' as const), bursts }) },
);
/** A cluster whose pods have few forms, so that what is kept for them is used again. */
const arbitraryLife = fc.record({
  forms: fc.array(arbitraryForm, { minLength: 4, maxLength: 4 }),
  full: fc.array(fc.nat(3).map(Boolean), { minLength: NODES, maxLength: NODES }),
  steps: fc.array(step, { minLength: 10, maxLength: 20, size: 'max' }),
});
type Life = typeof arbitraryLife extends fc.Arbitrary<infer T> ? T : never;
type PodForm = Life['forms'][number];

const options: fc.Arbitrary<SchedulerOptions> = fc.record({
  tieBreak: fc.constantFrom('first', 'upstream'),
  percentageOfNodesToScore: fc.constantFrom(100, 100, 40),
  preemption: fc.boolean(),
});

function podOf(name: string, { shape, cpu, app, priority, hasPort, isRare, namesNode }: PodForm, node = 0): Pod {
  const ports = hasPort ? { ports: [{ containerPort: 80, hostPort: 8080 }] } : {};
  const { metadata, spec } = makePod(name, { requests: { cpu, ...(isRare && { [RARE]: 1 }) }, ...ports });
  const fields = [{ key: 'metadata.name', operator: 'In' as const, values: [`n${node}`] }];
  const nodeAffinity = {
    requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchFields: fields }] },
  };
  const named = namesNode ? { affinity: { nodeAffinity } } : {};
  return {
    metadata: { ...metadata, labels: { app } },
    spec: { ...spec, ...SHAPES[shape], ...named, priority } as PodSpec,
  };
}

function nodeOf(i: number) {
  const labels = { [HOST]: `n${i}`, [ZONE]: `z${i % 2}`, disk: i % 3 === 0 ? 'fast' : 'slow' };
  return makeNode(`n${i}`, {
    cpu: 3,
    pods: 6,
    labels,
    ...(i < 2 && { allocatable: { cpu: '3', pods: '6', [RARE]: '1' } }),
  });
}

/** Full nodes are full of a pod of middling priority. */
function newScheduler(given: SchedulerOptions, nodeCount: number, isFull: (i: number) => boolean): Scheduler {
  const scheduler = new Scheduler(given);
  scheduler.setObject('StorageClass', makeStorageClass('wait', { provisioner: 'csi.example' }));
  for (const [name, mode] of Object.entries({ free: 'ReadWriteOnce', alone: 'ReadWriteOncePod' })) {
    const claim = makeClaim(name, { volume: `v-${name}`, spec: { accessModes: [mode] } });
    scheduler.setObject('PersistentVolume', makeVolume(`v-${name}`));
    scheduler.setObject('PersistentVolumeClaim', claim);
  }
  for (let i = 0; i < nodeCount; i++) {
    scheduler.addNode(nodeOf(i));
    const full = { requests: { cpu: '3' }, nodeName: `n${i}`, spec: { priority: 5 } };
    if (isFull(i)) scheduler.addPod(makePod(`full${i}`, full));
  }
  return scheduler;
}

/** Calls `onPlaced` with the number of pods that attempts without a cycle placed while others were nominated. */
function played(
  { forms, full, steps }: Life,
  given: SchedulerOptions,
  onPlaced: (withoutCycle: number) => void = () => {},
): unknown[] {
  const scheduler = newScheduler(given, NODES, (i) => full[i] ?? false);
  const formed = (name: string, form: number, node: number) => podOf(name, forms[form] as PodForm, node);
  const isNominated = (i: number) => scheduler.has('Pod', `m${i}`);
  const counted = (place: () => ScheduleResult[]): ScheduleResult[] => {
    const counts = Array.from({ length: NODES }, (_, i) => i).some(isNominated);
    const before = cycles.mock.calls.length;
    const results = place();
    const placed = results.filter(({ status }) => status === 'scheduled').length;
    if (counts) onPlaced(Math.max(0, placed - (cycles.mock.calls.length - before)));
    return results;
  };
  const results = steps.map((step, i) => {
    if (step.do === 'batch') {
      const pods = step.bursts.flatMap(([form, count], k) =>
        Array.from({ length: count }, (_, j) => formed(`p${i}-${k}-${j}`, form, (i + j) % NODES)),
      );
      return counted(() => [...scheduler.scheduleBatch(pods)]);
    }
    if (step.do === 'schedule') return counted(() => [scheduler.schedule(formed(`p${i}`, step.form, step.at))]);
    const { at } = step;
    const [node, name, filler] = [`n${at}`, `m${at}`, `full${at}`];
    if (step.do === 'nominate') {
      const { metadata, spec } = formed(name, step.form, at);
      const priority = step.isHigh ? 10 : spec?.priority;
      const status = { nominatedNodeName: node };
      if (!scheduler.has('Pod', name)) scheduler.addPod({ metadata, spec: { ...spec, priority } as PodSpec, status });
    } else if (step.do === 'noNomination') {
      if (scheduler.has('Pod', name)) scheduler.removePod('default', name);
    } else if (step.do === 'empty') {
      if (scheduler.has('Pod', filler)) scheduler.removePod('default', filler);
    } else if (step.do === 'node') {
      if (scheduler.has('Node', node)) scheduler.removeNode(node);
      else scheduler.addNode(nodeOf(at));
    } else scheduler.addPod(makePod(`placed${i}`, { requests: { cpu: '500m' }, nodeName: node }));
    return null;
  });
  scheduler.close();
  return results;
}

const cycles = vi.spyOn(ColumnEngine.prototype, 'begin');
beforeEach(() => vi.clearAllMocks());

test('they go where the plugins place them', () => {
  let byIndex = 0;
  fc.assert(
    fc.property(arbitraryLife, options, fc.nat(4).map(Boolean), (life, given, index) => {
      // Calls that are remembered keep their schedulers.
      cycles.mockClear();
      const expected = played(life, { ...given, engine: 'reference' });
      for (const engine of ['simd', 'scalar'] as const) {
        const count = (placed: number) => (byIndex += placed);
        expect(played(life, { ...given, engine, index }, count)).toEqual(expected);
      }
    }),
    { numRuns },
  );
  expect(byIndex).toBeGreaterThan(numRuns);
});

describe('a batch beside a nominated pod', () => {
  const plain: PodForm = {
    ...{ shape: 0, cpu: '1', app: 'a', priority: 5, hasPort: false, isRare: false, namesNode: false },
  };
  const nominated = (priority: number): Pod => {
    const { metadata, spec } = podOf('m', { ...plain, cpu: '2', isRare: true });
    return { metadata, spec: { ...spec, priority } as PodSpec, status: { nominatedNodeName: 'n0' } };
  };
  const given = { engine: 'scalar', tieBreak: 'first', percentageOfNodesToScore: 100 } as const;

  /** The scheduler of 30 nodes, of which the one that is nominated is full, or empty. */
  function begin(isFull: boolean, priority: number, others: SchedulerOptions = {}): Scheduler {
    const scheduler = newScheduler({ ...given, ...others }, 30, (i) => isFull && i === 0);
    scheduler.addPod(nominated(priority));
    return scheduler;
  }

  /** Returns how many of 10 pods are on the nominated node, and how many took a cycle. */
  function place(scheduler: Scheduler, name: string): [number, number] {
    cycles.mockClear();
    const pods = Array.from({ length: 10 }, (_, i) => podOf(`${name}${i}`, { ...plain, cpu: '2' }));
    const nodes = [...scheduler.scheduleBatch(pods)].map((result) => 'node' in result && result.node);
    return [nodes.filter((node) => node === 'n0').length, cycles.mock.calls.length];
  }

  test('needs no cycle if its node is full', () => expect(place(begin(true, 5), 'p')).toEqual([0, 0]));
  test('needs no cycle if its priority is lower', () => expect(place(begin(false, 4), 'p')).toEqual([1, 0]));
  test('needs no cycle if its node has room for one', () => expect(place(begin(false, 5), 'p')).toEqual([0, 0]));

  test('does not get room that comes for the nominated pod', () => {
    const scheduler = begin(true, 5);
    expect(place(scheduler, 'p')).toEqual([0, 0]);
    scheduler.removePod('default', 'full0');
    expect(place(scheduler, 'q')).toEqual([0, 0]);
  });

  test('does not get the resource that the nominated pod needs, though only its node has it', () => {
    const scheduler = begin(false, 5);
    scheduler.removeNode('n1');
    expect(scheduler.schedule(podOf('p', { ...plain, isRare: true }))).toMatchObject({ status: 'unschedulable' });
  });

  test('takes cycles if a filter of an embedder might fail beside it', () => {
    const lab = { name: 'Lab', filterReads: 'nodePods', dependsOn: () => 0, filter: () => null } as const;
    const plugins = { Lab: () => lab };
    const scheduler = begin(true, 5, { plugins, configuration: configurationWith(plugins) });
    expect(place(scheduler, 'p')).toEqual([0, 10]);
  });
});
