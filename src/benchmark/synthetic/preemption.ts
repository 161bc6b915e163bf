import type { Labels } from '../../api/meta.ts';
import type { Node } from '../../api/node.ts';
import type { Container, Pod, PodSpec } from '../../api/pod.ts';
import { HOSTNAME_LABEL, ZONE_LABEL } from '../../api/topology-spread.ts';
import type { ClusterManifest } from '../../manifests/cluster-manifest.ts';
import { basicNodes, container, sharedSpec, syntheticPods } from './basic.ts';
import { WANTS_GPU } from './dra.ts';
import { type PodsWithObjects, withBoundDisks, withDeviceClaims } from './own-objects.ts';

export const LOW_PODS_PER_NODE = 8;
const LOW_PRIORITY = 0;
const HIGH_PRIORITY = 1000;
/** The requests of a pod: an eighth of a node. */
const CPU = '4';
const MEMORY = '16Gi';
const STARTED = '2026-01-01T00:00:00Z';

const GPU = 'example.com/gpu';
const LABELS: Labels = { app: 'high' };
const SELECTOR = { matchLabels: LABELS };

/** What the pending pods ask for beside room. */
export type PreemptionStyle = 'plain' | 'spread' | 'antiaffinity' | 'ports' | 'extended' | 'claims' | 'volumes';

/**
 * The nodes of `basic`, each full of running pods of low priority. The pending pods have high priority, and each finds
 * room only by evicting one of them (up to 8 pods a node; then all running pods have high priority). By style they also
 * spread over the zones, keep away from each other, use a host port (up to one pod a node), an extended resource, a
 * claim for a free GPU, or a disk of a zone.
 */
export function preemptionCluster(
  nodeCount: number,
  podCount: number,
  style: PreemptionStyle = 'plain',
): ClusterManifest {
  const nodes = style === 'extended' ? basicNodes(nodeCount).map(withGpus) : basicNodes(nodeCount);
  const { resources, ...main } = container(CPU, MEMORY);
  const requests = { ...resources.requests, ...(style === 'extended' && { [GPU]: '1' }) };
  const containers = [{ ...main, resources: { requests } }];
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
  const high = sharedSpec({ containers, priority: HIGH_PRIORITY, ...wishes(style, containers) });
  const pending = syntheticPods(podCount, high, style === 'plain' ? undefined : LABELS);
  const { pods: wanted, others } = withObjects(style, nodes, pending);
  return { nodes, pods: [...pods, ...wanted], others };
}

function withObjects(style: PreemptionStyle, nodes: readonly Node[], pods: readonly Pod[]): PodsWithObjects {
  if (style === 'claims') return withDeviceClaims(nodes, pods);
  return style === 'volumes' ? withBoundDisks(nodes, pods) : { pods, others: [] };
}

function wishes(style: PreemptionStyle, containers: readonly Container[]): Partial<PodSpec> {
  switch (style) {
    case 'spread':
      return {
        topologySpreadConstraints: [
          { maxSkew: 1, topologyKey: ZONE_LABEL, whenUnsatisfiable: 'DoNotSchedule', labelSelector: SELECTOR },
        ],
      };
    case 'antiaffinity': {
      const term = { topologyKey: HOSTNAME_LABEL, labelSelector: SELECTOR };
      return { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } } };
    }
    case 'ports':
      return { containers: containers.map((each) => ({ ...each, ports: [{ containerPort: 80, hostPort: 80 }] })) };
    case 'claims':
      return WANTS_GPU;
    default:
      return {};
  }
}

function withGpus(node: Node): Node {
  const amounts = { ...node.status?.allocatable, [GPU]: String(LOW_PODS_PER_NODE) };
  return { ...node, status: { ...node.status, capacity: amounts, allocatable: amounts } };
}
