import type { DaemonSet } from '../../api/daemon-set.ts';
import { scaledValue } from '../../api/int-or-percent.ts';
import type { Pod } from '../../api/pod.ts';
import { availableIn, type DaemonPlan, type DaemonView, isBeingDeleted, isOfRevision } from './daemon-plan.ts';
import { nodeFit } from './daemon-pod.ts';

export interface DaemonLimits {
  readonly maxSurge: number;
  readonly maxUnavailable: number;
  /** How many nodes are to have a pod. */
  readonly desiredNodes: number;
}

/**
 * The limits of a rolling update as numbers of nodes; undefined with another strategy. Upstream:
 * updatedDesiredNodeCounts in pkg/controller/daemon/update.go.
 */
export function daemonLimits({ spec }: DaemonSet, desiredNodes: number): DaemonLimits | undefined {
  const { type = 'RollingUpdate', rollingUpdate } = spec?.updateStrategy ?? {};
  if (type !== 'RollingUpdate') return undefined;
  const maxSurge = scaledValue(rollingUpdate?.maxSurge ?? 0, desiredNodes, 'up');
  const maxUnavailable = scaledValue(rollingUpdate?.maxUnavailable ?? 1, desiredNodes, 'up');
  return { maxSurge, maxUnavailable: maxSurge === 0 && maxUnavailable === 0 ? 1 : maxUnavailable, desiredNodes };
}

interface PodsOfNode {
  readonly newPod: Pod | undefined;
  readonly oldPod: Pod | undefined;
}

/** The new and the old pod of a node; undefined if there are several of one kind, which is mended first. */
function updatedPodsOn(pods: readonly Pod[], hash: string): PodsOfNode | undefined {
  const present = pods.filter((pod) => !isBeingDeleted(pod));
  const newPods = present.filter((pod) => isOfRevision(pod, hash));
  const oldPods = present.filter((pod) => !isOfRevision(pod, hash));
  if (newPods.length > 1 || oldPods.length > 1) return undefined;
  return { newPod: newPods[0], oldPod: oldPods[0] };
}

/** The next step of a rolling update. Upstream: rollingUpdate in pkg/controller/daemon/update.go. */
export function planUpdate(view: DaemonView, limits: DaemonLimits): DaemonPlan {
  return limits.maxSurge === 0 ? planReplacements(view, limits) : planSurge(view, limits);
}

/** Old pods go first; `maxUnavailable` nodes may be without an available pod. */
function planReplacements(view: DaemonView, { maxUnavailable }: DaemonLimits): DaemonPlan {
  let unavailable = 0;
  const useless: Pod[] = [];
  const candidates: Pod[] = [];
  for (const [, pods] of sortedNodes(view)) {
    const { newPod, oldPod } = updatedPodsOn(pods, view.hash) ?? {};
    if (newPod !== undefined && oldPod === undefined) {
      if (!availableIn(view, newPod)) unavailable++;
    } else if (oldPod !== undefined && newPod === undefined) {
      if (availableIn(view, oldPod)) candidates.push(oldPod);
      else {
        unavailable++;
        useless.push(oldPod);
      }
    } else unavailable++;
  }
  const more = candidates.slice(0, Math.max(0, maxUnavailable - unavailable));
  return { nodesToFill: [], podsToDelete: [...useless, ...more] };
}

/**
 * New pods come first, beside the old ones, on `maxSurge` nodes at a time. The old pod of a node that is to have no
 * further one goes without a successor, when it is of no use or when enough others are available.
 */
function planSurge(view: DaemonView, { maxSurge, desiredNodes }: DaemonLimits): DaemonPlan {
  const fitting = new Set(
    view.nodes.flatMap((node) => (nodeFit(view.set, node).shouldRun ? [node.metadata?.name] : [])),
  );
  let [surging, available] = [0, 0];
  const podsToDelete: Pod[] = [];
  const misplaced: Pod[] = [];
  const needed: string[] = [];
  const candidates: string[] = [];
  for (const [name, pods] of sortedNodes(view)) {
    const found = updatedPodsOn(pods, view.hash);
    if (found === undefined) {
      surging++;
      continue;
    }
    const { newPod, oldPod } = found;
    const shown = oldPod ?? newPod;
    const isServed = shown !== undefined && availableIn(view, shown);
    if (isServed) available++;
    if (oldPod === undefined) continue;
    if (newPod === undefined) {
      if (fitting.has(name)) (isServed ? candidates : needed).push(name);
      else (isServed ? misplaced : podsToDelete).push(oldPod);
    } else if (availableIn(view, newPod)) podsToDelete.push(oldPod);
    else surging++;
  }
  podsToDelete.push(...misplaced.slice(0, Math.max(0, available - desiredNodes)));
  return { nodesToFill: [...needed, ...candidates.slice(0, Math.max(0, maxSurge - surging))], podsToDelete };
}

/** Nodes in the order of their names, where upstream takes the order of a Go map. */
function sortedNodes({ podsByNode }: DaemonView): (readonly [string, readonly Pod[]])[] {
  return [...podsByNode].sort(([a], [b]) => (a < b ? -1 : 1));
}
