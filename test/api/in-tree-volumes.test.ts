import { describe, expect, it } from 'vitest';
import { asCSIVolume, driverOfProvisioner, inTreePluginOf, isInTree } from '../../src/api/in-tree-volumes.ts';
import type { Labels } from '../../src/api/meta.ts';
import type { InTreeVolumeSource } from '../../src/api/volumes.ts';

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
      error: 'failed to translate Kubernetes ID to EBS Volume ID Invalid format for AWS volume (aws://zone/disk-1)',
    });
    expect(asCSIVolume(gce, { [ZONE]: 'us-e1-a__eu-w1-a__eu-w1-b' })).toEqual({
      error: 'failed to get region from zones: multiple or no regions gotten from zones, got: map[eu-w1:{} us-e1:{}]',
    });
    expect(asCSIVolume(gce, { [ZONE]: 'eu-w1-a__b' })).toEqual({
      error: 'failed to get region from zones: zone in unexpected format, expected: {locale}-{region}-{zone}, got: b',
    });
  });

  it('leaves out what nobody counts', () => {
    expect(asCSIVolume({ azureFile: {} }, {})).toBeNull();
    expect(asCSIVolume({ vsphereVolume: {} }, {})).toBeNull();
    expect(asCSIVolume({}, {})).toBeNull();
  });
});

describe('inTreePluginOf', () => {
  it.each<[InTreeVolumeSource, string, string | null]>([
    [ebs('v'), 'kubernetes.io/aws-ebs', 'topology.ebs.csi.aws.com/zone'],
    [gce, 'kubernetes.io/gce-pd', 'topology.gke.io/zone'],
    [{ cinder: {} }, 'kubernetes.io/cinder', 'topology.cinder.csi.openstack.org/zone'],
    [{ azureDisk: {} }, 'kubernetes.io/azure-disk', null],
    [{ portworxVolume: {} }, 'kubernetes.io/portworx-volume', null],
    [{ azureFile: {} }, 'kubernetes.io/azure-file', null],
    [{ vsphereVolume: {} }, 'kubernetes.io/vsphere-volume', null],
  ])('%j', (source, name, zoneKey) => {
    expect(inTreePluginOf(source)).toMatchObject({ name, zoneKey });
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
