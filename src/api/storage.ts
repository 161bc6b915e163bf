import type { ObjectMeta } from './meta.ts';

/** Storage objects: exactly the fields that the volume plugins read. */
export interface PersistentVolumeClaim {
  readonly metadata?: ObjectMeta | undefined;
}

export interface PersistentVolume {
  readonly metadata?: ObjectMeta | undefined;
}

export interface StorageClass {
  readonly metadata?: ObjectMeta | undefined;
}

export interface CSINode {
  readonly metadata?: ObjectMeta | undefined;
}

export interface CSIDriver {
  readonly metadata?: ObjectMeta | undefined;
}

export interface CSIStorageCapacity {
  readonly metadata?: ObjectMeta | undefined;
}

export interface VolumeAttachment {
  readonly metadata?: ObjectMeta | undefined;
}
