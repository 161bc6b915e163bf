/** Lives of clusters whose pods are mostly decided by their signature alone: many alike, on nodes of a few kinds. */
import fc from 'fast-check';
import type { Node } from '../../src/api/node.ts';
import type { NodeAffinity } from '../../src/api/node-selector.ts';
import type { PodSpec } from '../../src/api/pod.ts';
import {
  arbitraryNode,
  arbitraryPlainSpec,
  arbitraryPodSpec,
  arbitraryTaints,
  KERNEL_AMOUNTS,
  NODE_NAMES,
  POD_NAMES,
} from '../builders/arbitrary-cluster.ts';
import { arbitraryObject } from '../builders/arbitrary-objects.ts';
import { arbitraryPodLabels } from '../builders/arbitrary-topology.ts';
import { arbitraryBatch, type ClusterEvent, type Script } from './arbitrary-script.ts';

/** What of the pods is not of a signature. */
export interface SignatureScriptOptions {
  /** One template speaks of other pods. */
  readonly hasTopology: boolean;
  /** The names of schedulers that templates use. */
  readonly schedulerNames: readonly (string | undefined)[];
}

const weighted = <T>(weight: number, arbitrary: fc.Arbitrary<T>) => ({ weight, arbitrary });
const doing = <T extends string>(...what: readonly [T, ...T[]]) => fc.constantFrom(...what);
const nodeName = fc.constantFrom(...NODE_NAMES);
const name = fc.constantFrom(...POD_NAMES);
const target = fc.oneof(weighted(6, nodeName), weighted(1, fc.constant('later')));
const pod = fc.record({
  template: fc.nat(11),
  status: fc.constant(undefined),
  labels: arbitraryPodLabels,
});

/** Small, and welcome on most nodes: these fill the cluster. */
const ordinarySpec: fc.Arbitrary<PodSpec> = fc
  .record({
    cpu: fc.constantFrom('100m', '150m', '200m', '250m'),
    memory: fc.constantFrom('64Mi', '100Mi', '256Mi'),
    tolerations: fc.constantFrom(undefined, undefined, [{ operator: 'Exists' }]),
    priority: fc.constantFrom(undefined, 5),
    pool: fc.constantFrom(undefined, undefined, 'x', 'y'),
  })
  .map(({ cpu, memory, tolerations, priority, pool }) => ({
    containers: [{ name: 'app', resources: { requests: { cpu, memory } } }],
    tolerations,
    priority,
    affinity: pool === undefined ? undefined : { nodeAffinity: prefers(pool) },
  }));

const SOFT_TAINTS = ['x', 'y', 'z'].map((key) => ({ key, effect: 'PreferNoSchedule' as const }));

const prefers = (pool: string): NodeAffinity => ({
  preferredDuringSchedulingIgnoredDuringExecution: [
    { weight: 9, preference: { matchExpressions: [{ key: 'pool', operator: 'In', values: [pool] }] } },
  ],
});

/** Few shapes, so that nodes are alike and totals tie; some of them less welcome, or not at all. */
function nodeOf(shapes: readonly Node[]): fc.Arbitrary<Node> {
  const shape = fc.constantFrom(...shapes);
  const taints = fc.oneof(
    weighted(3, fc.constantFrom(...[0, 1, 2, 3].map((count) => SOFT_TAINTS.slice(0, count)))),
    weighted(1, arbitraryTaints),
  );
  const tainted = fc.tuple(shape, taints).map(([node, own]) => ({ ...node, spec: { taints: own } }));
  return fc.oneof(shape, tainted);
}

type FleetEvent = 'addFleet' | 'removeFleet';
const fleetOf = (node: fc.Arbitrary<Node>, ...what: readonly [FleetEvent, ...FleetEvent[]]) =>
  fc.record({ do: doing(...what), fleet: doing('east', 'south', 'north'), node });

function eventOf(node: fc.Arbitrary<Node>): fc.Arbitrary<ClusterEvent> {
  return fc.oneof(
    weighted(2, fc.record({ do: doing('addNode'), name: nodeName, node })),
    weighted(4, fc.record({ do: doing('updateNode'), name: nodeName, node })),
    weighted(2, fc.record({ do: doing('removeNode'), name: nodeName })),
    weighted(2, fc.record({ do: doing('addPod'), name, pod, nodeName: target })),
    weighted(2, fc.record({ do: doing('updatePod'), name, pod, nodeName: target })),
    weighted(2, fc.record({ do: doing('removePod'), name })),
    weighted(8, fc.record({ do: doing('schedule'), name, pod })),
    weighted(12, arbitraryBatch(pod, 30)),
    weighted(4, fc.record({ do: doing('removeBatch'), batch: fc.nat(9) })),
    weighted(1, fc.record({ do: doing('evict') })),
    weighted(3, fleetOf(node, 'addFleet', 'addFleet', 'removeFleet')),
    weighted(1, fc.record({ do: doing('churn'), name, pod, nodeName })),
  ) as fc.Arbitrary<ClusterEvent>;
}

export function arbitrarySignatureScript({
  hasTopology,
  schedulerNames,
}: SignatureScriptOptions): fc.Arbitrary<Script> {
  const node = arbitraryNode(KERNEL_AMOUNTS);
  const template: fc.Arbitrary<PodSpec> = fc
    .tuple(fc.oneof(arbitraryPlainSpec(KERNEL_AMOUNTS), ordinarySpec), fc.constantFrom(...schedulerNames))
    .map(([spec, schedulerName]) => ({ ...spec, schedulerName }));
  const strange = hasTopology ? fc.array(arbitraryPodSpec(KERNEL_AMOUNTS), { maxLength: 1 }) : fc.constant([]);
  return fc.array(node, { minLength: 1, maxLength: 4 }).chain((shapes) => {
    const alike = nodeOf(shapes);
    return fc.record({
      templates: fc
        .tuple(fc.array(template, { minLength: 3, maxLength: 11, size: 'max' }), strange)
        .map((parts) => parts.flat()),
      nodes: fc.array(fc.oneof(weighted(5, alike), weighted(1, node)), {
        minLength: 4,
        maxLength: NODE_NAMES.length,
        size: 'max',
      }),
      objects: hasTopology ? fc.array(arbitraryObject(NODE_NAMES.slice(0, 6)), { maxLength: 2 }) : fc.constant([]),
      placed: fc.constant([]),
      events: fc.array(eventOf(alike), { minLength: 6, maxLength: 24, size: 'max' }),
      probes: fc.array(pod, { minLength: 1, maxLength: 2 }),
    });
  });
}
