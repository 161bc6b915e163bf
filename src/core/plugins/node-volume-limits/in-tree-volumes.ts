import type { Labels } from '../../../api/meta.ts';
import type { InTreeVolumeSource } from '../../../api/volumes.ts';

/** A volume as its CSI driver knows it. */
export interface CSIVolume {
  readonly driver: string;
  readonly handle: string;
}

interface InTreePlugin {
  /** The driver that has taken the plugin's place. */
  readonly driver: string;
  /** null: the source is another plugin's; '' or an error: the volume is not counted. */
  handle(source: InTreeVolumeSource, labels: Labels): string | null | { readonly error: string };
}

/** Plugins whose volumes count towards the limit of their driver (upstream's nodevolumelimits/utils.go). */
const COUNTED: Readonly<Record<string, InTreePlugin>> = {
  'kubernetes.io/aws-ebs': {
    driver: 'ebs.csi.aws.com',
    handle: ({ awsElasticBlockStore: disk }) => (disk ? ebsHandle(disk.volumeID ?? '') : null),
  },
  'kubernetes.io/gce-pd': {
    driver: 'pd.csi.storage.gke.io',
    handle: ({ gcePersistentDisk: disk }, labels) => (disk ? gceHandle(disk.pdName ?? '', labels) : null),
  },
  'kubernetes.io/azure-disk': {
    driver: 'disk.csi.azure.com',
    handle: ({ azureDisk: disk }) => (disk ? (disk.diskURI ?? '') : null),
  },
  'kubernetes.io/cinder': {
    driver: 'cinder.csi.openstack.org',
    handle: ({ cinder: disk }) => (disk ? (disk.volumeID ?? '') : null),
  },
  'kubernetes.io/portworx-volume': {
    driver: 'pxd.portworx.com',
    handle: ({ portworxVolume: disk }) => (disk ? (disk.volumeID ?? '') : null),
  },
};

/** These have drivers too, but nobody counts their volumes. */
const NOT_COUNTED: ReadonlySet<string> = new Set(['kubernetes.io/azure-file', 'kubernetes.io/vsphere-volume']);

/** Whether a CSI driver has taken over the source of an inline volume, counted or not. */
export function isInTree(source: InTreeVolumeSource): boolean {
  return Boolean(
    source.awsElasticBlockStore ||
      source.gcePersistentDisk ||
      source.azureDisk ||
      source.azureFile ||
      source.cinder ||
      source.portworxVolume ||
      source.vsphereVolume,
  );
}

/**
 * The source as a volume of a CSI driver; null when nobody counts it. `labels` of the persistent volume, none for an
 * inline volume. (Upstream's csi-translation-lib.)
 */
export function asCSIVolume(source: InTreeVolumeSource, labels: Labels): CSIVolume | null | { readonly error: string } {
  for (const { driver, handle: handleOf } of Object.values(COUNTED)) {
    const handle = handleOf(source, labels);
    if (handle !== null) return typeof handle === 'string' ? { driver, handle } : handle;
  }
  return null;
}

/** The driver that makes the volumes of a storage class; null when they are not counted. */
export function driverOfProvisioner(provisioner: string): string | null {
  if (NOT_COUNTED.has(provisioner)) return null;
  return Object.hasOwn(COUNTED, provisioner) ? (COUNTED[provisioner]?.driver ?? null) : provisioner;
}

/** `vol-1`, or the older `aws://zone/vol-1`. */
function ebsHandle(volumeID: string): string | { readonly error: string } {
  if (!volumeID.startsWith('aws://')) return volumeID;
  const [, path = ''] = /^aws:\/\/[^/]*(.*)$/.exec(volumeID) ?? [];
  const handle = path.replace(/^\/+|\/+$/g, '');
  return /^vol-[^/]*$/.test(handle) ? handle : { error: `Invalid format for AWS volume (${volumeID})` };
}

function gceHandle(pdName: string, labels: Labels): string | { readonly error: string } {
  const label = labels['failure-domain.beta.kubernetes.io/zone'] || labels['topology.kubernetes.io/zone'] || '';
  const zones = label.split('__');
  if (zones.length === 1) return `projects/UNSPECIFIED/zones/${label || 'UNSPECIFIED'}/disks/${pdName}`;
  // A disk in several zones belongs to their region: us-central1-a is in us-central1.
  const regions = new Set(zones.map((zone) => /^([^-]*-[^-]*)-[^-]*$/.exec(zone)?.[1]));
  const [region] = regions;
  if (region === undefined || regions.size > 1) return { error: `failed to get region from zones: ${label}` };
  return `projects/UNSPECIFIED/regions/${region}/disks/${pdName}`;
}
