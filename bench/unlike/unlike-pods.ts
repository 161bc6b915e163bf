import type { Node } from '../../src/api/node.ts';
import type { Affinity, Pod, PodSpec } from '../../src/api/pod.ts';

const ZONE = 'topology.kubernetes.io/zone';
const HOSTNAME = 'kubernetes.io/hostname';

/** The parts in which a pod differs from the pods of other kinds. */
interface Parts {
  readonly spec?: Partial<PodSpec>;
  readonly labels?: Readonly<Record<string, string>>;
  readonly requests?: Readonly<Record<string, string>>;
  readonly image?: string;
  readonly hostPort?: number;
}

const nodeAffinity = (values: readonly string[], operator = 'In'): Partial<PodSpec> => ({
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: [{ key: 'own', operator, values }] }],
      },
    },
  },
});

const preference = (value: string): Partial<PodSpec> => ({
  affinity: {
    nodeAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [
        { weight: 1, preference: { matchExpressions: [{ key: 'own', operator: 'In', values: [value] }] } },
      ],
    },
  },
});

const spread = (topologyKey: string, whenUnsatisfiable: string, app: string): Partial<PodSpec> => ({
  topologySpreadConstraints: [
    { maxSkew: 1, topologyKey, whenUnsatisfiable, labelSelector: { matchLabels: { app } } },
  ] as NonNullable<PodSpec['topologySpreadConstraints']>,
});

const near = (kind: keyof Affinity, topologyKey: string, app: string): Partial<PodSpec> => ({
  affinity: {
    [kind]: {
      requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey, labelSelector: { matchLabels: { app } } }],
    },
  },
});

/** What pod number `i` of each kind has that no other pod has. */
const KINDS: Readonly<Record<string, (i: number) => Parts>> = {
  requests: (i) => ({ requests: { cpu: `${100 + (i % 997)}m`, memory: `${200 + (i % 1013)}Mi` } }),
  'requests that fit nowhere': (i) => ({ requests: { cpu: `${100 + i}` } }),
  'node selectors': (i) => ({ spec: { nodeSelector: { own: `v${i}` } } }),
  'node selectors that match no node': (i) => ({ spec: { nodeSelector: { own: `w${i}` } } }),
  'node affinity, ten values': (i) => ({ spec: nodeAffinity(Array.from({ length: 10 }, (_, k) => `v${i + 13 * k}`)) }),
  'node affinity, all but one': (i) => ({ spec: nodeAffinity([`v${i}`], 'NotIn') }),
  'preferred nodes': (i) => ({ spec: preference(`v${i}`) }),
  tolerations: (i) => ({ spec: { tolerations: [{ key: `k${i}`, operator: 'Exists', effect: 'NoSchedule' }] } }),
  images: (i) => ({ image: `image-${i}` }),
  'host ports': (i) => ({ hostPort: 1024 + i }),
  'spread over zones': (i) => ({ spec: spread(ZONE, 'DoNotSchedule', `a${i}`) }),
  'soft spread over nodes': (i) => ({ spec: spread(HOSTNAME, 'ScheduleAnyway', `a${i}`) }),
  'anti-affinity by node': (i) => ({ spec: near('podAntiAffinity', HOSTNAME, `a${i}`) }),
  'affinity to the pod before': (i) => ({ spec: i === 0 ? {} : near('podAffinity', ZONE, `a${i - 1}`) }),
  'affinity to no pod': (i) => ({ spec: near('podAffinity', ZONE, `none-${i}`) }),
};

export const UNLIKE_KINDS: readonly string[] = Object.keys(KINDS);

/** Nodes in three zones, each with a label of its own, of which one in fifty holds each image. */
export function unlikeNodes(count: number): Node[] {
  return Array.from({ length: count }, (_, i) => ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: `node-${i}`, labels: { [HOSTNAME]: `node-${i}`, [ZONE]: `zone-${i % 3}`, own: `v${i}` } },
    status: {
      allocatable: { cpu: `${16 + 4 * (i % 8)}`, memory: `${64 + 16 * (i % 4)}Gi`, pods: '110' },
      images: [{ names: [`image-${i % 50}`], sizeBytes: 300_000_000 }],
    },
  }));
}

/** Pods of one kind of which no two are alike, and which share no object, as if they were read from a file. */
export function unlikePods(kind: string, count: number): Pod[] {
  const partsOf = KINDS[kind];
  if (partsOf === undefined) throw new Error(`${kind}: no such kind`);
  return Array.from({ length: count }, (_, i) => {
    const { spec, requests = { cpu: '100m', memory: '200Mi' }, image = 'image-1', hostPort } = partsOf(i);
    const ports = hostPort === undefined ? {} : { ports: [{ containerPort: 80, hostPort }] };
    const pod: Pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: `pod-${i}`, namespace: 'default', labels: { app: `a${i}` } },
      spec: { containers: [{ name: 'c', image, resources: { requests }, ...ports }], ...spec },
    };
    return JSON.parse(JSON.stringify(pod)) as Pod;
  });
}
