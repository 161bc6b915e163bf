import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { type EngineName, Scheduler } from '../../../src/index.ts';
import { VolumeBinding } from '../../../src/plugins/volume-binding/plugin.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makeClaim, makeStorageClass, makeVolume, podWithClaims } from '../../builders/make-storage.ts';

const NODES = 10;
const GCE = 'kubernetes.io/gce-pd';
const zones = fc.constantFrom<string | undefined>('a', 'b', undefined);

const lives = fc.record({
  nodes: fc.array(fc.record({ zone: zones, driverZone: zones, isMigrated: fc.boolean() }), {
    minLength: NODES,
    maxLength: NODES,
  }),
  /** The nodes whose drivers come or go between two attempts. */
  changed: fc.uniqueArray(fc.nat(NODES - 1), { maxLength: 3 }),
  hasAffinity: fc.boolean(),
});

type Life = typeof lives extends fc.Arbitrary<infer T> ? T : never;

function zoneLabels(zone: string | undefined, key: string): Readonly<Record<string, string>> {
  return zone === undefined ? {} : { [key]: zone };
}

function csiNode(i: number, isMigrated: boolean) {
  const annotations = { 'storage.alpha.kubernetes.io/migrated-plugins': isMigrated ? `kubernetes.io/x,${GCE}` : '' };
  return { metadata: { name: `n${i}`, annotations }, spec: { drivers: [] } };
}

function play(engine: EngineName, { nodes, changed, hasAffinity }: Life): unknown[] {
  const scheduler = new Scheduler({ engine, validate: false });
  for (const [i, { zone, driverZone, isMigrated }] of nodes.entries()) {
    const labels = {
      ...zoneLabels(zone, 'topology.kubernetes.io/zone'),
      ...zoneLabels(driverZone, 'topology.gke.io/zone'),
    };
    scheduler.addNode(makeNode(`n${i}`, { labels }));
    if (isMigrated || i % 2 === 0) scheduler.setObject('CSINode', csiNode(i, isMigrated));
  }
  scheduler.setObject('StorageClass', makeStorageClass('wait', { provisioner: 'csi.example' }));
  const labels = { 'topology.kubernetes.io/zone': 'a' };
  const spec = { csi: undefined, gcePersistentDisk: { pdName: 'd' } };
  const zone = hasAffinity ? { zone: 'a' } : {};
  scheduler.setObject('PersistentVolume', makeVolume('v', { spec, labels, ...zone }));
  scheduler.setObject('PersistentVolumeClaim', makeClaim('c', { volume: 'v' }));
  const results: unknown[] = [scheduler.schedule(podWithClaims('p', ['c']))];
  for (const i of changed) scheduler.setObject('CSINode', csiNode(i, !nodes[i]?.isMigrated));
  results.push(scheduler.schedule(podWithClaims('q', ['c'])));
  return results;
}

test('a filter that sees something of nodes beside their parts decides as when it is asked about each node', () => {
  fc.assert(
    fc.property(lives, (life) => {
      expect(play('simd', life)).toEqual(play('reference', life));
    }),
    { numRuns: 25 },
  );
});

test('nodes that look the same to the volumes of a pod, with drivers and without, are asked about once', () => {
  const filter = vi.spyOn(VolumeBinding.prototype, 'filter');
  const nodes = Array.from({ length: NODES }, (_, i) => ({
    zone: i % 3 === 0 ? 'b' : undefined,
    driverZone: 'a',
    isMigrated: i % 2 === 0,
  }));
  try {
    play('simd', { nodes, changed: [], hasAffinity: false });
    const [looks, pods] = [2, 2];
    expect(filter).toHaveBeenCalledTimes(looks * pods);
  } finally {
    filter.mockRestore();
  }
});
