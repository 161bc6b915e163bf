import type { Pod } from '../../api/pod.ts';
import type { PodGroup } from '../../api/pod-group.ts';
import type { FeatureGates } from '../../config/feature-gates.ts';
import type { ClusterManifest, OtherObject } from '../../manifests/cluster-manifest.ts';
import { basicNodes, container, sharedSpec, syntheticPod } from './basic.ts';

const GANG_PODS = 64;

/** The gates without which there are no gangs. */
export const GANG_GATES: Partial<FeatureGates> = { GenericWorkload: true, GangScheduling: true };

/**
 * The nodes of `basic`; the pods of `basic` in gangs of 64, each of which starts as a whole or not at all. The last
 * gang has the pods that are left.
 */
export function gangCluster(nodeCount: number, podCount: number): ClusterManifest {
  const groups: OtherObject[] = [];
  const pods: Pod[] = [];
  const containers = [container('100m', '500Mi')];
  while (pods.length < podCount) {
    const minCount = Math.min(GANG_PODS, podCount - pods.length);
    const podGroupName = `gang-${String(groups.length).padStart(5, '0')}`;
    const spec = sharedSpec({ containers, schedulingGroup: { podGroupName } });
    for (let i = 0; i < minCount; i++) pods.push(syntheticPod(pods.length, spec));
    groups.push({ kind: 'PodGroup', object: groupOf(podGroupName, minCount) });
  }
  return { nodes: basicNodes(nodeCount), pods, others: groups };
}

function groupOf(name: string, minCount: number): PodGroup {
  return {
    apiVersion: 'scheduling.k8s.io/v1alpha2',
    kind: 'PodGroup',
    metadata: { name, namespace: 'default', uid: name },
    spec: { schedulingPolicy: { gang: { minCount } } },
  };
}
