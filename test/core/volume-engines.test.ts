import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PodSpec } from '../../src/api/pod.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '../../src/api/storage.ts';
import type { Volume } from '../../src/api/volumes.ts';
import { Scheduler } from '../../src/index.ts';
import { makeNode } from '../builders/make-node.ts';
import { claimVolume, makeClaim, makeStorageClass, makeVolume, podWithVolumes } from '../builders/make-storage.ts';
import { runs } from '../builders/runs.ts';

const CLAIMS = ['c0', 'c1', 'c2', 'c3'];
const VOLUMES = ['v0', 'v1', 'v2'];
const NODES = ['n0', 'n1', 'n2'];
const ZONE = 'topology.kubernetes.io/zone';

type Change = (scheduler: Scheduler) => void;

const volume: fc.Arbitrary<PersistentVolume> = fc
  .record({
    name: fc.constantFrom(...VOLUMES),
    zone: fc.constantFrom(undefined, 'a', 'b'),
    labels: fc.constantFrom({}, { [ZONE]: 'a' }, { [ZONE]: 'a__b' }),
    phase: fc.constantFrom('Available', 'Bound'),
    source: fc.constantFrom({}, { csi: undefined, gcePersistentDisk: { pdName: 'd0' } }),
  })
  .map(({ name, zone, labels, phase, source }) =>
    makeVolume(name, { labels, phase, spec: source, ...(zone && { zone }) }),
  );

const claim: fc.Arbitrary<PersistentVolumeClaim> = fc
  .record({
    name: fc.constantFrom(...CLAIMS),
    volume: fc.constantFrom(undefined, ...VOLUMES),
    className: fc.constantFrom('wait', 'make', 'make', 'now'),
    accessModes: fc.constantFrom(['ReadWriteOnce'], ['ReadWriteOncePod']),
    operator: fc.constantFrom('DoesNotExist', 'DoesNotExist', 'DoesNotExist', 'Near'),
  })
  .map(({ name, volume, className, accessModes, operator }) => {
    const selector = { matchExpressions: [{ key: 'x', operator }] };
    return makeClaim(name, { className, spec: { accessModes, selector }, ...(volume && { volume }) });
  });

const volumes: fc.Arbitrary<Volume[]> = fc
  .tuple(fc.subarray(CLAIMS, { maxLength: 2 }), fc.subarray(['d0', 'd1'], { maxLength: 1 }))
  .map(([claims, disks]) => [
    ...claims.map(claimVolume),
    ...disks.map((pdName) => ({ gcePersistentDisk: { pdName, readOnly: pdName === 'd1' } })),
  ]);

const change: fc.Arbitrary<Change> = fc.oneof(
  volume.map(
    (object): Change =>
      (scheduler) =>
        scheduler.setObject('PersistentVolume', object),
  ),
  claim.map(
    (object): Change =>
      (scheduler) =>
        scheduler.setObject('PersistentVolumeClaim', object),
  ),
  fc.constantFrom(...CLAIMS).map(
    (name): Change =>
      (scheduler) =>
        ignoreNotFound(() => scheduler.removeObject('PersistentVolumeClaim', name, 'default')),
  ),
  fc.tuple(fc.constantFrom(...NODES), fc.nat(3), fc.constantFrom('', 'kubernetes.io/gce-pd')).map(
    ([name, count, migrated]): Change =>
      (scheduler) => {
        const drivers = [{ name: 'csi.example', allocatable: { count } }];
        const annotations = { 'storage.alpha.kubernetes.io/migrated-plugins': migrated };
        scheduler.setObject('CSINode', { metadata: { name, annotations }, spec: { drivers } });
      },
  ),
  fc.tuple(fc.constantFrom(...NODES), fc.constantFrom(...VOLUMES)).map(
    ([nodeName, name]): Change =>
      (scheduler) => {
        const spec = { attacher: 'csi.example', nodeName, source: { persistentVolumeName: name } };
        scheduler.setObject('VolumeAttachment', { metadata: { name: `${name}-${nodeName}` }, spec });
      },
  ),
  fc.tuple(volumes, fc.constantFrom(...NODES), fc.nat(3)).map(
    ([mounted, nodeName, i]): Change =>
      (scheduler) =>
        scheduler.updatePod(podWithVolumes(`q${i}`, mounted, nodeName)),
  ),
  fc.nat(3).map(
    (i): Change =>
      (scheduler) =>
        ignoreNotFound(() => scheduler.removePod('default', `q${i}`)),
  ),
);

/** Rules about other pods and nodes beside the volumes: they stand after the volumes in filter order, or before. */
const extras: fc.Arbitrary<PodSpec> = fc.constantFrom<PodSpec[]>(
  {},
  {},
  { priority: 5 },
  { nodeSelector: { 'kubernetes.io/hostname': 'n1' } },
  {
    topologySpreadConstraints: [
      { maxSkew: 1, topologyKey: ZONE, whenUnsatisfiable: 'DoNotSchedule', labelSelector: {} },
    ],
  },
  {
    topologySpreadConstraints: [
      { maxSkew: 1, topologyKey: ZONE, whenUnsatisfiable: 'ScheduleAnyway', labelSelector: {} },
    ],
  },
);

/** All nodes are searched, or 100 found of a few more: a search never ends before that. */
const percentage = fc.constantFrom(100, 100, 40);
const MORE_NODES = 120;

function ignoreNotFound(remove: () => void): void {
  try {
    remove();
  } catch (error) {
    expect(error).toHaveProperty('code', 'NotFound');
  }
}

function start(engine: 'reference' | 'scalar' | 'simd', percentageOfNodesToScore: number): Scheduler {
  const tieBreak = percentageOfNodesToScore === 100 ? 'first' : 'upstream';
  const scheduler = new Scheduler({ engine, percentageOfNodesToScore, tieBreak, validate: false });
  const zones = ['a', 'b', undefined];
  for (const [i, name] of NODES.entries()) {
    const zone = zones[i];
    scheduler.addNode(
      makeNode(name, zone === undefined ? {} : { zone, labels: { zone, 'topology.gke.io/zone': zone } }),
    );
  }
  for (let i = 0; percentageOfNodesToScore < 100 && i < MORE_NODES; i++) {
    const zone = zones[i % zones.length];
    scheduler.addNode(
      makeNode(`more-${i}`, zone === undefined ? {} : { zone, labels: { 'topology.gke.io/zone': zone } }),
    );
  }
  scheduler.setObject('StorageClass', makeStorageClass('wait'));
  scheduler.setObject('StorageClass', makeStorageClass('make', { provisioner: 'csi.example' }));
  scheduler.setObject('StorageClass', makeStorageClass('now', { volumeBindingMode: 'Immediate' }));
  return scheduler;
}

describe('pods with volumes', () => {
  it.each(['reference', 'scalar', 'simd'] as const)(
    'keep away from a disk in use while they spread, engine %s',
    (engine) => {
      const scheduler = start(engine, 100);
      const disk: Volume = { gcePersistentDisk: { pdName: 'd0', readOnly: false } };
      const spread = { maxSkew: 1, topologyKey: ZONE, whenUnsatisfiable: 'DoNotSchedule' as const, labelSelector: {} };
      const nodes = ['p0', 'p1', 'p2'].map((name) => {
        const { metadata, spec } = podWithVolumes(name, [disk]);
        const result = scheduler.schedule({ metadata, spec: { ...spec, topologySpreadConstraints: [spread] } });
        return result.status === 'scheduled' ? result.node : result.status;
      });
      expect(nodes).toEqual(['n0', 'n1', 'unschedulable']);
    },
  );

  it('get the same answer from every engine after every change of the cluster', () => {
    const pod = fc.tuple(volumes, fc.boolean(), extras);
    fc.assert(
      fc.property(fc.array(fc.tuple(change, pod), { maxLength: 12, size: 'max' }), percentage, (steps, percent) => {
        const schedulers = (['reference', 'scalar', 'simd'] as const).map((engine) => start(engine, percent));
        for (const [step, [apply, [mounted, isPlaced, extra]]] of steps.entries()) {
          const { metadata, spec } = podWithVolumes(`p${step}`, mounted);
          const incoming = { metadata: { ...metadata, labels: { app: 'a' } }, spec: { ...spec, ...extra } };
          const [expected, ...others] = schedulers.map((scheduler) => {
            apply(scheduler);
            const explanation = scheduler.explain(incoming);
            return [explanation, isPlaced ? scheduler.schedule(incoming) : null];
          });
          for (const answer of others) expect(answer).toEqual(expected);
        }
      }),
      { numRuns: runs(50) },
    );
  });
});
