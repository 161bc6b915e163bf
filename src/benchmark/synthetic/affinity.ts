import type { Affinity } from '../../api/pod.ts';
import { HOSTNAME_LABEL, ZONE_LABEL } from '../../api/topology-spread.ts';
import type { ClusterManifest } from '../../manifests/cluster-manifest.ts';
import { basicNodes, container, sharedSpec, syntheticPod } from './basic.ts';

const APP_COUNT = 100;
const WEIGHT = 50;

/** The nodes of `basic`; 100 apps in turn, each of which prefers to have its pods in one zone. */
export function affinityCluster(nodeCount: number, podCount: number): ClusterManifest {
  return appsCluster(nodeCount, podCount, (app) => ({
    podAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [
        {
          weight: WEIGHT,
          podAffinityTerm: { labelSelector: { matchLabels: { app } }, topologyKey: ZONE_LABEL },
        },
      ],
    },
  }));
}

/** The nodes of `basic`; 100 apps in turn, each of which never has two pods on one node. */
export function antiAffinityCluster(nodeCount: number, podCount: number): ClusterManifest {
  return appsCluster(nodeCount, podCount, (app) => ({
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [
        { labelSelector: { matchLabels: { app } }, topologyKey: HOSTNAME_LABEL },
      ],
    },
  }));
}

function appsCluster(nodeCount: number, podCount: number, affinityOf: (app: string) => Affinity): ClusterManifest {
  const apps = Array.from({ length: APP_COUNT }, (_, i) => {
    const app = `app-${i}`;
    const spec = sharedSpec({ containers: [container('100m', '500Mi')], affinity: affinityOf(app) });
    return { spec, labels: { app } };
  });
  const pods = Array.from({ length: podCount }, (_, i) => {
    const { spec, labels } = apps[i % APP_COUNT] as (typeof apps)[number];
    return syntheticPod(i, spec, labels);
  });
  return { nodes: basicNodes(nodeCount), pods };
}
