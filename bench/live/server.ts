import type { KubernetesObject } from '../../src/api/meta.ts';
import type { TieBreak } from '../../src/framework/tie-break.ts';
import { serve } from '../../src/serving/serve.ts';

/** What the server of a measurement holds, as JSON in its first argument. */
export interface ServerRequest {
  readonly nodes: number;
  /** Pods that are on nodes already. */
  readonly boundPods: number;
  /** The ties of a scheduler of its own; absent: it has none. */
  readonly ownScheduler?: TieBreak;
}

/** Serves a cluster to a measurement in another process, and prints the path of its kubeconfig. */
const { nodes, boundPods, ownScheduler } = JSON.parse(process.argv[2] ?? '{}') as ServerRequest;

function* pods(): Iterable<KubernetesObject> {
  const containers = [{ name: 'c', image: 'nginx', resources: { requests: { cpu: '100m', memory: '128Mi' } } }];
  for (let i = 0; i < boundPods; i++) {
    const nodeName = `node-${String(i % nodes).padStart(5, '0')}`;
    const metadata = { name: `bound-${i}`, namespace: 'default' };
    yield { apiVersion: 'v1', kind: 'Pod', metadata, spec: { nodeName, containers } } as KubernetesObject;
  }
}

const shapes = ['cpu=32,memory=256Gi,label:zone=a', 'cpu=16,memory=64Gi,label:zone=b'];
const scheduler = ownScheduler === undefined ? (false as const) : { tieBreak: ownScheduler };
const served = await serve({ nodes, shapes, objects: pods(), controllers: [], scheduler });
process.stdout.write(`${served.writeKubeconfig()}\n`);
process.on('SIGTERM', () => void served.close());
