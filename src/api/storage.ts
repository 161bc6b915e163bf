import type { LabelSelector } from './label-selector.ts';
import type { ObjectMeta } from './meta.ts';
import type { NodeSelector } from './node-selector.ts';
import type { ResourceList } from './quantity.ts';
import type { InTreeVolumeSource } from './volumes.ts';

/** Storage objects: exactly the fields that the volume plugins read. */
export interface PersistentVolumeClaim {
  readonly metadata?: ObjectMeta | undefined;
  readonly spec?:
    | {
        /** `ReadWriteOnce`, `ReadOnlyMany`, `ReadWriteMany`, `ReadWriteOncePod` */
        readonly accessModes?: readonly string[] | undefined;
        /** `requests.storage`: bytes */
        readonly resources?: { readonly requests?: ResourceList | undefined } | undefined;
        /** '' asks for a volume without class; absent too, here: the API server has filled in the default class. */
        readonly storageClassName?: string | undefined;
        readonly volumeAttributesClassName?: string | undefined;
        /** `Filesystem` (also when absent) or `Block` */
        readonly volumeMode?: string | undefined;
        /** Which labels a volume must have. */
        readonly selector?: LabelSelector | null | undefined;
        /** The volume that the claim is, or is to be, bound to. */
        readonly volumeName?: string | undefined;
      }
    | undefined;
  /** `Pending`, `Bound`, `Lost` */
  readonly status?: { readonly phase?: string | undefined } | undefined;
}

export interface PersistentVolumeSpec extends InTreeVolumeSource {
  readonly accessModes?: readonly string[] | undefined;
  /** `storage`: bytes */
  readonly capacity?: ResourceList | undefined;
  /** The claim that owns the volume; without uid, the claim that it is kept for. */
  readonly claimRef?: ClaimReference | null | undefined;
  readonly csi?: { readonly driver?: string | undefined; readonly volumeHandle?: string | undefined } | undefined;
  /** From where the volume can be reached; absent: from everywhere. */
  readonly nodeAffinity?: { readonly required?: NodeSelector | undefined } | undefined;
  readonly storageClassName?: string | undefined;
  readonly volumeAttributesClassName?: string | undefined;
  /** `Filesystem` (also when absent) or `Block` */
  readonly volumeMode?: string | undefined;
}

export interface ClaimReference {
  readonly kind?: string | undefined;
  readonly apiVersion?: string | undefined;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
}

export interface PersistentVolume {
  readonly metadata?: ObjectMeta | undefined;
  readonly spec?: PersistentVolumeSpec | undefined;
  /** `Pending`, `Available`, `Bound`, `Released`, `Failed` */
  readonly status?: { readonly phase?: string | undefined } | undefined;
}

/** One term must match; in it, every key must have one of the values. */
export interface TopologySelectorTerm {
  readonly matchLabelExpressions?:
    | readonly { readonly key: string; readonly values?: readonly string[] | undefined }[]
    | undefined;
}

export interface StorageClass {
  readonly metadata?: ObjectMeta | undefined;
  /** `kubernetes.io/no-provisioner` creates no volumes. */
  readonly provisioner?: string | undefined;
  /** `Immediate` or `WaitForFirstConsumer`; the API server fills it in. */
  readonly volumeBindingMode?: string | undefined;
  /** Where volumes can be created; absent or empty: everywhere. */
  readonly allowedTopologies?: readonly TopologySelectorTerm[] | null | undefined;
}

/** Which CSI drivers run on the node of the same name. */
export interface CSINode {
  readonly metadata?: ObjectMeta | undefined;
  readonly spec?:
    | {
        readonly drivers?:
          | readonly {
              readonly name: string;
              /** How many volumes of the driver the node can hold; absent: no limit. */
              readonly allocatable?: { readonly count?: number | undefined } | undefined;
            }[]
          | null
          | undefined;
      }
    | undefined;
}

export interface CSIDriver {
  readonly metadata?: ObjectMeta | undefined;
  /** `storageCapacity`: free space is reported (CSIStorageCapacity) and counts. */
  readonly spec?: { readonly storageCapacity?: boolean | undefined } | undefined;
}

/** How much space a storage class has for the nodes of a topology. */
export interface CSIStorageCapacity {
  readonly metadata?: ObjectMeta | undefined;
  readonly storageClassName?: string | undefined;
  /** Absent: no node can reach it. */
  readonly nodeTopology?: LabelSelector | null | undefined;
  /** bytes */
  readonly capacity?: string | number | undefined;
  /** bytes; the largest volume that can be made, where the driver knows it */
  readonly maximumVolumeSize?: string | number | undefined;
}

export interface VolumeAttachment {
  readonly metadata?: ObjectMeta | undefined;
  readonly spec?:
    | {
        /** Name of the CSI driver. */
        readonly attacher?: string | undefined;
        readonly nodeName?: string | undefined;
        readonly source?: { readonly persistentVolumeName?: string | undefined } | undefined;
      }
    | undefined;
}
