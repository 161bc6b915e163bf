/** Random lives of a cluster, as data: the pod templates and nodes it begins with, and what happens then. */
import fc from 'fast-check';
import type { Labels, OwnerReference } from '../../src/api/meta.ts';
import type { Node } from '../../src/api/node.ts';
import type { PodSpec, PodStatus } from '../../src/api/pod.ts';
import {
  type Amounts,
  ANY_AMOUNTS,
  arbitraryNode,
  arbitraryPodSpec,
  arbitraryPodStatus,
  NODE_NAMES,
  PLAIN_AMOUNTS,
  POD_NAMES,
} from '../builders/arbitrary-cluster.ts';
import { type AnyObject, arbitraryObject, nameOfObject, type ObjectName } from '../builders/arbitrary-objects.ts';
import { arbitraryOwners, arbitraryPodLabels } from '../builders/arbitrary-topology.ts';

/** `template` counts into the script's pod specs: pods of one template share one spec object. */
export interface PodShape {
  readonly template: number;
  readonly status: PodStatus | undefined;
  readonly labels?: Labels | undefined;
  readonly owners?: readonly OwnerReference[] | undefined;
  readonly terminating?: boolean | undefined;
}

interface AddPod {
  readonly do: 'addPod';
  readonly name: string;
  readonly pod: PodShape;
  readonly nodeName: string;
}

export type ClusterEvent =
  | AddPod
  | { readonly do: 'addNode' | 'updateNode'; readonly name: string; readonly node: Node }
  | { readonly do: 'removeNode'; readonly name: string }
  /** Many equal nodes come or go at once: SIMD tails, columns that must grow, and more nodes than a search looks at. */
  | { readonly do: 'addFleet' | 'removeFleet'; readonly fleet: string; readonly node: Node }
  | { readonly do: 'updatePod'; readonly name: string; readonly pod: PodShape; readonly nodeName: string }
  | { readonly do: 'removePod'; readonly name: string }
  | { readonly do: 'schedule'; readonly name: string; readonly pod: PodShape }
  | { readonly do: 'explain'; readonly name: string; readonly pod: PodShape }
  /** Pods named after their batch and their place in it; `twice`: the first stands there once more, at the end. */
  | {
      readonly do: 'scheduleBatch';
      readonly batch: number;
      readonly pods: readonly PodShape[];
      readonly twice: boolean;
    }
  | { readonly do: 'removeBatch'; readonly batch: number }
  /** The victims of the last preemption go. */
  | { readonly do: 'evict' }
  | { readonly do: 'setObject'; readonly object: AnyObject }
  | { readonly do: 'removeObject'; readonly object: ObjectName }
  /** A pod that changes so often that readers of the change log have to start over. */
  | { readonly do: 'churn'; readonly name: string; readonly pod: PodShape; readonly nodeName: string };

export interface Script {
  readonly templates: readonly PodSpec[];
  readonly nodes: readonly Node[];
  readonly objects: readonly AnyObject[];
  /** Pods that are there from the beginning. */
  readonly placed: readonly AddPod[];
  readonly events: readonly ClusterEvent[];
  /** What is asked for after every event. */
  readonly probes: readonly PodShape[];
}

const nodeName = fc.constantFrom(...NODE_NAMES.slice(0, 12));
const podName = fc.constantFrom(...POD_NAMES);
const target = fc.oneof({ weight: 4, arbitrary: nodeName }, { weight: 1, arbitrary: fc.constantFrom('', 'later') });
const batch = fc.nat(9);
const podParts = {
  template: fc.nat(5),
  labels: arbitraryPodLabels,
  owners: arbitraryOwners,
  terminating: fc.constantFrom(false, false, false, true),
};
const pod = fc.record({ ...podParts, status: arbitraryPodStatus });
const specOnly = fc.record({ ...podParts, status: fc.constant(undefined) });
const addPod = fc.record({ do: fc.constant('addPod' as const), name: podName, pod, nodeName: target });
const object = arbitraryObject(NODE_NAMES.slice(0, 6));

const weighted = <T>(weight: number, arbitrary: fc.Arbitrary<T>) => ({ weight, arbitrary });
const doing = <T extends string>(...what: readonly [T, ...T[]]) => fc.constantFrom(...what);

export const arbitraryBatch = (of: fc.Arbitrary<PodShape>, maxLength: number) =>
  fc.record({
    do: doing('scheduleBatch'),
    batch,
    pods: fc.array(of, { minLength: 1, maxLength, size: 'max' }),
    twice: fc.integer({ min: 0, max: 30 }).map((n) => n === 30),
  });

const eventOf = (node: fc.Arbitrary<Node>): fc.Arbitrary<ClusterEvent> =>
  fc.oneof(
    weighted(3, fc.record({ do: doing('addNode'), name: nodeName, node })),
    weighted(5, fc.record({ do: doing('updateNode'), name: nodeName, node })),
    weighted(3, fc.record({ do: doing('removeNode'), name: nodeName })),
    weighted(6, addPod),
    weighted(5, fc.record({ do: doing('updatePod'), name: podName, pod, nodeName: target })),
    weighted(4, fc.record({ do: doing('removePod'), name: podName })),
    weighted(20, fc.record({ do: doing('schedule'), name: podName, pod })),
    weighted(4, fc.record({ do: doing('explain'), name: podName, pod })),
    weighted(7, arbitraryBatch(pod, 8)),
    weighted(2, fc.record({ do: doing('removeBatch'), batch })),
    weighted(2, fc.record({ do: doing('evict') })),
    weighted(5, fc.record({ do: doing('setObject'), object })),
    weighted(2, fc.record({ do: doing('removeObject'), object: object.map(nameOfObject) })),
    weighted(
      1,
      fc.oneof(
        weighted(3, fc.record({ do: doing('addFleet', 'removeFleet'), fleet: doing('east', 'west'), node })),
        weighted(1, fc.record({ do: doing('churn'), name: podName, pod: specOnly, nodeName })),
      ),
    ),
  ) as fc.Arbitrary<ClusterEvent>;

/** Two templates that want to stand beside (or apart from) the same pods, and differ in everything else. */
const siblings = (spec: fc.Arbitrary<PodSpec>): fc.Arbitrary<readonly PodSpec[]> =>
  fc.tuple(spec, fc.option(spec, { freq: 2 })).map(([one, other]) => {
    if (other === null) return [one];
    const { topologySpreadConstraints, affinity } = one;
    return [one, { ...other, topologySpreadConstraints, affinity }];
  });

const scriptOf = (amounts: Amounts): fc.Arbitrary<Script> => {
  const node = arbitraryNode(amounts);
  return fc.record({
    templates: fc
      .array(siblings(arbitraryPodSpec(amounts)), { minLength: 1, maxLength: 3 })
      .map((pairs) => pairs.flat()),
    // fast-check prefers short lists; a life of three steps teaches nothing.
    nodes: fc.array(node, { maxLength: NODE_NAMES.length, size: 'max' }),
    objects: fc.array(object, { maxLength: 5, size: 'max' }),
    placed: fc.uniqueArray(addPod, { maxLength: 16, size: 'max', selector: ({ name }) => name }),
    events: fc.array(eventOf(node), { maxLength: 24, size: 'max' }),
    probes: fc.array(specOnly, { minLength: 1, maxLength: 3 }),
  });
};

/** Amounts that no column holds exactly send every decision to the reference: most lives do without. */
export const arbitraryScript: fc.Arbitrary<Script> = fc.oneof(
  weighted(3, scriptOf(PLAIN_AMOUNTS)),
  weighted(1, scriptOf(ANY_AMOUNTS)),
);

/** A cluster of which a search sees only a part: 140 nodes more, mostly feasible. */
export const arbitraryLargeScript: fc.Arbitrary<Script> = fc
  .record({ script: scriptOf(PLAIN_AMOUNTS), east: arbitraryNode(PLAIN_AMOUNTS), west: arbitraryNode(PLAIN_AMOUNTS) })
  .map(({ script, east, west }) => ({
    ...script,
    events: [
      { do: 'addFleet', fleet: 'east', node: east },
      { do: 'addFleet', fleet: 'west', node: west },
      ...script.events,
    ],
  }));
