import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import type { PodSpec } from '../../../src/api/pod.ts';
import { ColumnEngine } from '../../../src/engine/columns/column-engine.ts';
import { PlainRefusals } from '../../../src/engine/columns/plain-refusals.ts';
import { type EngineName, Scheduler } from '../../../src/index.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';
import { makeClaim, makeVolume } from '../../builders/make-storage.ts';
import { runs } from '../../builders/runs.ts';

const ZONE = 'topology.kubernetes.io/zone';
const NODES = 6;
const OWN = { topologyKey: ZONE, labelSelector: { matchLabels: { app: 'own' } } };

const SPREAD = { topologySpreadConstraints: [{ ...OWN, maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule' }] } as const;
const APART = { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [OWN] } } };
const DISK = { name: 'd', gcePersistentDisk: { pdName: 'own' } };

function claimed(claimName: string) {
  return { name: claimName, persistentVolumeClaim: { claimName } };
}

/** Shapes of pods of which most fit nowhere, most of the time. */
const SHAPES: readonly Omit<PodSpec, 'containers'>[] = [
  {},
  { nodeSelector: { disk: 'fast' } },
  { nodeSelector: { disk: 'none' }, preemptionPolicy: 'Never' },
  { nodeSelector: { disk: 'none' } },
  { priority: 5, preemptionPolicy: 'Never' },
  { priority: 5 },
  SPREAD,
  APART,
  { priority: 5, ...SPREAD },
  { priority: 5, ...APART },
  { volumes: [claimed('data')] },
  { nodeSelector: { disk: 'none' }, volumes: [claimed('data')] },
  { volumes: [claimed('zonal')] },
  { volumes: [claimed('zonal')], ...SPREAD },
  { priority: 5, volumes: [claimed('zonal')], ...APART },
  { volumes: [DISK] },
  { nodeSelector: { disk: 'none' }, volumes: [DISK] },
  { priority: 5, volumes: [DISK] },
  { volumes: [DISK], ...SPREAD },
  { priority: 5, volumes: [DISK, claimed('zonal')], ...SPREAD },
  { tolerations: [{ key: 'k', operator: 'Exists' }] },
];

const arbitraryChange = fc.record({
  kind: fc.oneof(
    { weight: 20, arbitrary: fc.constantFrom('node', 'newNode', 'noNode', 'pod', 'noPod', 'noNomination', 'claim') },
    { weight: 1, arbitrary: fc.constantFrom('nominate', 'service') },
  ),
  at: fc.nat(NODES - 1),
  // Kernels cannot count the last amount.
  cpu: fc.oneof(
    { weight: 40, arbitrary: fc.constantFrom('2', '4') },
    { weight: 1, arbitrary: fc.constant('9007199254740993') },
  ),
  disk: fc.constantFrom('fast', 'slow'),
  isTainted: fc.boolean(),
});
const arbitraryRound = fc.record({
  changes: fc.array(arbitraryChange, { maxLength: 3 }),
  shape: fc.nat(SHAPES.length - 1),
  cpu: fc.constantFrom('3', '3', '5'),
  extended: fc.nat(9).map((n) => n === 0),
});
type Change = typeof arbitraryChange extends fc.Arbitrary<infer T> ? T : never;
type Round = typeof arbitraryRound extends fc.Arbitrary<infer T> ? T : never;

function nodeOf({ at, cpu, disk, isTainted }: Change) {
  const taints = isTainted ? [{ key: 'k', effect: 'NoSchedule' }] : [];
  return makeNode(`n${at}`, { cpu, pods: 5, taints, labels: { [ZONE]: `z${at % 2}`, disk } });
}

/** A claim that waits for its first pod, or of a class that is not known, for which PreFilter rejects pods. */
function claimOf(waits: boolean) {
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
  return {
    metadata: { name: 'data', namespace: 'default', uid: 'data' },
    spec: { ...spec, storageClassName: waits ? 'waits' : 'unknown' },
    status: { phase: 'Pending' },
  };
}

function change(scheduler: Scheduler, given: Change): void {
  const { kind, at, cpu } = given;
  const [node, key] = [`n${at}`, `c${at}`];
  const isThere = scheduler.has('Node', node);
  const placed = makePod(key, { requests: { cpu: cpu === '4' ? '1' : '2' }, nodeName: node });
  if (kind === 'node' && isThere) scheduler.updateNode(nodeOf(given));
  if (kind === 'newNode' && !isThere) scheduler.addNode(nodeOf(given));
  if (kind === 'noNode' && isThere) scheduler.removeNode(node);
  if (kind === 'pod') {
    const spec = { ...placed.spec, volumes: [DISK] } as PodSpec;
    scheduler.updatePod({ metadata: { ...placed.metadata, labels: { app: 'own' } }, spec });
  }
  if (kind === 'claim') scheduler.setObject('PersistentVolumeClaim', claimOf(cpu === '4'));
  if (kind === 'noPod' && scheduler.has('Pod', key)) scheduler.removePod('default', key);
  if (kind === 'nominate') scheduler.updatePod(makePod('m', { status: { nominatedNodeName: node } }));
  if (kind === 'noNomination' && scheduler.has('Pod', 'm')) scheduler.removePod('default', 'm');
  if (kind === 'service') {
    scheduler.setObject('Service', { metadata: { name: key, namespace: 'default' }, spec: { selector: { app: 'x' } } });
  }
}

function play(rounds: readonly Round[], engine: EngineName, percentageOfNodesToScore: number, preemption: boolean) {
  const scheduler = new Scheduler({ engine, percentageOfNodesToScore, preemption, tieBreak: 'upstream' });
  const others = { cpu: '2', disk: 'slow', isTainted: false, kind: 'node' } as const;
  for (let at = 0; at < NODES; at++) scheduler.addNode(nodeOf({ ...others, at }));
  scheduler.setObject('StorageClass', {
    ...{ metadata: { name: 'waits' }, provisioner: 'example.com/disks', volumeBindingMode: 'WaitForFirstConsumer' },
  });
  scheduler.setObject('PersistentVolume', makeVolume('zonal', { zone: 'z1' }));
  scheduler.setObject('PersistentVolumeClaim', makeClaim('zonal', { volume: 'zonal' }));
  const results = rounds.map(({ changes, shape, cpu, extended }, i) => {
    for (const each of changes) change(scheduler, each);
    const requests = { cpu, ...(extended && { 'example.com/thing': 1 }) };
    const { metadata, spec } = makePod(`p${i}`, { requests });
    return scheduler.schedule({
      metadata: { ...metadata, labels: { app: 'own' } },
      spec: { ...spec, ...SHAPES[shape] } as PodSpec,
    });
  });
  scheduler.close();
  return results;
}

afterEach(() => {
  vi.restoreAllMocks();
});

test.each([false, true])('the answers that need no cycle are those of the plugins, preemption: %s', (preemption) => {
  const refusals = vi.spyOn(PlainRefusals.prototype, 'of');
  const rounds = fc.array(arbitraryRound, { minLength: 20, maxLength: 50 });
  let answers = 0;
  fc.assert(
    fc.property(rounds, fc.constantFrom(0, 40, 100), fc.constantFrom('simd', 'scalar'), (life, percentage, engine) => {
      refusals.mockClear();
      const answersOf = (by: EngineName): unknown[] => play(life, by, percentage, preemption);
      expect(answersOf(engine as EngineName)).toEqual(answersOf('reference'));
      answers += refusals.mock.results.filter(({ value }) => value !== null).length;
    }),
    { numRuns: runs(50) },
  );
  expect(answers).toBeGreaterThan(150);
});

test('a pod that fits nowhere takes no cycle, whatever has changed on a few nodes', () => {
  const scheduler = new Scheduler({ preemption: false, engine: 'scalar' });
  for (let i = 0; i < 20; i++) scheduler.addNode(makeNode(`n${i}`, { cpu: 2 }));
  const ask = (name: string) => scheduler.schedule(makePod(name, { requests: { cpu: 3 } }));
  const refusals = vi.spyOn(PlainRefusals.prototype, 'of');
  const message = (found: string) => ({ status: 'unschedulable', message: `0/20 nodes are available: ${found}.` });
  expect(ask('a')).toEqual(message('20 Insufficient cpu'));
  scheduler.updateNode(makeNode('n3', { cpu: 2, taints: [{ key: 'k', effect: 'NoSchedule' }] }));
  const changed = message('1 node(s) had untolerated taint(s), 19 Insufficient cpu');
  expect([ask('b'), ask('c')]).toEqual([changed, changed]);
  expect(refusals.mock.results.map(({ value }) => value !== null)).toEqual([true, true]);
});

test('a pod for which preemption cannot help takes no cycle, and PostFilter has its say', () => {
  const scheduler = new Scheduler({ engine: 'scalar' });
  for (let i = 0; i < 20; i++) scheduler.addNode(makeNode(`n${i}`, { cpu: 2 }));
  const cycles = vi.spyOn(ColumnEngine.prototype, 'begin');
  const ask = (name: string, spec: Partial<PodSpec>): unknown => {
    const pod = makePod(name, { requests: { cpu: 3 } });
    scheduler.updateNode(makeNode('n3', { cpu: 2, labels: { name } }));
    const result = scheduler.schedule({ ...pod, spec: { ...pod.spec, ...spec } as PodSpec });
    return 'message' in result ? result.message : result;
  };
  const elsewhere = { nodeSelector: { disk: 'none' } };
  const never = { preemptionPolicy: 'Never' };
  const texts = [elsewhere, never].map((spec, i) => ['a', 'b', 'c'].map((name) => ask(`${name}${i}`, spec)));
  const start = 'no new claims to deallocate, preemption:';
  const selector = "20 node(s) didn't match Pod's node affinity/selector";
  const helpless = `${start} 0/20 nodes are available: 20 Preemption is not helpful for scheduling.`;
  expect(texts).toEqual([
    Array(3).fill(`0/20 nodes are available: ${selector}. ${helpless}`),
    Array(3).fill(
      `0/20 nodes are available: 20 Insufficient cpu. ${start} not eligible due to preemptionPolicy=Never.`,
    ),
  ]);
  expect(cycles).not.toHaveBeenCalled();
});

test('a pod for which preemption helps takes no cycle where what is kept rejects it', () => {
  const scheduler = new Scheduler({ engine: 'scalar' });
  for (let i = 0; i < 20; i++) {
    scheduler.addNode(makeNode(`n${i}`, { cpu: 4 }));
    scheduler.addPod(makePod(`low${i}`, { requests: { cpu: 2 }, nodeName: `n${i}` }));
  }
  const cycles = vi.spyOn(ColumnEngine.prototype, 'begin');
  const attempt = (name: string) => {
    const { metadata, spec } = makePod(name, { requests: { cpu: 3 } });
    const owned = { ...metadata, labels: { app: 'own' } };
    const result = scheduler.schedule({ metadata: owned, spec: { ...spec, ...APART, priority: 5 } as PodSpec });
    // Nominations of other pods have to be weighed in a cycle.
    if (scheduler.has('Pod', name)) scheduler.removePod('default', name);
    return result.status === 'unschedulable' ? [result.nominatedNode, result.victims] : result;
  };
  const expected = (victim: string) => [victim.replace('low', 'n'), [`default/${victim}`]];
  expect(attempt('a')).toEqual(expected('low0'));
  scheduler.updateNode(makeNode('n0', { cpu: 2 }));
  expect(attempt('b')).toEqual(expected('low1'));
  expect(cycles).not.toHaveBeenCalled();
});

test('a pod that the filters of its attempt reject where it would fit takes no cycle once one was refused', () => {
  const scheduler = new Scheduler({ engine: 'scalar' });
  for (let i = 0; i < 4; i++)
    scheduler.addNode(makeNode(`n${i}`, { cpu: i === 3 ? 1 : 4, labels: { [ZONE]: `z${i}` } }));
  scheduler.setObject('PersistentVolume', makeVolume('zonal', { zone: 'z1' }));
  scheduler.setObject('PersistentVolumeClaim', makeClaim('zonal', { volume: 'zonal' }));
  const holder = makePod('holder', { requests: { cpu: 1 }, nodeName: 'n1' });
  scheduler.addPod({ ...holder, spec: { ...holder.spec, volumes: [DISK] } as PodSpec });
  const cycles = vi.spyOn(ColumnEngine.prototype, 'begin');
  const ask = (name: string) => {
    const { metadata, spec } = makePod(name, { requests: { cpu: 2 } });
    return scheduler.schedule({ metadata, spec: { ...spec, volumes: [DISK, claimed('zonal')] } as PodSpec });
  };
  const counts = ['1 Insufficient cpu', '1 node(s) had no available disk'];
  const reasons = [...counts, "2 node(s) didn't match PersistentVolume's node affinity"].join(', ');
  const message = expect.stringContaining(`0/4 nodes are available: ${reasons}. `);
  const expected = { status: 'unschedulable', message };
  expect([ask('a'), ask('b'), ask('c')]).toEqual(Array(3).fill(expected));
  expect(cycles).toHaveBeenCalledTimes(1);
});
