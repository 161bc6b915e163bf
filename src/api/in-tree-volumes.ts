/** Volume sources of the API that CSI drivers have taken over (upstream's csi-translation-lib). */
import type { Labels } from './meta.ts';
import { ZONE_LABEL } from './topology-spread.ts';
import { BETA_ZONE_LABEL, ZONE_DELIMITER } from './volume-zones.ts';
import type { InTreeVolumeSource } from './volumes.ts';

/** A volume as its CSI driver knows it. */
export interface CSIVolume {
  readonly driver: string;
  readonly handle: string;
}

type Handle = string | { readonly error: string };

export interface InTreePlugin {
  readonly name: string;
  /** The driver that has taken the plugin's place. */
  readonly driver: string;
  /** Whether its volumes count towards the limit of the driver (upstream's nodevolumelimits/utils.go). */
  readonly isCounted: boolean;
  /** The node label by which the driver says in which zone a node is; null: the plugin's volumes know no zones. */
  readonly zoneKey: string | null;
  owns(source: InTreeVolumeSource): boolean;
  /** Of a source that the plugin owns; '': none. */
  handle(source: InTreeVolumeSource, labels: Labels): Handle;
}

const PLUGINS: readonly InTreePlugin[] = [
  {
    name: 'kubernetes.io/aws-ebs',
    driver: 'ebs.csi.aws.com',
    isCounted: true,
    zoneKey: 'topology.ebs.csi.aws.com/zone',
    owns: ({ awsElasticBlockStore }) => Boolean(awsElasticBlockStore),
    handle: ({ awsElasticBlockStore }) => ebsHandle(awsElasticBlockStore?.volumeID ?? ''),
  },
  {
    name: 'kubernetes.io/gce-pd',
    driver: 'pd.csi.storage.gke.io',
    isCounted: true,
    zoneKey: 'topology.gke.io/zone',
    owns: ({ gcePersistentDisk }) => Boolean(gcePersistentDisk),
    handle: ({ gcePersistentDisk }, labels) => gceHandle(gcePersistentDisk?.pdName ?? '', labels),
  },
  {
    name: 'kubernetes.io/azure-disk',
    driver: 'disk.csi.azure.com',
    isCounted: true,
    // The driver has a label of its own, but volumes are not translated to it.
    zoneKey: null,
    owns: ({ azureDisk }) => Boolean(azureDisk),
    handle: ({ azureDisk }) => azureDisk?.diskURI ?? '',
  },
  {
    name: 'kubernetes.io/cinder',
    driver: 'cinder.csi.openstack.org',
    isCounted: true,
    zoneKey: 'topology.cinder.csi.openstack.org/zone',
    owns: ({ cinder }) => Boolean(cinder),
    handle: ({ cinder }) => cinder?.volumeID ?? '',
  },
  {
    name: 'kubernetes.io/portworx-volume',
    driver: 'pxd.portworx.com',
    isCounted: true,
    zoneKey: null,
    owns: ({ portworxVolume }) => Boolean(portworxVolume),
    handle: ({ portworxVolume }) => portworxVolume?.volumeID ?? '',
  },
  {
    name: 'kubernetes.io/azure-file',
    driver: 'file.csi.azure.com',
    isCounted: false,
    zoneKey: null,
    owns: ({ azureFile }) => Boolean(azureFile),
    handle: () => '',
  },
  {
    name: 'kubernetes.io/vsphere-volume',
    driver: 'csi.vsphere.vmware.com',
    isCounted: false,
    zoneKey: null,
    owns: ({ vsphereVolume }) => Boolean(vsphereVolume),
    handle: () => '',
  },
];

/** Whose volume it was before a driver took it over; undefined for all other volumes. */
export function inTreePluginOf(source: InTreeVolumeSource): InTreePlugin | undefined {
  return PLUGINS.find((plugin) => plugin.owns(source));
}

/** Whether a CSI driver has taken over the source, counted or not. */
export function isInTree(source: InTreeVolumeSource): boolean {
  return inTreePluginOf(source) !== undefined;
}

/**
 * The source as a volume of a CSI driver; null when nobody counts it. `labels` of the persistent volume, none for an
 * inline volume.
 */
export function asCSIVolume(source: InTreeVolumeSource, labels: Labels): CSIVolume | null | { readonly error: string } {
  const plugin = inTreePluginOf(source);
  if (plugin === undefined || !plugin.isCounted) return null;
  const handle = plugin.handle(source, labels);
  return typeof handle === 'string' ? { driver: plugin.driver, handle } : handle;
}

/** The driver that makes the volumes of a storage class; null when they are not counted. */
export function driverOfProvisioner(provisioner: string): string | null {
  const plugin = PLUGINS.find(({ name }) => name === provisioner);
  if (plugin === undefined) return provisioner;
  return plugin.isCounted ? plugin.driver : null;
}

/** `vol-1`, or the older `aws://zone/vol-1`. */
function ebsHandle(volumeID: string): Handle {
  if (!volumeID.startsWith('aws://')) return volumeID;
  const [, path = ''] = /^aws:\/\/[^/]*(.*)$/.exec(volumeID) ?? [];
  const handle = path.replace(/^\/+|\/+$/g, '');
  if (/^vol-[^/]*$/.test(handle)) return handle;
  return { error: `failed to translate Kubernetes ID to EBS Volume ID Invalid format for AWS volume (${volumeID})` };
}

function gceHandle(pdName: string, labels: Labels): Handle {
  const label = labels[BETA_ZONE_LABEL] || labels[ZONE_LABEL] || '';
  const zones = label.split(ZONE_DELIMITER);
  if (zones.length === 1) return `projects/UNSPECIFIED/zones/${label || 'UNSPECIFIED'}/disks/${pdName}`;
  const region = gceRegion(zones);
  if (typeof region === 'object') return { error: `failed to get region from zones: ${region.error}` };
  return `projects/UNSPECIFIED/regions/${region}/disks/${pdName}`;
}

/** A disk in several zones belongs to their region: us-central1-a is in us-central1. */
function gceRegion(zones: readonly string[]): string | { readonly error: string } {
  const regions = new Set<string>();
  for (const zone of zones) {
    const region = /^([^-]*-[^-]*)-[^-]*$/.exec(zone)?.[1];
    if (region === undefined) {
      return { error: `zone in unexpected format, expected: {locale}-{region}-{zone}, got: ${zone}` };
    }
    regions.add(region);
  }
  const [region = ''] = regions;
  if (regions.size === 1) return region;
  const found = [...regions].sort().map((each) => `${each}:{}`);
  return { error: `multiple or no regions gotten from zones, got: map[${found.join(' ')}]` };
}
