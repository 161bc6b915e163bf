import type { Pod } from '../../api/pod.ts';
import type { ClusterManifest } from '../../manifests/cluster-manifest.ts';
import { basicNodes, container, sharedSpec, syntheticPods } from './basic.ts';

export const LOW_PODS_PER_NODE = 8;
const LOW_PRIORITY = 0;
const HIGH_PRIORITY = 1000;
/** The requests of a pod: an eighth of a node. */
const CPU = '4';
const MEMORY = '16Gi';
const STARTED = '2026-01-01T00:00:00Z';

/**
 * The nodes of `basic`, each full of running pods of low priority. The pending pods have high priority, and each finds
 * room only by evicting one of them (up to 8 pods a node; then all running pods have high priority).
 */
export function preemptionCluster(nodeCount: number, podCount: number): ClusterManifest {
  const nodes = basicNodes(nodeCount);
  const containers = [container(CPU, MEMORY)];
  const pods: Pod[] = [];
  for (const { metadata } of nodes) {
    const nodeName = metadata?.name;
    const spec = sharedSpec({ containers, priority: LOW_PRIORITY, nodeName });
    for (let i = 0; i < LOW_PODS_PER_NODE; i++) {
      const name = `low-${String(pods.length).padStart(6, '0')}`;
      const metadata = { name, namespace: 'default', uid: name };
      pods.push({ apiVersion: 'v1', kind: 'Pod', metadata, spec, status: { phase: 'Running', startTime: STARTED } });
    }
  }
  const high = sharedSpec({ containers, priority: HIGH_PRIORITY });
  return { nodes, pods: [...pods, ...syntheticPods(podCount, high)] };
}
