import type { Node } from '../../api/node.ts';
import type { Pod } from '../../api/pod.ts';
import { Prng } from '../../lib/prng.ts';
import type { ClusterManifest, OtherObject } from '../../manifests/cluster-manifest.ts';
import { REAL_ZONES, realNodes } from './real-nodes.ts';
import { realClaimName, realPods } from './real-pods.ts';

const STORAGE_CLASS = 'gp3';
const DRIVER = 'ebs.csi.aws.com';
const ZONE_KEY = 'topology.kubernetes.io/zone';
/** The most volumes on a node; instances of the cloud provider differ. */
const VOLUME_LIMITS = [25, 39, 27] as const;

/**
 * A cluster as they are: every name unique, no spec shared. The pods are those of Deployments and DaemonSets, the nodes
 * have six shapes and limits of volumes; claims are bound to volumes of one zone each.
 */
export function realCluster(nodeCount: number, podCount: number, seed: number): ClusterManifest {
  const prng = new Prng(seed);
  const nodes = realNodes(nodeCount, prng);
  const pods = realPods(nodeCount, podCount, prng);
  const csiNodes = nodes.map((node, i) => csiNode(node, VOLUME_LIMITS[i % VOLUME_LIMITS.length] ?? 0));
  const others = [storageClass(), ...csiNodes, ...pods.flatMap((pod) => claimOf(pod, prng))];
  return { nodes, pods: fromJson(pods), others: fromJson(others) };
}

/**
 * Objects that a program receives come from JSON. Those made here by spreading have a hidden class each, which V8 reads
 * by its slow paths.
 */
function fromJson<T>(objects: T): T {
  return JSON.parse(JSON.stringify(objects)) as T;
}

function storageClass(): OtherObject {
  const object = { metadata: { name: STORAGE_CLASS }, provisioner: DRIVER, volumeBindingMode: 'WaitForFirstConsumer' };
  return { kind: 'StorageClass', object };
}

function csiNode({ metadata }: Node, count: number): OtherObject {
  const { name = '', uid = '' } = metadata ?? {};
  const driver = { name: DRIVER, nodeID: uid, topologyKeys: ['topology.ebs.csi.aws.com/zone'], allocatable: { count } };
  return { kind: 'CSINode', object: { metadata: { name }, spec: { drivers: [driver] } } };
}

/** The pod's claim and its volume; none for a pod without. */
function claimOf(pod: Pod, prng: Prng): OtherObject[] {
  const name = realClaimName(pod);
  if (name === undefined) return [];
  const { namespace = '', uid = '' } = pod.metadata ?? {};
  const volumeName = `pvc-${uid}`;
  const shared = { accessModes: ['ReadWriteOnce'], storageClassName: STORAGE_CLASS, volumeMode: 'Filesystem' };
  const zone = REAL_ZONES[prng.below(REAL_ZONES.length)] ?? '';
  const terms = [{ matchExpressions: [{ key: ZONE_KEY, operator: 'In', values: [zone] }] }];
  const bound = { 'pv.kubernetes.io/bind-completed': 'yes', 'pv.kubernetes.io/bound-by-controller': 'yes' };
  return [
    {
      kind: 'PersistentVolumeClaim',
      object: {
        metadata: { name, namespace, uid: `claim-${uid}`, annotations: bound },
        spec: { ...shared, volumeName, resources: { requests: { storage: '20Gi' } } },
        status: { phase: 'Bound' },
      },
    },
    {
      kind: 'PersistentVolume',
      object: {
        metadata: { name: volumeName },
        spec: {
          ...shared,
          capacity: { storage: '20Gi' },
          claimRef: { name, namespace, uid: `claim-${uid}` },
          csi: { driver: DRIVER, volumeHandle: `vol-${uid}` },
          nodeAffinity: { required: { nodeSelectorTerms: terms } },
        },
        status: { phase: 'Bound' },
      },
    },
  ];
}
