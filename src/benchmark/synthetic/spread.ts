import { HOSTNAME_LABEL, type TopologySpreadConstraint, ZONE_LABEL } from '../../api/topology-spread.ts';
import type { ClusterManifest } from '../../manifests/cluster-manifest.ts';
import { basicNodes, container, sharedSpec, syntheticPods } from './basic.ts';

const LABELS = { app: 'x' } as const;
const MAX_SKEW = 5;

/** The nodes of `basic`; identical pods that must be spread over zones and should be spread over nodes. */
export function spreadCluster(nodeCount: number, podCount: number): ClusterManifest {
  const spec = sharedSpec({
    containers: [container('100m', '500Mi')],
    topologySpreadConstraints: [constraint(ZONE_LABEL, 'DoNotSchedule'), constraint(HOSTNAME_LABEL, 'ScheduleAnyway')],
  });
  return { nodes: basicNodes(nodeCount), pods: syntheticPods(podCount, spec, LABELS) };
}

function constraint(topologyKey: string, whenUnsatisfiable: string): TopologySpreadConstraint {
  return { maxSkew: MAX_SKEW, topologyKey, whenUnsatisfiable, labelSelector: { matchLabels: LABELS } };
}
