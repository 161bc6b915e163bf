/** Nodes and pods that touch everything that the plugins read, from pools so small that things clash. */
import fc from 'fast-check';
import type { Labels, OwnerReference } from '../../src/api/meta.ts';
import type { Node, Taint } from '../../src/api/node.ts';
import type { NodeSelectorRequirement, NodeSelectorTerm } from '../../src/api/node-selector.ts';
import type { Container, Pod, PodSpec, PodStatus } from '../../src/api/pod.ts';
import type { ResourceList } from '../../src/api/quantity.ts';
import type { Toleration } from '../../src/api/taints.ts';
import { HOSTNAME_LABEL } from '../../src/api/topology-spread.ts';
import { arbitraryClaimVolumes } from './arbitrary-objects.ts';
import {
  arbitraryAllocatable,
  arbitraryRequests,
  kernelAllocatable,
  kernelRequests,
  plainAllocatable,
  plainRequests,
} from './arbitrary-quantity.ts';
import { arbitraryPodAffinity, arbitrarySpread, NAMESPACES, OWN_NAME, topologyLabels } from './arbitrary-topology.ts';

export const NODE_NAMES: readonly string[] = Array.from({ length: 20 }, (_, i) => `n${i}`);

/** An image has one size wherever it is, so that the cluster does not depend on who reported it first. */
const IMAGE_BYTES: Readonly<Record<string, number>> = {
  'app:latest': 300 * 2 ** 20,
  'db:1': 999_999_999,
  'registry:5000/tool:latest': 24 * 2 ** 20,
  'tiny@sha256:0': 1,
};
const imageName = fc.constantFrom('app', 'app:latest', 'db:1', 'registry:5000/tool', 'tiny@sha256:0', 'unknown:1');
const effect = fc.constantFrom('NoSchedule', 'PreferNoSchedule', 'PreferNoSchedule', 'PreferNoSchedule', 'NoExecute');
const taintKey = fc.constantFrom('a', 'b', 'node.kubernetes.io/unschedulable');

/** Mostly absent, so that the other parts decide as well. */
const sometimes = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });

const seldom = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 15, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });

const otherLabels = fc.record(
  {
    'failure-domain.beta.kubernetes.io/region': fc.constantFrom('r1', 'r2'),
    pool: fc.constantFrom('x', 'y'),
    rank: fc.constantFrom('1', '5', '+7', 'none'),
  },
  { requiredKeys: [] },
);
const labels = fc.tuple(topologyLabels, otherLabels).map(([topology, other]) => ({ ...topology, ...other }));

const image = fc.record({
  names: fc.subarray(Object.keys(IMAGE_BYTES), { minLength: 1, maxLength: 1 }),
  alias: fc.boolean(),
});

/** What nodes have and containers ask for: anything at all, or amounts with which most pods fit somewhere. */
export interface Amounts {
  readonly allocatable: fc.Arbitrary<ResourceList>;
  readonly requests: fc.Arbitrary<ResourceList>;
}

export const ANY_AMOUNTS: Amounts = { allocatable: arbitraryAllocatable, requests: arbitraryRequests };
export const PLAIN_AMOUNTS: Amounts = { allocatable: plainAllocatable, requests: plainRequests };
export const KERNEL_AMOUNTS: Amounts = { allocatable: kernelAllocatable, requests: kernelRequests };

export const arbitraryTaints: fc.Arbitrary<Taint[]> = fc.array(
  fc.record({ key: taintKey, value: fc.constantFrom('', 'v'), effect }),
  { maxLength: 3 },
);

export const arbitraryNode = (amounts: Amounts): fc.Arbitrary<Node> =>
  fc
    .record({
      labels: fc.option(labels, { nil: undefined, freq: 20 }),
      unschedulable: seldom(fc.constant(true)),
      taints: sometimes(arbitraryTaints),
      allocatable: fc.option(amounts.allocatable, { nil: undefined, freq: 30 }),
      images: sometimes(fc.array(image, { maxLength: 3 })),
      declaredFeatures: sometimes(fc.constantFrom([], ['RestartAllContainersOnContainerExits', 'Other'])),
    })
    .map(({ labels, unschedulable, taints, allocatable, images, declaredFeatures }) => ({
      metadata: { labels },
      spec: { unschedulable, taints },
      status: {
        allocatable,
        declaredFeatures,
        images: images?.map(({ names: [name = ''], alias }) => ({
          names: alias ? [name, name, `alias/${name}`] : [name],
          sizeBytes: IMAGE_BYTES[name],
        })),
      },
    }));

export function named(node: Node, name: string): Node {
  const { labels } = node.metadata ?? {};
  const own = labels?.[HOSTNAME_LABEL] === OWN_NAME ? { ...labels, [HOSTNAME_LABEL]: name } : labels;
  return { ...node, metadata: { ...node.metadata, labels: own, name } };
}

const toleration: fc.Arbitrary<Toleration> = fc.record(
  {
    key: fc.oneof(taintKey, fc.constant('')),
    operator: fc.constantFrom('', 'Equal', 'Exists', 'Gt'),
    value: fc.constantFrom('', 'v'),
    effect: fc.oneof(effect, fc.constant('')),
  },
  { requiredKeys: [] },
);

const expression: fc.Arbitrary<NodeSelectorRequirement> = fc.oneof(
  fc.record({
    key: fc.constantFrom('pool', 'topology.kubernetes.io/zone'),
    operator: fc.constantFrom('In', 'NotIn'),
    values: fc.subarray(['x', 'y', 'z1'], { minLength: 1 }),
  }),
  fc.record({ key: fc.constantFrom('pool', 'rank'), operator: fc.constantFrom('Exists', 'DoesNotExist') }),
  fc.record({
    key: fc.constant('rank'),
    operator: fc.constantFrom('Gt', 'Lt'),
    // "many" makes the term malformed: it matches nothing, or fails the attempt where it is preferred.
    values: fc.oneof(
      { weight: 15, arbitrary: fc.constantFrom(['2'], ['6']) },
      { weight: 1, arbitrary: fc.constant(['many']) },
    ),
  }),
);

const field: fc.Arbitrary<NodeSelectorRequirement> = fc.record({
  key: fc.constant('metadata.name'),
  operator: fc.constantFrom('In', 'In', 'NotIn'),
  values: fc.constantFrom(...NODE_NAMES.slice(0, 6), 'nowhere').map((name) => [name]),
});

const term: fc.Arbitrary<NodeSelectorTerm> = fc.record({
  matchExpressions: fc.option(fc.array(expression, { maxLength: 2 }), { nil: undefined, freq: 5 }),
  matchFields: sometimes(fc.array(field, { maxLength: 2 })),
});

const nodeAffinity = fc.record({
  requiredDuringSchedulingIgnoredDuringExecution: sometimes(
    fc.record({ nodeSelectorTerms: fc.array(term, { maxLength: 3 }) }),
  ),
  preferredDuringSchedulingIgnoredDuringExecution: fc.option(
    fc.array(fc.record({ weight: fc.constantFrom(1, 7, 100), preference: term }), { maxLength: 3 }),
    { nil: undefined },
  ),
});

const port = fc.record({
  containerPort: fc.constant(80),
  hostPort: fc.constantFrom(undefined, 0, 80, 80, 443),
  hostIP: fc.constantFrom(undefined, '', '0.0.0.0', '10.0.0.1', '10.0.0.2', '::'),
  protocol: fc.constantFrom(undefined, 'TCP', 'UDP', 'SCTP'),
});

const containerOf = ({ requests }: Amounts): fc.Arbitrary<Container> =>
  fc.record({
    name: fc.constantFrom('c', 'd'),
    image: fc.option(imageName, { nil: undefined, freq: 10 }),
    ports: sometimes(fc.array(port, { maxLength: 2 })),
    resources: fc.option(fc.record({ requests }), { nil: undefined }),
    restartPolicyRules: seldom(fc.constant([{ action: 'RestartAllContainers' }])),
  });

const initContainerOf = (amounts: Amounts): fc.Arbitrary<Container> =>
  fc
    .tuple(containerOf(amounts), fc.constantFrom(undefined, 'Always'))
    .map(([init, restartPolicy]) => ({ ...init, restartPolicy }));

const often = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined, freq: 2 });

const imageVolumes = fc.array(fc.record({ image: fc.option(fc.record({ reference: imageName }), { nil: undefined }) }));

export const arbitraryPodSpec = (amounts: Amounts): fc.Arbitrary<PodSpec> =>
  fc.record({
    containers: fc.array(containerOf(amounts), { minLength: 1, maxLength: 2 }),
    initContainers: sometimes(fc.array(initContainerOf(amounts), { maxLength: 2 })),
    overhead: seldom(amounts.requests),
    resources: seldom(fc.record({ requests: amounts.requests })),
    nodeSelector: seldom(fc.constantFrom<Record<string, string>[]>({}, { pool: 'x' }, { pool: 'y', rank: '1' })),
    affinity: often(
      fc.record({
        nodeAffinity: sometimes(nodeAffinity),
        podAffinity: sometimes(arbitraryPodAffinity),
        podAntiAffinity: often(arbitraryPodAffinity),
      }),
    ),
    topologySpreadConstraints: sometimes(arbitrarySpread),
    tolerations: sometimes(fc.array(toleration, { maxLength: 3 })),
    schedulingGates: seldom(fc.constantFrom([], [{ name: 'g1' }, { name: 'g2' }])),
    volumes: seldom(fc.oneof(imageVolumes, arbitraryClaimVolumes)),
    nodeName: seldom(fc.constantFrom('', ...NODE_NAMES.slice(0, 4), 'nowhere')),
    priority: fc.constantFrom(undefined, undefined, -3, 5, 5, 90),
    preemptionPolicy: seldom(fc.constantFrom('Never', 'PreemptLowerPriority')),
  });

/** Specs without rules about other pods: such pods are decided by their signature alone. */
export const arbitraryPlainSpec = (amounts: Amounts): fc.Arbitrary<PodSpec> =>
  fc
    .record({ spec: arbitraryPodSpec(amounts), affinity: sometimes(fc.record({ nodeAffinity })) })
    .map(({ spec: { topologySpreadConstraints: _, volumes: __, ...spec }, affinity }) => ({ ...spec, affinity }));

const resized = fc.record({ name: fc.constant('c'), resources: fc.record({ requests: arbitraryRequests }) });

export const arbitraryPodStatus: fc.Arbitrary<PodStatus | undefined> = seldom(
  fc.record(
    {
      phase: fc.constantFrom('Pending', 'Running', 'Succeeded', 'Failed'),
      nominatedNodeName: fc.constantFrom(...NODE_NAMES.slice(0, 6), 'nowhere'),
      containerStatuses: fc.array(resized, { maxLength: 1 }),
      initContainerStatuses: fc.array(resized, { maxLength: 1 }),
      resources: fc.record({ requests: arbitraryRequests }),
      conditions: fc.constant([
        { type: 'PodResizePending', status: 'True', reason: 'Infeasible' },
        { type: 'DisruptionTarget', status: 'True', reason: 'PreemptionByScheduler' },
      ]),
    },
    { requiredKeys: [] },
  ),
);

/** What makes one pod of a template differ from the next. */
export interface PodParts {
  readonly labels?: Labels | undefined;
  readonly owners?: readonly OwnerReference[] | undefined;
  readonly terminating?: boolean | undefined;
  readonly status?: PodStatus | undefined;
}

export const POD_NAMES: readonly string[] = Array.from({ length: 24 }, (_, i) => `p${i}`);

/** Half of the pods live in the first namespace: pods of one template are to be found in several. */
export function namespaceOf(podName: string): string {
  const i = POD_NAMES.indexOf(podName);
  return (i % 2 === 0 ? NAMESPACES[0] : NAMESPACES[i % NAMESPACES.length]) ?? NAMESPACES[0];
}

/** Pods of a batch have names of their own. */
export function batchPodName(batch: number, i: number): string {
  return `b${batch}-${i}`;
}

/** Every pod has started at its own time, so that preemption never has to choose between equals. */
function startTimeOf(name: string): string {
  const [, batch = -1, i = POD_NAMES.indexOf(name)] = /^b(\d+)-(\d+)$/.exec(name) ?? [];
  const [minute, second] = [Number(batch) + 1, Number(i) + 1].map((part) => String(part).padStart(2, '0'));
  return `2026-01-01T00:${minute}:${second}Z`;
}

export function podOf(name: string, spec: PodSpec, { labels, owners, terminating, status }: PodParts = {}): Pod {
  return {
    metadata: {
      name,
      namespace: namespaceOf(name),
      labels,
      ownerReferences: owners,
      deletionTimestamp: terminating ? '2026-02-01T00:00:00Z' : undefined,
    },
    spec,
    status: { startTime: startTimeOf(name), ...status },
  };
}
