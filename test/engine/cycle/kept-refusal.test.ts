import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Pod, PodSpec } from '../../../src/api/pod.ts';
import { KeptRefusal } from '../../../src/engine/cycle/kept-refusal.ts';
import {
  type EngineName,
  type PluginStatus,
  type ScheduleResult,
  Scheduler,
  type UserPlugin,
} from '../../../src/index.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';
import { runs } from '../../builders/runs.ts';
import { configurationWith } from '../../core/user-plugins/lab-plugin.ts';

const ZONE = 'topology.kubernetes.io/zone';
const OWN = { topologyKey: ZONE, labelSelector: { matchLabels: { app: 'own' } } };
const SPREAD = { ...OWN, maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule' } as const;
const TERM = { requiredDuringSchedulingIgnoredDuringExecution: [OWN] };

/** Shapes of pods of which most fit nowhere, most of the time. */
const SHAPES: readonly Omit<PodSpec, 'containers'>[] = [
  {},
  { priority: 7 },
  { nodeSelector: { disk: 'fast' } },
  { topologySpreadConstraints: [SPREAD] },
  { affinity: { podAffinity: TERM }, priority: 7 },
  { affinity: { podAntiAffinity: TERM } },
  { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }] },
];

function podOf(name: string, shape: number, app: string, cpu: string): Pod {
  const { metadata, spec } = makePod(name, { requests: { cpu } });
  return { metadata: { ...metadata, labels: { app } }, spec: { ...spec, ...SHAPES[shape] } as PodSpec };
}

function nodeOf(i: number, disk: string, cpu: string) {
  const labels = { [ZONE]: `z${i % 2}`, disk };
  return makeNode(`n${i}`, { cpu, pods: 9, labels });
}

const arbitraryTry = fc.record({
  shape: fc.nat(SHAPES.length - 1),
  app: fc.constantFrom('own', 'other'),
  cpu: fc.constantFrom('1', '3'),
  times: fc.integer({ min: 1, max: 3 }),
  isBatch: fc.boolean(),
});
const arbitraryChange = fc.record({
  kind: fc.constantFrom('none', 'node', 'newNode', 'noNode', 'pod', 'noPod', 'claim', 'nominate', 'budget', 'service'),
  at: fc.nat(3),
  cpu: fc.constantFrom('2', '4'),
  disk: fc.constantFrom('fast', 'slow'),
});
type Change = typeof arbitraryChange extends fc.Arbitrary<infer T> ? T : never;

function change(scheduler: Scheduler, { kind, at, cpu, disk }: Change): void {
  const metadata = { name: `c${at}`, namespace: 'default' };
  const own = { app: 'own' };
  const [node, requests, isThere] = [`n${at}`, { cpu }, scheduler.has('Node', `n${at}`)];
  if (kind === 'node' && isThere) scheduler.updateNode(nodeOf(at, disk, cpu));
  if (kind === 'newNode' && !isThere) scheduler.addNode(nodeOf(at, disk, cpu));
  if (kind === 'noNode' && isThere) scheduler.removeNode(node);
  if (kind === 'pod') scheduler.updatePod({ ...makePod('', { requests, nodeName: node }), metadata });
  if (kind === 'noPod' && scheduler.has('Pod', metadata.name)) scheduler.removePod('default', metadata.name);
  if (kind === 'nominate') scheduler.updatePod(makePod('m', { requests, status: { nominatedNodeName: node } }));
  if (kind === 'service') scheduler.setObject('Service', { metadata, spec: { selector: own } });
  if (kind === 'budget') {
    const spec = { selector: { matchLabels: own } };
    scheduler.setObject('PodDisruptionBudget', { metadata, spec, status: { disruptionsAllowed: 0 } });
  }
  if (kind === 'claim') {
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, volumeName: 'pv' };
    scheduler.setObject('PersistentVolumeClaim', { metadata: { ...metadata, name: 'data' }, spec });
  }
}

const arbitraryLife = fc.record({
  tieBreak: fc.constantFrom('first', 'random', 'upstream'),
  preemption: fc.boolean(),
  steps: fc.array(fc.record({ change: arbitraryChange, tries: fc.array(arbitraryTry, { maxLength: 3 }) }), {
    maxLength: 25,
  }),
});
type Life = typeof arbitraryLife extends fc.Arbitrary<infer T> ? T : never;

/** The answers of a life, without what only batches leave out. */
function answersOf({ steps, ...options }: Life, engine: EngineName): unknown[] {
  const scheduler = new Scheduler({ ...options, engine, validate: false });
  for (const i of [0, 1, 2]) scheduler.addNode(nodeOf(i, 'slow', '2'));
  let count = 0;
  const told = (result: ScheduleResult) => ({ ...result, ties: null });
  return steps.flatMap((step) => {
    change(scheduler, step.change);
    return step.tries.flatMap(({ shape, app, cpu, times, isBatch }) => {
      const pods = Array.from({ length: times }, () => podOf(`p${count++}`, shape, app, cpu));
      return isBatch ? [...scheduler.scheduleBatch(pods)].map(told) : pods.map((pod) => told(scheduler.schedule(pod)));
    });
  });
}

describe('pods like one that fitted nowhere', () => {
  afterEach(() => void vi.restoreAllMocks());

  it('get the answer of an engine that keeps none, whatever changes between them', () => {
    const property = fc.property(arbitraryLife, (life) => {
      expect(answersOf(life, 'simd')).toEqual(answersOf(life, 'reference'));
    });
    fc.assert(property, { numRuns: runs(25) });
  });

  it('are not decided again until the cluster changes', () => {
    const kept = vi.spyOn(KeptRefusal.prototype, 'advance');
    const scheduler = new Scheduler();
    scheduler.addNode(nodeOf(0, 'slow', '2'));
    const tryAll = (from: number) => {
      const pods = Array.from({ length: 5 }, (_, i) => podOf(`p${from + i}`, 0, 'own', '3'));
      return [scheduler.schedule(pods[0] as Pod), ...scheduler.scheduleBatch(pods.slice(1))].map(
        ({ status }) => status,
      );
    };
    expect(tryAll(0)).toEqual(Array(5).fill('unschedulable'));
    expect(kept).toHaveBeenCalledTimes(4);
    scheduler.updateNode(nodeOf(0, 'slow', '8'));
    expect(tryAll(5)).toEqual(['scheduled', 'scheduled', 'unschedulable', 'unschedulable', 'unschedulable']);
    expect(kept).toHaveBeenCalledTimes(6);
  });

  it('are told apart by what spread constraints and affinity terms read of them', () => {
    const scheduler = new Scheduler();
    scheduler.addNode(nodeOf(0, 'slow', '4'));
    const tried = ['other', 'other', 'own'].map((app, i) => scheduler.schedule(podOf(`p${i}`, 4, app, '1')).status);
    expect(tried).toEqual(['unschedulable', 'unschedulable', 'scheduled']);
  });

  it('are decided again when an object changes that affinity reads', () => {
    const scheduler = new Scheduler();
    scheduler.addNode(nodeOf(0, 'slow', '4'));
    scheduler.addPod(makePod('friend', { namespace: 'far', nodeName: 'n0' }));
    const term = { topologyKey: ZONE, labelSelector: {}, namespaceSelector: { matchLabels: { team: 'a' } } };
    const podAffinity = { requiredDuringSchedulingIgnoredDuringExecution: [term] };
    const tryOne = (name: string) => {
      const { metadata, spec } = makePod(name);
      return scheduler.schedule({ metadata, spec: { ...spec, affinity: { podAffinity } } as PodSpec }).status;
    };
    expect([tryOne('a'), tryOne('b')]).toEqual(['unschedulable', 'unschedulable']);
    scheduler.setObject('Namespace', { metadata: { name: 'far', labels: { team: 'a' } } });
    expect(tryOne('c')).toBe('scheduled');
  });

  it('are decided each for itself where a plugin of the user may tell them apart', () => {
    const kept = vi.spyOn(KeptRefusal.prototype, 'advance');
    const no: PluginStatus = { code: 'Unschedulable', reasons: ['no'] };
    const users: readonly Omit<UserPlugin, 'name'>[] = [
      { filterReads: 'cluster', filter: () => no },
      { postFilter: () => ({ status: no }) },
      { reserve: () => no, unreserve: () => {} },
    ];
    for (const plugin of users) {
      const plugins = { Mine: () => ({ name: 'Mine', ...plugin }) };
      const scheduler = new Scheduler({ plugins, configuration: configurationWith(plugins) });
      scheduler.addNode(nodeOf(0, 'slow', '2'));
      const cpu = 'reserve' in plugin ? '1' : '3';
      for (const i of [0, 1]) expect(scheduler.schedule(podOf(`p${i}`, 0, 'own', cpu)).status).toBe('unschedulable');
    }
    expect(kept).not.toHaveBeenCalled();
  });
});
