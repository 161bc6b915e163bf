import type { Pod } from '../../src/api/pod.ts';
import type { PersistentVolume, PersistentVolumeClaim, StorageClass } from '../../src/api/storage.ts';
import type { Volume } from '../../src/api/volumes.ts';

export interface ClaimOptions {
  readonly namespace?: string;
  readonly className?: string;
  /** Fully bound to this volume. */
  readonly volume?: string;
  readonly size?: string;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly spec?: PersistentVolumeClaim['spec'];
  readonly metadata?: PersistentVolumeClaim['metadata'];
}

/** A claim of class `wait` for 1Gi that has no volume yet, unless the options differ. */
export function makeClaim(name: string, options: ClaimOptions = {}): PersistentVolumeClaim {
  const { namespace = 'default', className = 'wait', volume, size = '1Gi', annotations = {} } = options;
  const bound = volume === undefined ? {} : { 'pv.kubernetes.io/bind-completed': 'yes' };
  return {
    metadata: { name, namespace, uid: `uid-${name}`, annotations: { ...bound, ...annotations }, ...options.metadata },
    spec: {
      accessModes: ['ReadWriteOnce'],
      storageClassName: className,
      resources: { requests: { storage: size } },
      ...(volume !== undefined && { volumeName: volume }),
      ...options.spec,
    },
    status: { phase: volume === undefined ? 'Pending' : 'Bound' },
  };
}

export interface VolumeOptions {
  readonly className?: string;
  readonly size?: string;
  readonly labels?: Readonly<Record<string, string>>;
  /** Value of the node label `zone` that the volume asks for. */
  readonly zone?: string;
  readonly phase?: string;
  readonly spec?: PersistentVolume['spec'];
  readonly metadata?: PersistentVolume['metadata'];
}

/** A free volume of class `wait` with 1Gi that every node can reach, unless the options differ. */
export function makeVolume(name: string, options: VolumeOptions = {}): PersistentVolume {
  const { className = 'wait', size = '1Gi', labels = {}, zone, phase = 'Available' } = options;
  const terms = [{ matchExpressions: [{ key: 'zone', operator: 'In', values: [zone ?? ''] }] }];
  return {
    metadata: { name, labels, ...options.metadata },
    spec: {
      accessModes: ['ReadWriteOnce'],
      capacity: { storage: size },
      storageClassName: className,
      csi: { driver: 'csi.example', volumeHandle: `handle-${name}` },
      ...(zone !== undefined && { nodeAffinity: { required: { nodeSelectorTerms: terms } } }),
      ...options.spec,
    },
    status: { phase },
  };
}

/** A class whose claims wait for their pod, and which makes no volumes, unless the options differ. */
export function makeStorageClass(name = 'wait', over: Partial<StorageClass> = {}): StorageClass {
  return {
    metadata: { name },
    provisioner: 'kubernetes.io/no-provisioner',
    volumeBindingMode: 'WaitForFirstConsumer',
    ...over,
  };
}

export function claimVolume(claimName: string): Volume {
  return { name: `v-${claimName}`, persistentVolumeClaim: { claimName } };
}

export function podWithVolumes(name: string, volumes: readonly Volume[], nodeName = '', namespace = 'default'): Pod {
  return { metadata: { name, namespace, uid: `uid-${name}` }, spec: { containers: [], volumes, nodeName } };
}

/** A pod that mounts these claims. */
export function podWithClaims(name: string, claimNames: readonly string[], nodeName = '', namespace = 'default'): Pod {
  return podWithVolumes(name, claimNames.map(claimVolume), nodeName, namespace);
}
