import type { Pod } from '../../api/pod.ts';
import type { ClusterManifest, OtherObject } from '../../manifests/cluster-manifest.ts';
import { basicNodes, container, sharedSpec, syntheticPod } from './basic.ts';
import { DEVICE_CLASS, DEVICES_PER_NODE, sliceOf } from './dra.ts';

const RESOURCE = 'example.com/gpu';
/** Every tenth node has the resource by a device plugin, and every tenth pod requests two. */
const TENTH = 10;

/**
 * The nodes of `dra`, whose devices back an extended resource; every tenth node has 8 of the resource by a device
 * plugin instead. Every pod requests one of it, every tenth two.
 */
export function extendedCluster(nodeCount: number, podCount: number): ClusterManifest {
  const others: OtherObject[] = [
    {
      kind: 'DeviceClass',
      object: { ...DEVICE_CLASS, spec: { ...DEVICE_CLASS.spec, extendedResourceName: RESOURCE } },
    },
  ];
  const nodes = basicNodes(nodeCount).map((node, i) => {
    if (i % TENTH !== TENTH - 1) {
      others.push({ kind: 'ResourceSlice', object: sliceOf(node.metadata?.name ?? '', i) });
      return node;
    }
    const amounts = { ...node.status?.allocatable, [RESOURCE]: String(DEVICES_PER_NODE) };
    return { ...node, status: { ...node.status, capacity: amounts, allocatable: amounts } };
  });
  const [single, paired] = [1, 2].map((count) => {
    const { resources, ...main } = container('1', '4Gi');
    const requests = { ...resources.requests, [RESOURCE]: String(count) };
    return sharedSpec({ containers: [{ ...main, resources: { requests, limits: { [RESOURCE]: String(count) } } }] });
  });
  const pods = Array.from({ length: podCount }, (_, i): Pod => {
    return syntheticPod(i, (i % TENTH === TENTH - 1 ? paired : single) ?? {});
  });
  return { nodes, pods, others };
}
