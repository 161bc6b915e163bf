import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PersistentVolume, PersistentVolumeClaim } from '../../src/api/storage.ts';
import type { Volume } from '../../src/api/volumes.ts';
import { Scheduler } from '../../src/index.ts';
import { makeNode } from '../builders/make-node.ts';
import { claimVolume, makeClaim, makeStorageClass, makeVolume, podWithVolumes } from '../builders/make-storage.ts';

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

function ignoreNotFound(remove: () => void): void {
  try {
    remove();
  } catch (error) {
    expect(error).toHaveProperty('code', 'NotFound');
  }
}

function start(engine: 'reference' | 'scalar' | 'simd'): Scheduler {
  const scheduler = new Scheduler({ engine, validate: false });
  const zones = ['a', 'b', undefined];
  for (const [i, name] of NODES.entries()) {
    const zone = zones[i];
    scheduler.addNode(
      makeNode(name, zone === undefined ? {} : { zone, labels: { zone, 'topology.gke.io/zone': zone } }),
    );
  }
  scheduler.setObject('StorageClass', makeStorageClass('wait'));
  scheduler.setObject('StorageClass', makeStorageClass('make', { provisioner: 'csi.example' }));
  scheduler.setObject('StorageClass', makeStorageClass('now', { volumeBindingMode: 'Immediate' }));
  return scheduler;
}

describe('pods with volumes', () => {
  it('get the same answer from every engine after every change of the cluster', () => {
    const pod = fc.tuple(volumes, fc.boolean());
    fc.assert(
      fc.property(fc.array(fc.tuple(change, pod), { maxLength: 12, size: 'max' }), (steps) => {
        const schedulers = (['reference', 'scalar', 'simd'] as const).map(start);
        for (const [step, [apply, [mounted, isPlaced]]] of steps.entries()) {
          const incoming = podWithVolumes(`p${step}`, mounted);
          const [expected, ...others] = schedulers.map((scheduler) => {
            apply(scheduler);
            const explanation = scheduler.explain(incoming);
            return [explanation, isPlaced ? scheduler.schedule(incoming) : null];
          });
          for (const answer of others) expect(answer).toEqual(expected);
        }
      }),
      { numRuns: 150 },
    );
  });
});
