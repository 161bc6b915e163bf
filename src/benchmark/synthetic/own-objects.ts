import type { Node } from '../../api/node.ts';
import type { Pod } from '../../api/pod.ts';
import { ZONE_LABEL } from '../../api/topology-spread.ts';
import type { OtherObject } from '../../manifests/cluster-manifest.ts';
import { claimSingleGpu, DEVICE_CLASS, sliceOf } from './dra.ts';

/** Pods with objects of their own, and what the cluster has for them. */
export interface PodsWithObjects {
  readonly pods: readonly Pod[];
  readonly others: readonly OtherObject[];
}

/** Each pod with a claim for one GPU. Every node has eight, which nobody uses. */
export function withDeviceClaims(nodes: readonly Node[], pods: readonly Pod[]): PodsWithObjects {
  const claimed = pods.map(claimSingleGpu);
  const slices = nodes.map(({ metadata }, i) => sliceOf(metadata?.name ?? '', i));
  return {
    pods: claimed.map(({ pod }) => pod),
    others: [
      { kind: 'DeviceClass', object: DEVICE_CLASS },
      ...slices.map((object): OtherObject => ({ kind: 'ResourceSlice', object })),
      ...claimed.map(({ claim }): OtherObject => ({ kind: 'ResourceClaim', object: claim })),
    ],
  };
}

const DISK_DRIVER = 'disk.example.com';
/** How many disks a node takes. */
const DISKS_PER_NODE = 24;
/** Where the volume of a pod is mentioned in its spec. */
const VOLUME = 'data';

/** Each pod with a claim that is bound to a disk in the zone of one of the nodes, in turn. */
export function withBoundDisks(nodes: readonly Node[], pods: readonly Pod[]): PodsWithObjects {
  const others: OtherObject[] = nodes.map(({ metadata }): OtherObject => {
    const { name = '', uid = '' } = metadata ?? {};
    const driver = {
      name: DISK_DRIVER,
      nodeID: name,
      topologyKeys: [ZONE_LABEL],
      allocatable: { count: DISKS_PER_NODE },
    };
    return { kind: 'CSINode', object: { metadata: { name, uid }, spec: { drivers: [driver] } } };
  });
  const withDisks = pods.map((pod, i): Pod => {
    const { name: podName = '', namespace = 'default' } = pod.metadata ?? {};
    const claimName = `${VOLUME}-${podName}`;
    const zone = nodes[i % nodes.length]?.metadata?.labels?.[ZONE_LABEL] ?? '';
    others.push(...boundDisk(namespace, claimName, zone));
    const volumes = [{ name: VOLUME, persistentVolumeClaim: { claimName } }];
    return { ...pod, spec: { ...(pod.spec ?? { containers: [] }), volumes } };
  });
  return { pods: withDisks, others };
}

function boundDisk(namespace: string, claimName: string, zone: string): readonly OtherObject[] {
  const name = `disk-${claimName}`;
  const shared = { accessModes: ['ReadWriteOnce'], storageClassName: 'disk' };
  const terms = [{ matchExpressions: [{ key: ZONE_LABEL, operator: 'In', values: [zone] }] }];
  return [
    {
      kind: 'PersistentVolume',
      object: {
        metadata: { name, uid: name },
        spec: {
          ...shared,
          capacity: { storage: '10Gi' },
          csi: { driver: DISK_DRIVER, volumeHandle: name },
          claimRef: { namespace, name: claimName, uid: claimName },
          nodeAffinity: { required: { nodeSelectorTerms: terms } },
        },
        status: { phase: 'Bound' },
      },
    },
    {
      kind: 'PersistentVolumeClaim',
      object: {
        metadata: { name: claimName, namespace, uid: claimName, annotations: BOUND },
        spec: { ...shared, resources: { requests: { storage: '10Gi' } }, volumeName: name },
        status: { phase: 'Bound' },
      },
    },
  ];
}

/** What the controller of volumes writes on a claim when it is bound. */
const BOUND = { 'pv.kubernetes.io/bind-completed': 'yes', 'pv.kubernetes.io/bound-by-controller': 'yes' };
