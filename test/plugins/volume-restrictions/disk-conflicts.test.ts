import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Volume } from '../../../src/api/volumes.ts';
import { disksConflict, isDisk } from '../../../src/plugins/volume-restrictions/disk-conflicts.ts';

const rbd = (over: Volume['rbd']): Volume => ({ rbd: { monitors: ['m1', 'm2'], pool: 'p', image: 'i', ...over } });

const kinds: Readonly<Record<string, (readOnly: boolean) => Volume>> = {
  gce: (readOnly) => ({ gcePersistentDisk: { pdName: 'd', readOnly } }),
  iscsi: (readOnly) => ({ iscsi: { iqn: 'iqn.1', readOnly } }),
  rbd: (readOnly) => rbd({ readOnly }),
};

describe('the same disk twice', () => {
  it.each(Object.keys(kinds))('%s: only if both read', (kind) => {
    const disk = kinds[kind] as (readOnly: boolean) => Volume;
    expect(disksConflict(disk(true), disk(true))).toBe(false);
    expect(disksConflict(disk(true), disk(false))).toBe(true);
    expect(disksConflict(disk(false), disk(true))).toBe(true);
    expect(disksConflict(disk(false), disk(false))).toBe(true);
  });

  it('ebs: never', () => {
    const disk: Volume = { awsElasticBlockStore: { volumeID: 'vol-1', readOnly: true } };
    expect(disksConflict(disk, disk)).toBe(true);
    expect(disksConflict(disk, { awsElasticBlockStore: { volumeID: 'vol-2' } })).toBe(false);
  });
});

describe('what makes disks the same', () => {
  it('gce and iscsi: the name', () => {
    expect(disksConflict({ gcePersistentDisk: { pdName: 'a' } }, { gcePersistentDisk: { pdName: 'b' } })).toBe(false);
    expect(disksConflict({ iscsi: { iqn: 'a' } }, { iscsi: { iqn: 'b' } })).toBe(false);
  });

  it('rbd: a common monitor, pool and image', () => {
    expect(disksConflict(rbd({}), rbd({ monitors: ['m2', 'm3'] }))).toBe(true);
    expect(disksConflict(rbd({}), rbd({ monitors: ['m3'] }))).toBe(false);
    expect(disksConflict(rbd({}), rbd({ monitors: [] }))).toBe(false);
    expect(disksConflict(rbd({}), rbd({ pool: 'other' }))).toBe(false);
    expect(disksConflict(rbd({}), rbd({ image: 'other' }))).toBe(false);
    expect(disksConflict(rbd({ pool: undefined }), rbd({ pool: 'rbd' }))).toBe(true);
  });
});

describe('disks of all kinds', () => {
  const flag = fc.boolean();
  const name = fc.constantFrom('a', 'b');
  const volume: fc.Arbitrary<Volume> = fc.oneof(
    fc.record({ pdName: name, readOnly: flag }).map((gcePersistentDisk) => ({ gcePersistentDisk })),
    fc.record({ volumeID: name, readOnly: flag }).map((awsElasticBlockStore) => ({ awsElasticBlockStore })),
    fc.record({ iqn: name, readOnly: flag }).map((iscsi) => ({ iscsi })),
    fc
      .record({ monitors: fc.subarray(['m1', 'm2', 'm3']), pool: name, image: name, readOnly: flag })
      .map((image) => ({ rbd: image })),
    name.map((claimName) => ({ persistentVolumeClaim: { claimName } })),
  );

  it('conflict in both directions or not at all, and only with their own kind', () => {
    fc.assert(
      fc.property(volume, volume, (a, b) => {
        expect(disksConflict(a, b)).toBe(disksConflict(b, a));
        if (disksConflict(a, b)) {
          expect(isDisk(a) && isDisk(b)).toBe(true);
          expect(Object.keys(a)).toEqual(Object.keys(b));
        }
      }),
    );
  });
});
