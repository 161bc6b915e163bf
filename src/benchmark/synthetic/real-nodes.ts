import type { Labels } from '../../api/meta.ts';
import type { Node, Taint } from '../../api/node.ts';
import type { Prng } from '../../lib/prng.ts';
import { REAL_IMAGES } from './real-images.ts';

export const REAL_ZONES = ['eu-west-1a', 'eu-west-1b', 'eu-west-1c'] as const;
export const REAL_POOLS = ['general', 'compute', 'memory', 'batch', 'edge', 'system'] as const;

/** cpu, memory, pods and instance type of each shape; a pool has nodes of one shape. */
const SHAPES = [
  { cpu: '8', memory: '32Gi', pods: '58', type: 'm6i.2xlarge' },
  { cpu: '16', memory: '32Gi', pods: '110', type: 'c6i.4xlarge' },
  { cpu: '16', memory: '128Gi', pods: '110', type: 'r6i.4xlarge' },
  { cpu: '32', memory: '128Gi', pods: '234', type: 'm6i.8xlarge' },
  { cpu: '4', memory: '16Gi', pods: '58', type: 'm6i.xlarge' },
  { cpu: '64', memory: '256Gi', pods: '250', type: 'm6i.16xlarge' },
] as const;

export const BATCH_TAINT = { key: 'dedicated', value: 'batch', effect: 'NoSchedule' } as const;

/** The patterns of taints, one for every twentieth of the nodes. */
const TAINTS: readonly (readonly Taint[])[] = [
  ...new Array<readonly Taint[]>(13).fill([]),
  ...new Array<readonly Taint[]>(2).fill([BATCH_TAINT]),
  ...new Array<readonly Taint[]>(3).fill([{ key: 'spot', value: 'true', effect: 'PreferNoSchedule' }]),
  [{ key: 'nvidia.com/gpu', value: 'present', effect: 'NoSchedule' }],
  [BATCH_TAINT, { key: 'spot', value: 'true', effect: 'PreferNoSchedule' }],
];

const IMAGES_PER_NODE_MIN = 12;
const IMAGES_PER_NODE_MAX = 40;

/** Nodes of six shapes in three zones, with 30 labels each, five patterns of taints, and images. */
export function realNodes(nodeCount: number, prng: Prng): Node[] {
  const taints = Array.from({ length: nodeCount }, (_, i) => TAINTS[i % TAINTS.length] ?? []);
  prng.shuffle(taints);
  return taints.map((ofNode, index) => realNode(index, ofNode, prng));
}

function realNode(index: number, taints: readonly Taint[], prng: Prng): Node {
  const pool = prng.below(SHAPES.length);
  const { cpu, memory, pods } = SHAPES[pool] ?? SHAPES[0];
  const name = realNodeName(index);
  const capacity = { cpu, memory, pods, 'ephemeral-storage': '104845292Ki', 'hugepages-2Mi': '0' };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, uid: `node-${index}`, labels: labelsOf(name, index, pool) },
    spec: { providerID: `aws:///${name}`, ...(taints.length > 0 && { taints: taints.map((taint) => ({ ...taint })) }) },
    status: {
      capacity,
      allocatable: { ...capacity, 'ephemeral-storage': '95551679124' },
      images: imagesOf(prng),
      nodeInfo: { architecture: 'amd64', kubeletVersion: 'v1.36.2', operatingSystem: 'linux' },
    },
  } as Node;
}

export function realNodeName(index: number): string {
  return `ip-10-${(index >> 16) & 255}-${(index >> 8) & 255}-${index & 255}.eu-west-1.compute.internal`;
}

function labelsOf(name: string, index: number, pool: number): Labels {
  const { type, cpu, memory } = SHAPES[pool] ?? SHAPES[0];
  const zone = REAL_ZONES[index % REAL_ZONES.length] ?? '';
  return {
    'beta.kubernetes.io/arch': 'amd64',
    'beta.kubernetes.io/instance-type': type,
    'beta.kubernetes.io/os': 'linux',
    'failure-domain.beta.kubernetes.io/region': 'eu-west-1',
    'failure-domain.beta.kubernetes.io/zone': zone,
    'kubernetes.io/arch': 'amd64',
    'kubernetes.io/hostname': name,
    'kubernetes.io/os': 'linux',
    'node.kubernetes.io/instance-type': type,
    'topology.kubernetes.io/region': 'eu-west-1',
    'topology.kubernetes.io/zone': zone,
    'topology.ebs.csi.aws.com/zone': zone,
    'k8s.io/cloud-provider-aws': 'f94fb1bd',
    'example.com/pool': REAL_POOLS[pool] ?? '',
    'example.com/machine': `i-${index.toString(16).padStart(17, '0')}`,
    'example.com/rack': `${zone}-r${Math.floor(index / REAL_ZONES.length) % 40}`,
    'example.com/cpu': cpu,
    'example.com/memory': memory,
    'example.com/generation': '6',
    'example.com/category': type.slice(0, 1),
    'example.com/hypervisor': 'nitro',
    'example.com/network-gbit': pool % 2 === 0 ? '10' : '25',
    'example.com/disk': pool % 3 === 0 ? 'ssd' : 'hdd',
    'example.com/image': `ami-${1000 + (index % 7)}`,
    'example.com/kernel': '6.1',
    'example.com/runtime': 'containerd',
    'example.com/team': 'platform',
    'example.com/environment': 'production',
    'example.com/cost-center': String(4000 + (pool % 4)),
    'example.com/created-by': 'autoscaler',
  };
}

/** Some of the images, the first of which are on nearly every node. */
function imagesOf(prng: Prng) {
  const count = IMAGES_PER_NODE_MIN + prng.below(IMAGES_PER_NODE_MAX - IMAGES_PER_NODE_MIN);
  const first = prng.below(REAL_IMAGES.length);
  return Array.from({ length: count }, (_, i) => {
    const { name, sizeBytes } = REAL_IMAGES[i < count / 2 ? i : (first + i) % REAL_IMAGES.length] ?? REAL_IMAGES[0];
    return { names: [name, `${name.slice(0, name.indexOf(':'))}@sha256:${sizeBytes.toString(16)}`], sizeBytes };
  });
}
