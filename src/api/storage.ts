import type { LabelSelector } from './label-selector.ts';
import type { ObjectMeta, ObjectReference } from './meta.ts';
import type { NodeSelector } from './node-selector.ts';
import type { ResourceList } from './quantity.ts';
import type { InTreeVolumeSource } from './volumes.ts';

/** Storage objects, with exactly the fields that the volume plugins read. */
export interface PersistentVolumeClaim {
  readonly metadata?: ObjectMeta | undefined;
  readonly spec?:
    | {
        /** `ReadWriteOnce`, `ReadOnlyMany`, `ReadWriteMany`, `ReadWriteOncePod` */
        readonly accessModes?: readonly string[] | undefined;
        /** `requests.storage`: bytes */
        readonly resources?: { readonly requests?: ResourceList | undefined } | undefined;
        /**
         * The storage class. '' requests a volume without class; so does an absent one here, since the API server has
         * filled in the default class.
         */
        readonly storageClassName?: string | undefined;
        readonly volumeAttributesClassName?: string | undefined;
        /** `Filesystem` (also when absent) or `Block` */
        readonly volumeMode?: string | undefined;
        /** Selects volumes by their labels. */
        readonly selector?: LabelSelector | null | undefined;
        /** The volume that the claim is bound to, or is to be bound to. */
        readonly volumeName?: string | undefined;
      }
    | undefined;
  readonly status?:
    | {
        /** `Pending`, `Bound`, `Lost` */
        readonly phase?: string | undefined;
        readonly capacity?: ResourceList | undefined;
      }
    | undefined;
}

export interface PersistentVolumeSpec extends InTreeVolumeSource {
  readonly accessModes?: readonly string[] | undefined;
  /** `storage`: bytes */
  readonly capacity?: ResourceList | undefined;
  /** The claim that owns the volume; a reference without uid reserves the volume for a claim. */
  readonly claimRef?: ObjectReference | null | undefined;
  readonly csi?: { readonly driver?: string | undefined; readonly volumeHandle?: string | undefined } | undefined;
  /** The nodes that can reach the volume; absent: all nodes. */
  readonly nodeAffinity?: { readonly required?: NodeSelector | undefined } | undefined;
  readonly storageClassName?: string | undefined;
  readonly volumeAttributesClassName?: string | undefined;
  /** `Filesystem` (also when absent) or `Block` */
  readonly volumeMode?: string | undefined;
}

/** A volume of the cluster (v1 PersistentVolume). */
export interface PersistentVolume {
  readonly metadata?: ObjectMeta | undefined;
  readonly spec?: PersistentVolumeSpec | undefined;
  /** `Pending`, `Available`, `Bound`, `Released`, `Failed` */
  readonly status?: { readonly phase?: string | undefined } | undefined;
}

/** A term matches when each of its keys has one of the values. */
export interface TopologySelectorTerm {
  readonly matchLabelExpressions?:
    | readonly { readonly key: string; readonly values?: readonly string[] | undefined }[]
    | undefined;
}

/** How volumes of a class are made (storage.k8s.io/v1 StorageClass). */
export interface StorageClass {
  readonly metadata?: ObjectMeta | undefined;
  /** The provisioner; `kubernetes.io/no-provisioner` creates no volumes. */
  readonly provisioner?: string | undefined;
  /** What becomes of a volume whose claim is gone: `Delete` (also when absent) or `Retain`. */
  readonly reclaimPolicy?: string | undefined;
  /** `Immediate` or `WaitForFirstConsumer`; the API server fills it in. */
  readonly volumeBindingMode?: string | undefined;
  /** The topologies where volumes can be created; absent or empty: everywhere. */
  readonly allowedTopologies?: readonly TopologySelectorTerm[] | null | undefined;
}

/** The CSI drivers on the node of the same name. */
export interface CSINode {
  readonly metadata?: ObjectMeta | undefined;
  readonly spec?:
    | {
        readonly drivers?:
          | readonly {
              readonly name: string;
              /** How many volumes of the driver the node can attach; absent: no limit. */
              readonly allocatable?: { readonly count?: number | undefined } | undefined;
            }[]
          | null
          | undefined;
      }
    | undefined;
}

/** A CSI driver of the cluster (storage.k8s.io/v1 CSIDriver). */
export interface CSIDriver {
  readonly metadata?: ObjectMeta | undefined;
  /** `storageCapacity`: whether the driver publishes its free space (CSIStorageCapacity), which then counts. */
  readonly spec?: { readonly storageCapacity?: boolean | undefined } | undefined;
}

/** The free space of a storage class for the nodes of a topology. */
export interface CSIStorageCapacity {
  readonly metadata?: ObjectMeta | undefined;
  readonly storageClassName?: string | undefined;
  /** Selects the nodes that can reach the space; absent: none. */
  readonly nodeTopology?: LabelSelector | null | undefined;
  /** The free space in bytes. */
  readonly capacity?: string | number | undefined;
  /** The largest possible volume in bytes, if the driver knows it. */
  readonly maximumVolumeSize?: string | number | undefined;
}

/** A volume that is attached to a node (storage.k8s.io/v1 VolumeAttachment). */
export interface VolumeAttachment {
  readonly metadata?: ObjectMeta | undefined;
  readonly spec?:
    | {
        /** The name of the CSI driver. */
        readonly attacher?: string | undefined;
        readonly nodeName?: string | undefined;
        readonly source?: { readonly persistentVolumeName?: string | undefined } | undefined;
      }
    | undefined;
}
