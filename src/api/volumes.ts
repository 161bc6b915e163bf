/** A disk that only one pod may write to, named by what its provider calls it. */
export interface GCEPersistentDisk {
  readonly pdName?: string | undefined;
  readonly readOnly?: boolean | undefined;
}

export interface AWSElasticBlockStore {
  readonly volumeID?: string | undefined;
  readonly readOnly?: boolean | undefined;
}

export interface ISCSIDisk {
  /** The target's name in the whole world, whatever portal it is reached by. */
  readonly iqn?: string | undefined;
  readonly readOnly?: boolean | undefined;
}

export interface RBDImage {
  readonly monitors?: readonly string[] | undefined;
  /** Absent: `rbd`. */
  readonly pool?: string | undefined;
  readonly image?: string | undefined;
  readonly readOnly?: boolean | undefined;
}

export interface AzureDisk {
  readonly diskName?: string | undefined;
  readonly diskURI?: string | undefined;
}

/** `volumeID` names a disk of OpenStack's Cinder or of Portworx. */
export interface VolumeById {
  readonly volumeID?: string | undefined;
}

/** Volume sources of the API that CSI drivers have taken over. */
export interface InTreeVolumeSource {
  readonly gcePersistentDisk?: GCEPersistentDisk | undefined;
  readonly awsElasticBlockStore?: AWSElasticBlockStore | undefined;
  readonly azureDisk?: AzureDisk | undefined;
  readonly azureFile?: object | undefined;
  readonly cinder?: VolumeById | undefined;
  readonly portworxVolume?: VolumeById | undefined;
  readonly vsphereVolume?: object | undefined;
}

/** A v1 Volume of a pod: at most one source is set. Sources that scheduling never looks at are left out. */
export interface Volume extends InTreeVolumeSource {
  readonly name?: string | undefined;
  readonly image?: { readonly reference?: string | undefined } | undefined;
  readonly persistentVolumeClaim?: { readonly claimName?: string | undefined } | undefined;
  /** A claim of the pod's own, called `<pod>-<volume>`, that a controller creates from the template in it. */
  readonly ephemeral?: object | undefined;
  readonly iscsi?: ISCSIDisk | undefined;
  readonly rbd?: RBDImage | undefined;
  /** A volume that lives as long as the pod, from this CSI driver. */
  readonly csi?: { readonly driver?: string | undefined } | null | undefined;
}
