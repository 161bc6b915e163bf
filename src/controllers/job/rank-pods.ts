import type { Time } from '../../api/meta.ts';
import { isSidecar, type Pod } from '../../api/pod.ts';
import { isPodReady } from '../../api/pod-conditions.ts';
import { millisOfTime } from '../../api/time.ts';
import { goSort } from '../../lib/go-sort.ts';
import type { JobPlan } from './job-plan.ts';
import { completionIndexOf, NO_INDEX, readyConditionOf } from './pod-state.ts';

/**
 * At least `count` active pods to delete, those whose loss matters least first. For an indexed Job, the pods without a
 * valid index and all but the best of each index come first, even if these are more than `count`.
 *
 * Upstream: activePodsForRemoval in pkg/controller/job/job_controller.go.
 */
export function podsToRemove(plan: JobPlan, activePods: readonly Pod[], count: number): readonly Pod[] {
  const { surplus, rest } =
    plan.indexes === undefined ? { surplus: [], rest: activePods } : splitOnce(activePods, plan.indexes);
  const missing = count - surplus.length;
  if (missing <= 0) return surplus;
  const ranked = [...rest];
  goSort(ranked, goesBefore);
  return [...surplus, ...ranked.slice(0, missing)];
}

interface Split {
  readonly surplus: readonly Pod[];
  /** For an indexed Job, one pod of each index. */
  readonly rest: readonly Pod[];
}

/** The last split by list, since most syncs of an indexed Job see the same list. */
const splits = new WeakMap<readonly Pod[], { readonly completions: number; readonly split: Split }>();

function splitOnce(activePods: readonly Pod[], completions: number): Split {
  const known = splits.get(activePods);
  if (known?.completions === completions) return known.split;
  const split = splitByIndex(activePods, completions);
  splits.set(activePods, { completions, split });
  return split;
}

function splitByIndex(activePods: readonly Pod[], completions: number): Split {
  const sorted = activePods.map((pod) => ({ pod, index: completionIndexOf(pod) }));
  goSort(sorted, (a, b) => a.index < b.index);
  const surplus: Pod[] = [];
  const rest: Pod[] = [];
  for (let from = 0; from < sorted.length; ) {
    const { index } = sorted[from] as (typeof sorted)[number];
    let end = from + 1;
    // Pods with indexes beyond the completions are taken as a group.
    while (end < sorted.length && (index >= completions || sorted[end]?.index === index)) end++;
    const pods = sorted.slice(from, end).map(({ pod }) => pod);
    if (index === NO_INDEX || index >= completions) surplus.push(...pods);
    else {
      if (pods.length > 1) goSort(pods, goesBefore);
      rest.push(pods.pop() as Pod);
      surplus.push(...pods);
    }
    from = end;
  }
  return { surplus, rest };
}

const PHASE_ORDER: Readonly<Record<string, number>> = { Pending: 0, Unknown: 1, Running: 2 };

/** Whether the first of two times is to count as the later one; the times are those of the pods. */
export type IsLater = (millis: number | undefined, other: number | undefined, a: Pod, b: Pod) => boolean;

/** Whether `a` is deleted before `b`. Upstream: ActivePods in pkg/controller/controller_utils.go. */
export function goesBefore(a: Pod, b: Pod, isLater: IsLater = isLaterOrUnknown): boolean {
  const [aHasNode, bHasNode] = [hasNode(a), hasNode(b)];
  if (aHasNode !== bHasNode) return !aHasNode;
  const [aPhase, bPhase] = [phaseOrderOf(a), phaseOrderOf(b)];
  if (aPhase !== bPhase) return aPhase < bPhase;
  const [aReady, bReady] = [isPodReady(a), isPodReady(b)];
  if (aReady !== bReady) return !aReady;
  if (aReady) {
    const [aSince, bSince] = [readySince(a), readySince(b)];
    if (aSince !== bSince) return isLater(aSince, bSince, a, b);
  }
  const [aRestarts, bRestarts] = [maxRestarts(a), maxRestarts(b)];
  if (aRestarts.containers !== bRestarts.containers) return aRestarts.containers > bRestarts.containers;
  if (aRestarts.sidecars !== bRestarts.sidecars) return aRestarts.sidecars > bRestarts.sidecars;
  const [aCreated, bCreated] = [millisOf(a.metadata?.creationTimestamp), millisOf(b.metadata?.creationTimestamp)];
  return aCreated !== bCreated && isLater(aCreated, bCreated, a, b);
}

function hasNode(pod: Pod): boolean {
  return (pod.spec?.nodeName ?? '') !== '';
}

function phaseOrderOf(pod: Pod): number {
  return PHASE_ORDER[pod.status?.phase ?? ''] ?? 0;
}

function readySince(pod: Pod): number | undefined {
  return millisOf(readyConditionOf(pod)?.lastTransitionTime);
}

function millisOf(time: Time | null | undefined): number | undefined {
  return time ? millisOfTime(time) : undefined;
}

/** Compares times; an unknown time counts as the latest. */
export function isLaterOrUnknown(millis: number | undefined, other: number | undefined): boolean {
  if (millis === undefined || other === undefined) return millis === undefined;
  return millis > other;
}

/** The highest restart counts of a container and of a sidecar. */
function maxRestarts(pod: Pod): { readonly containers: number; readonly sidecars: number } {
  let containers = 0;
  for (const { restartCount = 0 } of pod.status?.containerStatuses ?? [])
    containers = Math.max(containers, restartCount);
  let sidecars = 0;
  for (const { name, restartCount = 0 } of pod.status?.initContainerStatuses ?? []) {
    const isOfSidecar = pod.spec?.initContainers?.some((it) => it.name === name && isSidecar(it));
    if (isOfSidecar) sidecars = Math.max(sidecars, restartCount);
  }
  return { containers, sidecars };
}
