import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type EngineName, type Pod, Scheduler, type SchedulerOptions } from '../../src/index.ts';
import { makeNode } from '../builders/make-node.ts';
import { makePod } from '../builders/make-pod.ts';
import { runs } from '../builders/runs.ts';
import { arbitraryScript } from './arbitrary-script.ts';
import { ClusterLife, probesOf } from './event-script.ts';
import { expectSame } from './expect-alike.ts';

const numRuns = runs(25);

const arbitraryOptions = fc.record({
  engine: fc.constantFrom<EngineName>('simd', 'simd', 'scalar', 'reference'),
  tieBreak: fc.constantFrom('first' as const, 'random' as const, 'upstream' as const),
  percentageOfNodesToScore: fc.constantFrom(100, 100, 0, 50),
});

describe('a fork, and a scheduler that was restored', () => {
  test('decide as the one with the same history, whatever happens to the other', () => {
    fc.assert(
      fc.property(arbitraryScript, arbitraryOptions, fc.nat(), (script, options, at) => {
        const cut = at % (script.events.length + 1);
        const [past, future] = [script.events.slice(0, cut), script.events.slice(cut)];
        const otherFuture = future.toReversed();
        const [origin, control, otherControl] = [0, 1, 2].map(() => new ClusterLife(options, script)) as [
          ClusterLife,
          ClusterLife,
          ClusterLife,
        ];
        for (const event of past) for (const life of [origin, control, otherControl]) life.play(event);
        const fork = origin.on(at % 2 ? origin.scheduler.fork() : origin.scheduler.fork().fork(), script);
        const bytes = origin.scheduler.snapshot();
        const restored = origin.on(Scheduler.restore(bytes, { validate: false, ...options }), script);
        const probes = probesOf(script);
        const explained = ({ scheduler }: ClusterLife): unknown => probes.map((probe) => scheduler.explain(probe));
        for (const [i, event] of future.entries()) {
          const expected = control.play(event);
          expectSame(`fork, step ${i}, ${event.do}`, expected, fork.play(event));
          expectSame(`restored, step ${i}, ${event.do}`, expected, restored.play(event));
          const other = otherFuture[i] ?? event;
          expectSame(`origin, step ${i}, ${other.do}`, otherControl.play(other), origin.play(other));
        }
        expectSame('fork, probes', explained(control), explained(fork));
        expectSame('restored, probes', explained(control), explained(restored));
        expectSame('origin, probes', explained(otherControl), explained(origin));
      }),
      { numRuns },
    );
  });

  test.each(['simd', 'scalar'] as const)('judge nodes without memory as the origin does, %s', (engine) => {
    const scheduler = new Scheduler({ engine });
    for (let i = 0; i < 12; i++) scheduler.addNode(makeNode(`n${i}`, i % 5 === 0 ? { memory: '0' } : {}));
    scheduler.addPod(makePod('first', { spec: { nodeName: 'n0' } }));
    const requests = [undefined, { cpu: '100m' }, { cpu: '1', memory: '1Gi' }];
    const probes = requests.map((each, i) => makePod(`p${i}`, each && { requests: each }));
    const fork = scheduler.fork();
    for (const probe of probes) {
      expect(fork.explain(probe)).toEqual(scheduler.explain(probe));
      expect(fork.schedule(probe)).toEqual(scheduler.schedule(probe));
    }
  });

  test('know the same nodes, pods and objects', () => {
    const scheduler = new Scheduler();
    for (const name of ['b', 'a']) scheduler.addNode(makeNode(name));
    scheduler.addPod(makePod('ghost', { spec: { nodeName: 'gone' } }));
    scheduler.addPod(makePod('pending'));
    scheduler.schedule(makePod('p'));
    scheduler.setObject('Namespace', { metadata: { name: 'x', labels: { a: 'b' } } });
    for (const other of [scheduler.fork(), Scheduler.restore(scheduler.snapshot())]) {
      expect(other.nodes()).toEqual(scheduler.nodes());
      expect(other.pods()).toEqual(expect.arrayContaining(scheduler.pods()));
      expect(other.has('Namespace', 'x')).toBe(true);
      expect(other.pods().length).toBe(3);
    }
  });
});

test.each(['fork', 'restored'])(
  '%s: nodes can be removed one after the other, without an attempt in between',
  (way) => {
    const scheduler = new Scheduler();
    for (const name of ['a', 'b', 'c']) scheduler.addNode(makeNode(name));
    scheduler.schedule(makePod('p'));
    scheduler.removeNode('a');
    const other = way === 'fork' ? scheduler.fork() : Scheduler.restore(scheduler.snapshot());
    other.removeNode('b');
    other.addNode(makeNode('a'));
    expect(other.explain(makePod('q')).nodeOrder).toEqual(['c', 'a']);
    expect(other.schedule(makePod('q'))).toMatchObject({ node: 'c' });
  },
);

test.each(['fork', 'restored'])('%s: several pods with terms on one node are counted once each', (way) => {
  const scheduler = new Scheduler();
  for (const name of ['a', 'b', 'c']) scheduler.addNode(makeNode(name, { zone: `z-${name}` }));
  const weighted = (weight: number) => ({
    weight,
    podAffinityTerm: { topologyKey: 'topology.kubernetes.io/zone', labelSelector: { matchLabels: { app: 'web' } } },
  });
  const near = (name: string, weight: number, nodeName?: string): Pod => {
    const podAffinity = { preferredDuringSchedulingIgnoredDuringExecution: [weighted(weight)] };
    const spec = { containers: [{ name: 'c' }], affinity: { podAffinity }, nodeName };
    return { metadata: { name, labels: { app: 'web' } }, spec };
  };
  for (let i = 0; i < 3; i++) scheduler.addPod(near(`a${i}`, 1, 'a'));
  for (let i = 0; i < 4; i++) scheduler.addPod(near(`b${i}`, 2, 'b'));
  const other = way === 'fork' ? scheduler.fork() : Scheduler.restore(scheduler.snapshot());
  expect(other.explain(near('p', 3)).nodes).toEqual(scheduler.explain(near('p', 3)).nodes);
});

test.each(['fork', 'restored'])('%s: host ports that are in use stay in use', (way) => {
  const scheduler = new Scheduler();
  for (const name of ['a', 'b']) scheduler.addNode(makeNode(name));
  const serving = (name: string, nodeName?: string): Pod =>
    makePod(name, { ports: [{ containerPort: 80, hostPort: 80 }], ...(nodeName !== undefined && { nodeName }) });
  scheduler.addPod(serving('p', 'a'));
  const other = way === 'fork' ? scheduler.fork() : Scheduler.restore(scheduler.snapshot());
  expect(other.schedule(serving('q'))).toMatchObject({ node: 'b' });
  expect(other.schedule(serving('r'))).toMatchObject({ status: 'unschedulable' });
  other.removePod('default', 'p');
  expect(other.schedule(serving('r'))).toMatchObject({ node: 'a' });
  expect(scheduler.explain(serving('r')).feasible).toEqual(['b']);
});

describe('bytes that are no snapshot', () => {
  const bytes = (): Uint8Array => {
    const scheduler = new Scheduler();
    scheduler.addNode(makeNode('n'));
    return scheduler.snapshot();
  };

  test.each<[string, () => unknown, string]>([
    ['a text', () => 'Bert', 'Invalid'],
    ['too few', () => bytes().subarray(0, 10), 'Invalid'],
    ['a part', () => bytes().subarray(0, 100), 'Invalid'],
    ['of something else', () => new Uint8Array(100), 'Invalid'],
    ['with a changed byte', () => bytes().fill(7, 50, 51), 'Invalid'],
    ['of a later version', () => bytes().fill(99, 4, 5), 'UnsupportedVersion'],
  ])('are refused: %s', (_, bad, code) => {
    expect(() => Scheduler.restore(bad() as Uint8Array)).toThrow(expect.objectContaining({ code }));
  });

  test('options of another kind are refused', () => {
    expect(() => Scheduler.restore(bytes(), { nonsense: 1 } as SchedulerOptions)).toThrow('no such option');
  });
});
