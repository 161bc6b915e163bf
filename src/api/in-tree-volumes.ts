/** Volume sources of the API that have been migrated to CSI drivers (upstream's csi-translation-lib). */
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
  /** The CSI driver that replaces the plugin. */
  readonly driver: string;
  /** Whether its volumes count towards the limit of the driver (upstream's nodevolumelimits/utils.go). */
  readonly isCounted: boolean;
  /** The node label by which the driver reports a node's zone; null if the plugin's volumes have no zones. */
  readonly zoneKey: string | null;
  owns(source: InTreeVolumeSource): boolean;
  /** The volume handle of a source that the plugin owns; '' for none. */
  handle(source: InTreeVolumeSource, labels: Labels): Handle;
}

const PLUGINS: readonly InTreePlugin[] = [
  counted('kubernetes.io/aws-ebs', 'ebs.csi.aws.com', 'awsElasticBlockStore', {
    zoneKey: 'topology.ebs.csi.aws.com/zone',
    handle: ({ awsElasticBlockStore }) => ebsHandle(awsElasticBlockStore?.volumeID ?? ''),
  }),
  counted('kubernetes.io/gce-pd', 'pd.csi.storage.gke.io', 'gcePersistentDisk', {
    zoneKey: 'topology.gke.io/zone',
    handle: ({ gcePersistentDisk }, labels) => gceHandle(gcePersistentDisk?.pdName ?? '', labels),
  }),
  counted('kubernetes.io/azure-disk', 'disk.csi.azure.com', 'azureDisk', {
    // The driver has a zone label of its own, but zones of volumes are not translated to it.
    zoneKey: null,
    handle: ({ azureDisk }) => azureDisk?.diskURI ?? '',
  }),
  counted('kubernetes.io/cinder', 'cinder.csi.openstack.org', 'cinder', {
    zoneKey: 'topology.cinder.csi.openstack.org/zone',
    handle: ({ cinder }) => cinder?.volumeID ?? '',
  }),
  counted('kubernetes.io/portworx-volume', 'pxd.portworx.com', 'portworxVolume', {
    zoneKey: null,
    handle: ({ portworxVolume }) => portworxVolume?.volumeID ?? '',
  }),
  uncounted('kubernetes.io/azure-file', 'file.csi.azure.com', 'azureFile'),
  uncounted('kubernetes.io/vsphere-volume', 'csi.vsphere.vmware.com', 'vsphereVolume'),
];

function counted(
  name: string,
  driver: string,
  member: keyof InTreeVolumeSource,
  rest: Pick<InTreePlugin, 'zoneKey' | 'handle'>,
): InTreePlugin {
  return { name, driver, isCounted: true, owns: (source) => Boolean(source[member]), ...rest };
}

function uncounted(name: string, driver: string, member: keyof InTreeVolumeSource): InTreePlugin {
  return { ...counted(name, driver, member, { zoneKey: null, handle: () => '' }), isCounted: false };
}

/** The in-tree plugin that the volume belonged to before its migration; undefined for all other volumes. */
export function inTreePluginOf(source: InTreeVolumeSource): InTreePlugin | undefined {
  return mayBeInTree(source) ? PLUGINS.find((plugin) => plugin.owns(source)) : undefined;
}

/** Whether some plugin owns the source. Members that are read by their names take no time: most sources have none. */
function mayBeInTree(source: InTreeVolumeSource): boolean {
  const { awsElasticBlockStore, gcePersistentDisk, azureDisk, azureFile } = source;
  const { cinder, portworxVolume, vsphereVolume } = source;
  return Boolean(
    awsElasticBlockStore || gcePersistentDisk || azureDisk || azureFile || cinder || portworxVolume || vsphereVolume,
  );
}

/** Whether the source has been migrated to a CSI driver, counted or not. */
export function isInTree(source: InTreeVolumeSource): boolean {
  return inTreePluginOf(source) !== undefined;
}

/**
 * The source as a volume of a CSI driver; null when it does not count. `labels`: those of the persistent volume, none
 * for an inline volume.
 */
export function asCSIVolume(source: InTreeVolumeSource, labels: Labels): CSIVolume | null | { readonly error: string } {
  const plugin = inTreePluginOf(source);
  if (plugin === undefined || !plugin.isCounted) return null;
  const handle = plugin.handle(source, labels);
  return typeof handle === 'string' ? { driver: plugin.driver, handle } : handle;
}

/** The driver that creates the volumes of a storage class; null when they do not count. */
export function driverOfProvisioner(provisioner: string): string | null {
  const plugin = PLUGINS.find(({ name }) => name === provisioner);
  if (plugin === undefined) return provisioner;
  return plugin.isCounted ? plugin.driver : null;
}

/** The handle of a volume id, which is `vol-1`, or the older `aws://zone/vol-1`. */
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

/** The region of a disk that is in several zones: us-central1-a is in us-central1. */
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
