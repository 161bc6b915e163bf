import type { Pod } from '../../api/pod.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '../../api/storage.ts';
import { combined } from '../../lib/combined.ts';
import type { PodsStep } from '../config/steps.ts';
import type { ObjectMaker } from '../template/object-template.ts';

/** The pod that upstream schedules when a step has no template. */
const BASE_POD: Pod = {
  metadata: { generateName: 'pod-' },
  spec: {
    containers: [
      {
        name: 'pause',
        image: 'registry.k8s.io/pause:3.10.2',
        ports: [{ containerPort: 80 }],
        resources: { limits: { cpu: '100m', memory: '500Mi' }, requests: { cpu: '100m', memory: '500Mi' } },
      },
    ],
  },
};

/** A pod, and the volume that is bound to its claim beforehand. */
export interface NewPod {
  readonly pod: Pod;
  readonly storage: { readonly volume: PersistentVolume; readonly claim: PersistentVolumeClaim } | undefined;
}

export interface PodMakers {
  readonly pod: ObjectMaker | undefined;
  /** Volume and claim are either both set or both absent. */
  readonly volume: ObjectMaker | undefined;
  readonly claim: ObjectMaker | undefined;
}

/**
 * Makes the pods of one step. Pods of one template share its objects: the API recognises the shared spec, and does not
 * validate it again.
 */
export function podFactory(step: PodsStep, { pod: podMaker, volume, claim }: PodMakers): (index: number) => NewPod {
  const { namespace, signatureBatchSize } = step;
  let last: Pod | undefined;
  let inNamespace: Pod = {};
  return (index) => {
    const made = (podMaker?.at(index) as Pod) ?? BASE_POD;
    if (made !== last) inNamespace = combined(made, { metadata: combined(made.metadata, { namespace }) });
    last = made;
    const pod = signatureBatchSize === undefined ? inNamespace : signed(inNamespace, index, signatureBatchSize);
    if (volume === undefined || claim === undefined) return { pod, storage: undefined };
    const storage = storageOf(
      namespace,
      index,
      volume.at(index) as PersistentVolume,
      claim.at(index) as PersistentVolumeClaim,
    );
    const volumes = [{ name: 'vol', persistentVolumeClaim: { claimName: `pvc-${index}` } }];
    return { pod: combined(pod, { spec: combined(pod.spec, { volumes }) }), storage };
  };
}

function signed(pod: Pod, index: number, batchSize: number): Pod {
  const signature = `signature-label-${Math.floor(index / Math.max(1, batchSize))}`;
  const labels = combined(pod.metadata?.labels, { signature });
  return combined(pod, { metadata: combined(pod.metadata, { labels }) });
}

function storageOf(namespace: string, index: number, volume: PersistentVolume, claim: PersistentVolumeClaim) {
  const volumeName = `${namespace}-vol-${index}`;
  const claimName = `pvc-${index}`;
  const { csi, awsElasticBlockStore } = volume.spec ?? {};
  const claimRef = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace, name: claimName };
  return {
    volume: combined(volume, {
      metadata: combined(volume.metadata, { name: volumeName }),
      spec: combined(volume.spec, {
        claimRef,
        ...(csi && { csi: combined(csi, { volumeHandle: volumeName }) }),
        ...(awsElasticBlockStore && {
          awsElasticBlockStore: combined(awsElasticBlockStore, { volumeID: `vol-${index}` }),
        }),
      }),
    }),
    claim: combined(claim, {
      metadata: combined(claim.metadata, { name: claimName, namespace }),
      spec: combined(claim.spec, { volumeName }),
    }),
  };
}
