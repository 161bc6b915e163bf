import { describe, expect, test } from 'vitest';
import type { Node } from '../../src/api/node.ts';
import type { Pod } from '../../src/api/pod.ts';
import { type EngineName, Scheduler, type SchedulerOptions } from '../../src/index.ts';

const ZONE = 'topology.kubernetes.io/zone';

/** An object that a caller may change although it was handed in. */
type Changeable = { metadata?: Record<string, unknown>; spec?: unknown; status?: unknown };

const newNode = (name: string, zone: string): Node => ({
  metadata: { name, labels: { [ZONE]: zone, 'kubernetes.io/hostname': name } },
  status: { allocatable: { cpu: '8', memory: '8Gi', pods: '20' }, images: [{ names: ['web'], sizeBytes: 5e8 }] },
});

const spreading = (name: string): Pod => ({
  metadata: { name, labels: { app: 'web' } },
  spec: {
    containers: [{ name: 'c', image: 'web', resources: { requests: { cpu: '1' } } }],
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey: ZONE,
        whenUnsatisfiable: 'DoNotSchedule',
        labelSelector: { matchLabels: { app: 'web' } },
      },
    ],
  },
});

/** A pod that no other pod matters to. */
const plain = (name: string): Pod => {
  const { topologySpreadConstraints: _, ...spec } = spreading(name).spec ?? {};
  return { metadata: { name }, spec: spec as Pod['spec'] } as Pod;
};

/** The change, and the pods about which decisions are as if there had never been the objects. */
const CHANGES: readonly [string, (object: Changeable) => void, (name: string) => Pod][] = [
  ['another name', ({ metadata }) => Object.assign(metadata ?? {}, { name: 'x', namespace: 'y' }), spreading],
  ['other labels', ({ metadata }) => Object.assign(metadata?.['labels'] ?? {}, { [ZONE]: 'z', app: 'y' }), plain],
  ['no labels', ({ metadata }) => delete metadata?.['labels'], plain],
  ['no metadata', (object) => delete object.metadata, plain],
  [
    'no contents',
    (object) => Object.assign(object, { metadata: undefined, spec: undefined, status: undefined }),
    plain,
  ],
];

const OPTIONS: readonly SchedulerOptions[] = (['reference', 'scalar', 'simd'] as EngineName[]).map((engine) => ({
  engine,
}));

/** A cluster of four nodes with six pods, in which the caller has changed all objects that it had handed in. */
function changedCluster(options: SchedulerOptions, change: (object: Changeable) => void): Scheduler {
  const scheduler = new Scheduler(options);
  const nodes = ['a', 'b', 'c', 'd'].map((name, i) => newNode(name, `z${i % 2}`));
  for (const node of nodes) scheduler.addNode(node);
  const pods = Array.from({ length: 6 }, (_, i) => spreading(`p${i}`));
  for (const pod of pods) expect(scheduler.schedule(pod)).toMatchObject({ status: 'scheduled' });
  scheduler.explain(spreading('probe'));
  for (const object of [...nodes, ...pods]) change(object as Changeable);
  return scheduler;
}

describe.each(OPTIONS)('$engine', (options) => {
  describe.each(CHANGES)('objects that get %s after they were handed in', (_, change, newPod) => {
    test('are known and removed by the names that they had, and nothing of them stays', () => {
      const scheduler = changedCluster(options, change);
      expect(scheduler.nodes().map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd']);
      expect(scheduler.pod('default', 'p0')?.node).not.toBeNull();
      for (let i = 0; i < 6; i++) scheduler.removePod('default', `p${i}`);
      for (const name of ['c', 'a', 'd', 'b']) scheduler.removeNode(name);
      expect([scheduler.nodes(), scheduler.pods()]).toEqual([[], []]);
      const fresh = new Scheduler(options);
      for (const each of [scheduler, fresh]) {
        for (const [i, name] of ['b', 'a', 'e'].entries()) each.addNode(newNode(name, `z${i % 2}`));
      }
      for (let i = 0; i < 6; i++) {
        const pod = newPod(`q${i}`);
        const { nodes, nodeOrder } = scheduler.explain(pod);
        expect({ nodes, nodeOrder }).toEqual({
          nodes: fresh.explain(pod).nodes,
          nodeOrder: fresh.explain(pod).nodeOrder,
        });
        expect(scheduler.schedule(pod)).toEqual(fresh.schedule(pod));
      }
    });

    test('are replaced by updates under the names that they had', () => {
      const scheduler = changedCluster(options, change);
      for (const [i, name] of ['a', 'b', 'c', 'd'].entries()) scheduler.updateNode(newNode(name, `z${i % 2}`));
      const nodeOf = (i: number): string => scheduler.pod('default', `p${i}`)?.node ?? '';
      for (let i = 0; i < 6; i++) {
        const pod = spreading(`p${i}`);
        scheduler.updatePod({ ...pod, spec: { containers: [], ...pod.spec, nodeName: nodeOf(i) } });
      }
      expect(scheduler.pods().length).toBe(6);
      const fresh = new Scheduler(options);
      for (const { node } of scheduler.nodes()) fresh.addNode(node);
      for (const { pods } of scheduler.nodes()) for (const pod of pods) fresh.addPod(pod);
      const pod = newPod('q');
      expect(scheduler.explain(pod).nodes).toEqual(fresh.explain(pod).nodes);
    });

    test('are in forks and snapshots under the names that they had', () => {
      const scheduler = changedCluster(options, change);
      for (const other of [scheduler.fork(), Scheduler.restore(scheduler.snapshot(), options)]) {
        for (let i = 0; i < 6; i++) other.removePod('default', `p${i}`);
        for (const name of ['a', 'b', 'c', 'd']) other.removeNode(name);
        expect([other.nodes(), other.pods()]).toEqual([[], []]);
        expect(other.schedule(spreading('q'))).toMatchObject({ status: 'unschedulable' });
      }
      expect([scheduler.nodes().length, scheduler.pods().length]).toEqual([4, 6]);
    });
  });
});
