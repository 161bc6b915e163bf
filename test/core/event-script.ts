/** Random lives of a cluster, as data: a script can be played on any scheduler, and its end state built anew. */
import fc from 'fast-check';
import type { Node } from '../../src/api/node.ts';
import type { Pod, PodSpec, PodStatus } from '../../src/api/pod.ts';
import type { Explanation, ScheduleResult, Scheduler } from '../../src/index.ts';
import {
  arbitraryNode,
  arbitraryPodSpec,
  arbitraryPodStatus,
  NODE_NAMES,
  named,
  podOf,
} from '../builders/arbitrary-cluster.ts';

/** `template` counts into the script's pod specs: pods of one template share one spec object. */
export type ClusterEvent =
  | { readonly do: 'addNode' | 'updateNode'; readonly name: string; readonly node: Node }
  | { readonly do: 'removeNode'; readonly name: string }
  /** Many alike at once: lane tails, and columns that must grow. */
  | { readonly do: 'addFleet' | 'removeFleet'; readonly node: Node }
  | { readonly do: 'addPod' | 'updatePod'; readonly name: string; readonly pod: PodShape; readonly nodeName: string }
  | { readonly do: 'removePod'; readonly name: string }
  | { readonly do: 'schedule' | 'explain'; readonly name: string; readonly pod: PodShape }
  /** So many changes that readers of the change log have to start over. */
  | { readonly do: 'churn'; readonly name: string; readonly pod: PodShape; readonly nodeName: string };

interface PodShape {
  readonly template: number;
  readonly status: PodStatus | undefined;
}

export interface Script {
  readonly templates: readonly PodSpec[];
  readonly nodes: readonly Node[];
  readonly events: readonly ClusterEvent[];
}

const FLEET_SIZE = 70;
const CHURN_ROUNDS = 600;

const nodeName = fc.constantFrom(...NODE_NAMES.slice(0, 12));
const podName = fc.constantFrom(...Array.from({ length: 12 }, (_, i) => `p${i}`));
const target = fc.oneof({ weight: 4, arbitrary: nodeName }, { weight: 1, arbitrary: fc.constantFrom('', 'later') });
const pod = fc.record({ template: fc.nat(5), status: arbitraryPodStatus });
const specOnly = fc.record({ template: fc.nat(5), status: fc.constant(undefined) });

const event: fc.Arbitrary<ClusterEvent> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('addNode'), name: nodeName, node: arbitraryNode }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('updateNode'), name: nodeName, node: arbitraryNode }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('removeNode'), name: nodeName }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('addPod'), name: podName, pod, nodeName: target }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('updatePod'), name: podName, pod, nodeName: target }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('removePod'), name: podName }) },
  { weight: 20, arbitrary: fc.record({ do: fc.constant('schedule'), name: podName, pod }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('explain'), name: podName, pod }) },
  {
    weight: 1,
    arbitrary: fc.oneof(
      { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('addFleet', 'removeFleet'), node: arbitraryNode }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('churn'), name: podName, pod: specOnly, nodeName }) },
    ),
  },
) as fc.Arbitrary<ClusterEvent>;

export const arbitraryScript: fc.Arbitrary<Script> = fc.record({
  templates: fc.array(arbitraryPodSpec, { minLength: 1, maxLength: 4 }),
  // fast-check prefers short lists; a life of three steps teaches nothing.
  nodes: fc.array(arbitraryNode, { maxLength: NODE_NAMES.length, size: 'max' }),
  events: fc.array(event, { maxLength: 24, size: 'max' }),
});

/** What a scheduler answered: a value, or the code of the error that it threw. */
export type Answer = ScheduleResult | Explanation | 'done' | { readonly error: string };

export function start(scheduler: Scheduler, { nodes }: Script): void {
  for (const [i, node] of nodes.entries()) scheduler.addNode(named(node, `n${i}`));
}

export function play(scheduler: Scheduler, { templates }: Script, event: ClusterEvent): Answer {
  try {
    return perform(scheduler, templates, event);
  } catch (error) {
    if (error instanceof Error && 'code' in error) return { error: `${error.code}: ${error.message}` };
    throw error;
  }
}

export function templateOf(templates: readonly PodSpec[], { template }: PodShape): PodSpec {
  return templates[template % templates.length] as PodSpec;
}

/** The pod that an addPod, updatePod, schedule or explain event is about. */
export function podOfEvent(
  templates: readonly PodSpec[],
  event: { readonly name: string; readonly pod: PodShape; readonly nodeName?: string },
): Pod {
  const spec = templateOf(templates, event.pod);
  // Pods to be scheduled keep the template's own spec object: identity is what the encoder goes by.
  const placed = event.nodeName === undefined ? spec : { ...spec, nodeName: event.nodeName };
  return podOf(event.name, placed, event.pod.status);
}

export function fleet(node: Node): Node[] {
  return Array.from({ length: FLEET_SIZE }, (_, i) => named(node, `fleet-${i}`));
}

function perform(scheduler: Scheduler, templates: readonly PodSpec[], event: ClusterEvent): Answer {
  switch (event.do) {
    case 'addNode':
      scheduler.addNode(named(event.node, event.name));
      return 'done';
    case 'updateNode':
      scheduler.updateNode(named(event.node, event.name));
      return 'done';
    case 'removeNode':
      scheduler.removeNode(event.name);
      return 'done';
    case 'addFleet':
      for (const node of fleet(event.node)) scheduler.addNode(node);
      return 'done';
    case 'removeFleet':
      for (const node of fleet(event.node)) scheduler.removeNode(node.metadata?.name ?? '');
      return 'done';
    case 'addPod':
      scheduler.addPod(podOfEvent(templates, event));
      return 'done';
    case 'updatePod':
      scheduler.updatePod(podOfEvent(templates, event));
      return 'done';
    case 'removePod':
      scheduler.removePod('default', event.name);
      return 'done';
    case 'schedule':
      return scheduler.schedule(podOfEvent(templates, event));
    case 'explain':
      return scheduler.explain(podOfEvent(templates, event));
    case 'churn': {
      const churned = podOfEvent(templates, event);
      for (let round = 0; round < CHURN_ROUNDS; round++) {
        scheduler.addPod(churned);
        if (round + 1 < CHURN_ROUNDS) scheduler.removePod('default', event.name);
      }
      return 'done';
    }
  }
}
