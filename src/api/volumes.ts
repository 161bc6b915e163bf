/** A disk that only one pod may write to, identified by its provider's name. */
export interface GCEPersistentDisk {
  readonly pdName?: string | undefined;
  readonly readOnly?: boolean | undefined;
}

/** A volume of Amazon EC2 (v1 AWSElasticBlockStoreVolumeSource). */
export interface AWSElasticBlockStore {
  readonly volumeID?: string | undefined;
  readonly readOnly?: boolean | undefined;
}

/** A disk that is reached over iSCSI (v1 ISCSIVolumeSource). */
export interface ISCSIDisk {
  /** The globally unique name of the target, whatever portal it is reached through. */
  readonly iqn?: string | undefined;
  readonly readOnly?: boolean | undefined;
}

/** An image of Ceph's block device (v1 RBDVolumeSource). */
export interface RBDImage {
  readonly monitors?: readonly string[] | undefined;
  /** The pool; absent: `rbd`. */
  readonly pool?: string | undefined;
  readonly image?: string | undefined;
  readonly readOnly?: boolean | undefined;
}

/** A disk of Azure (v1 AzureDiskVolumeSource). */
export interface AzureDisk {
  readonly diskName?: string | undefined;
  readonly diskURI?: string | undefined;
}

/** A disk of OpenStack's Cinder or of Portworx, identified by `volumeID`. */
export interface VolumeById {
  readonly volumeID?: string | undefined;
}

/** Volume sources of the API that have been migrated to CSI drivers. */
export interface InTreeVolumeSource {
  readonly gcePersistentDisk?: GCEPersistentDisk | undefined;
  readonly awsElasticBlockStore?: AWSElasticBlockStore | undefined;
  readonly azureDisk?: AzureDisk | undefined;
  readonly azureFile?: object | undefined;
  readonly cinder?: VolumeById | undefined;
  readonly portworxVolume?: VolumeById | undefined;
  readonly vsphereVolume?: object | undefined;
}

/** A v1 Volume of a pod, with at most one source. Sources that scheduling never reads are omitted. */
export interface Volume extends InTreeVolumeSource {
  readonly name?: string | undefined;
  readonly image?: { readonly reference?: string | undefined } | undefined;
  readonly persistentVolumeClaim?: { readonly claimName?: string | undefined } | undefined;
  /** A claim of the pod itself, named `<pod>-<volume>`, that a controller creates from this template. */
  readonly ephemeral?: object | undefined;
  readonly iscsi?: ISCSIDisk | undefined;
  readonly rbd?: RBDImage | undefined;
  /** A volume of this CSI driver that lives as long as the pod. */
  readonly csi?: { readonly driver?: string | undefined } | null | undefined;
}
