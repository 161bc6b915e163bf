import { describe, expect, it } from 'vitest';
import type { Labels } from '../../../../src/api/meta.ts';
import type { InTreeVolumeSource } from '../../../../src/api/volumes.ts';
import {
  asCSIVolume,
  driverOfProvisioner,
  isInTree,
} from '../../../../src/core/plugins/node-volume-limits/in-tree-volumes.ts';

const ZONE = 'topology.kubernetes.io/zone';
const ebs = (volumeID: string): InTreeVolumeSource => ({ awsElasticBlockStore: { volumeID } });
const gce: InTreeVolumeSource = { gcePersistentDisk: { pdName: 'd' } };

describe('asCSIVolume', () => {
  it.each<[InTreeVolumeSource, Labels, string]>([
    [ebs('vol-1'), {}, 'ebs.csi.aws.com vol-1'],
    [ebs('aws://us-east-1a/vol-1'), {}, 'ebs.csi.aws.com vol-1'],
    [ebs('aws:///vol-1/'), {}, 'ebs.csi.aws.com vol-1'],
    [gce, {}, 'pd.csi.storage.gke.io projects/UNSPECIFIED/zones/UNSPECIFIED/disks/d'],
    [gce, { [ZONE]: 'eu-w1-a' }, 'pd.csi.storage.gke.io projects/UNSPECIFIED/zones/eu-w1-a/disks/d'],
    [gce, { [ZONE]: 'eu-w1-a__eu-w1-b' }, 'pd.csi.storage.gke.io projects/UNSPECIFIED/regions/eu-w1/disks/d'],
    [{ azureDisk: { diskName: 'd', diskURI: '/sub/d' } }, {}, 'disk.csi.azure.com /sub/d'],
    [{ cinder: { volumeID: 'c' } }, {}, 'cinder.csi.openstack.org c'],
    [{ portworxVolume: { volumeID: 'p' } }, {}, 'pxd.portworx.com p'],
  ])('%j with labels %j', (source, labels, expected) => {
    const volume = asCSIVolume(source, labels);
    expect(volume).not.toBeNull();
    expect(volume !== null && 'driver' in volume ? `${volume.driver} ${volume.handle}` : volume).toBe(expected);
  });

  it('says what it cannot read', () => {
    expect(asCSIVolume(ebs('aws://zone/disk-1'), {})).toEqual({
      error: 'Invalid format for AWS volume (aws://zone/disk-1)',
    });
    expect(asCSIVolume(gce, { [ZONE]: 'eu-w1-a__us-e1-a' })).toHaveProperty('error');
    expect(asCSIVolume(gce, { [ZONE]: 'a__b' })).toHaveProperty('error');
  });

  it('leaves out what nobody counts', () => {
    expect(asCSIVolume({ azureFile: {} }, {})).toBeNull();
    expect(asCSIVolume({ vsphereVolume: {} }, {})).toBeNull();
    expect(asCSIVolume({}, {})).toBeNull();
  });
});

describe('isInTree', () => {
  it('holds for all that drivers have taken over, counted or not', () => {
    expect([ebs('v'), gce, { azureFile: {} }, { vsphereVolume: {} }, { cinder: {} }].every(isInTree)).toBe(true);
    expect(isInTree({})).toBe(false);
  });
});

describe('driverOfProvisioner', () => {
  it.each([
    ['csi.example', 'csi.example'],
    ['kubernetes.io/aws-ebs', 'ebs.csi.aws.com'],
    ['kubernetes.io/azure-file', null],
    ['constructor', 'constructor'],
  ])('%s: %s', (provisioner, driver) => {
    expect(driverOfProvisioner(provisioner)).toBe(driver);
  });
});
