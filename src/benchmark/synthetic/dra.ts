import type { Pod, PodSpec } from '../../api/pod.ts';
import type {
  Device,
  DeviceClass,
  ResourceClaim,
  ResourceClaimSpec,
  ResourceSlice,
} from '../../api/resource-claims.ts';
import type { ClusterManifest, OtherObject } from '../../manifests/cluster-manifest.ts';
import { basicNodes, container, sharedSpec, syntheticPod } from './basic.ts';

export const DEVICES_PER_NODE = 8;
const DRIVER = 'gpu.example.com';
const CLASS = 'gpu.example.com';
const NUMA = `${DRIVER}/numa`;
const NUMA_NODES = 2;
/** Every tenth claim is constrained. */
const CONSTRAINED = 10;
/** The name by which a pod refers to its claim. */
const REFERENCE = 'gpu';

/**
 * The nodes of `basic`, each with a ResourceSlice of 8 GPUs on two NUMA nodes; models in turn. Every pod has a claim
 * as the claim controller makes it from a template: for one GPU of 80 GiB or more; every tenth for two GPUs of one
 * NUMA node.
 */
export function draCluster(nodeCount: number, podCount: number): ClusterManifest {
  const nodes = basicNodes(nodeCount);
  const slices = nodes.map(({ metadata }, i) => sliceOf(metadata?.name ?? '', i));
  const single = { name: 'single', podSpec: podSpec('single-gpu'), claimSpec: SINGLE };
  const paired = { name: 'paired', podSpec: podSpec('paired-gpus'), claimSpec: PAIRED };
  const pods: Pod[] = [];
  const claims: OtherObject[] = [];
  for (let i = 0; i < podCount; i++) {
    const { podSpec: spec, claimSpec } = i % CONSTRAINED === CONSTRAINED - 1 ? paired : single;
    const pod = syntheticPod(i, spec);
    const claim = claimOf(pod, claimSpec);
    pods.push(namingClaim(pod, claim));
    claims.push({ kind: 'ResourceClaim', object: claim });
  }
  const others: OtherObject[] = [
    { kind: 'DeviceClass', object: DEVICE_CLASS },
    ...slices.map((object): OtherObject => ({ kind: 'ResourceSlice', object })),
    ...claims,
  ];
  return { nodes, pods, others };
}

export const DEVICE_CLASS: DeviceClass = {
  metadata: { name: CLASS, uid: CLASS },
  spec: { selectors: [{ cel: { expression: `device.driver == "${DRIVER}"` } }] },
};

function requestOf(count: number): NonNullable<NonNullable<ResourceClaimSpec['devices']>['requests']>[number] {
  const expression = `device.capacity["${DRIVER}"].memory.compareTo(quantity("80Gi")) >= 0`;
  return {
    name: 'gpus',
    exactly: { deviceClassName: CLASS, allocationMode: 'ExactCount', count, selectors: [{ cel: { expression } }] },
  };
}

const SINGLE: ResourceClaimSpec = { devices: { requests: [requestOf(1)] } };
const PAIRED: ResourceClaimSpec = {
  devices: { requests: [requestOf(2)], constraints: [{ requests: ['gpus'], matchAttribute: NUMA }] },
};

/** What pods with a claim for one GPU have in their spec. */
export const WANTS_GPU: Partial<PodSpec> = {
  resourceClaims: [{ name: REFERENCE, resourceClaimTemplateName: 'single-gpu' }],
};

/** The pod with its claim for one GPU, as the claim controller makes it from the template. */
export function claimSingleGpu(pod: Pod): { readonly pod: Pod; readonly claim: ResourceClaim } {
  const claim = claimOf(pod, SINGLE);
  return { pod: namingClaim(pod, claim), claim };
}

function namingClaim(pod: Pod, { metadata }: ResourceClaim): Pod {
  return { ...pod, status: { resourceClaimStatuses: [{ name: REFERENCE, resourceClaimName: metadata?.name ?? '' }] } };
}

function podSpec(template: string): PodSpec {
  return sharedSpec({
    containers: [container('1', '4Gi')],
    resourceClaims: [{ name: REFERENCE, resourceClaimTemplateName: template }],
  });
}

const MODELS = ['h100', 'a100'] as const;

export function sliceOf(nodeName: string, index: number): ResourceSlice {
  const model = MODELS[index % MODELS.length] as string;
  const devices = Array.from({ length: DEVICES_PER_NODE }, (_, i): Device => {
    const numa = Math.floor((i * NUMA_NODES) / DEVICES_PER_NODE);
    return {
      name: `gpu-${i}`,
      attributes: { model: { string: model }, numa: { int: numa } },
      capacity: { memory: { value: '80Gi' } },
    };
  });
  const name = `${nodeName}-gpus`;
  const pool = { name: nodeName, generation: 1, resourceSliceCount: 1 };
  return { metadata: { name, uid: name }, spec: { driver: DRIVER, nodeName, pool, devices } };
}

function claimOf({ metadata }: Pod, spec: ResourceClaimSpec): ResourceClaim {
  const { name: podName = '', uid = '' } = metadata ?? {};
  const name = `${podName}-${REFERENCE}`;
  const owner = { apiVersion: 'v1', kind: 'Pod', name: podName, uid, controller: true, blockOwnerDeletion: true };
  return { metadata: { name, uid: name, namespace: 'default', ownerReferences: [owner] }, spec };
}
