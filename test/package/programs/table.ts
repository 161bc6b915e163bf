import type * as Library from 'kube-berth';
import type { Node, Pod, SchedulerOptions } from 'kube-berth';

const ZONE = 'topology.kubernetes.io/zone';
const NODES = 30;
const PODS = 300;

/** Kernels by engine; none: as the package has them. */
export type Kernels = Readonly<Record<'simd' | 'scalar', SchedulerOptions['kernels']>>;

function nodeAt(index: number): Node {
  const taints = index % 9 === 0 ? [{ key: 'dedicated', value: 'batch', effect: 'NoSchedule' }] : [];
  return {
    metadata: { name: `node-${index}`, labels: { [ZONE]: `zone-${index % 3}`, disk: index % 2 ? 'ssd' : 'hdd' } },
    spec: { taints },
    status: {
      allocatable: { cpu: `${2 + (index % 5)}`, memory: '16Gi', pods: '30', 'nvidia.com/gpu': index % 4 ? 0 : 2 },
    },
  };
}

const app = (index: number) => ({ matchLabels: { app: `app-${index % 4}` } });

/** Specs that take every way through the scheduler: plain, spread, affinity, tolerations, devices, host ports. */
const SPECS: readonly ((index: number) => Partial<NonNullable<Pod['spec']>>)[] = [
  () => ({}),
  () => ({ nodeSelector: { disk: 'ssd' } }),
  () => ({ tolerations: [{ key: 'dedicated', operator: 'Exists' }] }),
  (index) => ({
    topologySpreadConstraints: [
      { maxSkew: 1, topologyKey: ZONE, whenUnsatisfiable: 'DoNotSchedule', labelSelector: app(index) },
    ],
  }),
  (index) => ({
    affinity: {
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          { topologyKey: 'kubernetes.io/hostname', labelSelector: app(index) },
        ],
      },
    },
  }),
  () => ({ priority: 1000 }),
];

function podAt(index: number): Pod {
  const requests: Record<string, string | number> = {
    cpu: `${100 * (1 + (index % 7))}m`,
    memory: `${64 << (index % 4)}Mi`,
  };
  if (index % 10 === 0) requests['nvidia.com/gpu'] = 1;
  const port = index % 25 === 0 ? { ports: [{ containerPort: 80, hostPort: 8080 }] } : {};
  return {
    metadata: { name: `pod-${index}`, namespace: 'default', labels: { app: `app-${index % 4}` } },
    spec: {
      containers: [{ name: 'main', image: 'app:1', resources: { requests }, ...port }],
      ...SPECS[index % SPECS.length]?.(index),
    },
  };
}

/**
 * The decisions of all engines about one cluster, one pod at a time and in a batch, as text. Every runtime and every
 * bundle must print the same.
 */
export function decide({ Scheduler, loadConfiguration }: typeof Library, kernels?: Kernels): string {
  loadConfiguration({ apiVersion: 'kubescheduler.config.k8s.io/v1', kind: 'KubeSchedulerConfiguration' });
  const lines: string[] = [];
  for (const engine of ['reference', 'simd', 'scalar'] as const) {
    for (const isBatch of [false, true]) {
      const given = engine === 'reference' ? undefined : kernels?.[engine];
      const scheduler = new Scheduler({ engine, ...(given && { kernels: given }) });
      for (let i = 0; i < NODES; i++) scheduler.addNode(nodeAt(i));
      const pods = Array.from({ length: PODS }, (_, i) => podAt(i));
      const results = isBatch ? [...scheduler.scheduleBatch(pods)] : pods.map((pod) => scheduler.schedule(pod));
      const decisions = results.map((result) =>
        result.status === 'scheduled'
          ? `${result.node}:${result.score}`
          : `${result.status}: ${'message' in result ? result.message : ''}`,
      );
      lines.push(`${engine} ${isBatch}`, ...decisions);
    }
  }
  return lines.join('\n');
}
