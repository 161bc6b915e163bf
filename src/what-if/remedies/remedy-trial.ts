import type { Node } from '../../api/node.ts';
import type { Pod } from '../../api/pod.ts';
import type { NodeState } from '../../caller/cluster-view.ts';
import type { PodGroupScheduler } from '../../cluster/pod-group-scheduler.ts';
import type { Explanation } from '../../core/decision/result.ts';
import type { Scheduler } from '../../core/scheduler.ts';
import { assert } from '../../lib/assert.ts';
import { type Change, changedPod, type GroupPlaces } from './remedy.ts';

/** What a decision after some changes has shown. */
export interface Tried {
  readonly isPlaced: boolean;
  /** The pod that tells most, as it is without the changes. */
  readonly pod: Pod;
  /** The decision for it. */
  readonly explanation: Explanation;
  /** How many pods need a place together, and how many of them have none. */
  readonly neededCount: number;
  readonly missingCount: number;
  /** Absent for a pod that is tried by itself. */
  readonly group?: GroupPlaces;
}

/** What changes are tried on. */
export interface RemedyTrial {
  /** The decision after the changes, which are undone again. */
  after(changes: readonly Change[]): Tried;
  nodes(): readonly NodeState[];
  node(name: string): NodeState | undefined;
}

/** Tries a pod by itself. The scheduler must be a fork, and not hold the pod. */
export function podTrial(scheduler: Scheduler, pod: Pod): RemedyTrial {
  return {
    after(changes) {
      const before = nodesOf(changes).map((node) => {
        const name = node.metadata?.name ?? '';
        const known = scheduler.node(name)?.node;
        if (known === undefined) scheduler.addNode(node);
        else scheduler.updateNode(node);
        return { name, known };
      });
      const explanation = scheduler.explain(changedPod(pod, changes));
      for (const { name, known } of before.reverse()) {
        if (known === undefined) scheduler.removeNode(name);
        else scheduler.updateNode(known);
      }
      return triedAlone(pod, explanation);
    },
    nodes: () => scheduler.nodes(),
    node: (name) => scheduler.node(name),
  };
}

/**
 * Tries all pods of the group that wait, each with the changes, in a copy of the cluster. A pod of no group is tried by
 * itself.
 */
export function groupTrial(scheduler: PodGroupScheduler, asked: Pod): RemedyTrial {
  const copy = scheduler.changedGroup();
  const [namespace, name] = [asked.metadata?.namespace ?? '', asked.metadata?.name ?? ''];
  const own = scheduler.pod(namespace, name) ?? asked;
  return {
    after(changes) {
      const found = copy.explain(own, { nodes: nodesOf(changes), changed: (pod) => changedPod(pod, changes) });
      const { group, explanation } = found;
      assert(explanation !== null, 'a pod whose group is tried waits');
      if (group === null) return triedAlone(own, explanation);
      const { members, explained, minCount, scheduledCount, hasPlace } = group;
      const placedCount = members.filter(({ node }) => node !== null).length;
      const [podNamespace = '', podName = ''] = explained.split('/');
      const neededCount = Math.max(1, (minCount ?? 1) - scheduledCount);
      return {
        isPlaced: hasPlace === true,
        pod: scheduler.pod(podNamespace, podName) ?? own,
        explanation,
        neededCount,
        missingCount: Math.max(1, neededCount - placedCount),
        group: { waitingCount: members.length, placedCount },
      };
    },
    nodes: () => scheduler.nodes(),
    node: (name) => scheduler.node(name),
  };
}

function nodesOf(changes: readonly Change[]): readonly Node[] {
  return changes.flatMap(({ nodes = [] }) => nodes);
}

function triedAlone(pod: Pod, explanation: Explanation): Tried {
  return { isPlaced: explanation.status === 'scheduled', pod, explanation, neededCount: 1, missingCount: 1 };
}
