import { type PodGroup, podGroupNameOf } from '../../api/pod-group.ts';
import type { ClusterObjects } from '../../framework/cluster-objects.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { getOrMake } from '../../lib/get-or-make.ts';
import { goSort } from '../../lib/go-sort.ts';
import { DisruptionBudgets } from './disruption-budgets.ts';
import { podStartMillis } from './victims.ts';

/** Pods that are evicted together: one pod, or all pods of a group that wants it so. */
export interface VictimUnit {
  readonly pods: PodInfo[];
  readonly priority: number;
  /** Whether the pods belong to a group. */
  readonly isOfGroup: boolean;
}

/** The units of lower priority among the pods of the nodes. */
export function lowerUnits(nodes: Iterable<NodeInfo>, objects: ClusterObjects, priority: number): VictimUnit[] {
  const groups = new Map<PodGroup, VictimUnit>();
  const units = new Set<VictimUnit>();
  for (const { pods } of nodes) {
    for (const info of pods) {
      const name = podGroupNameOf(info.pod);
      const group = name === '' ? undefined : objects.get('PodGroup', name, info.namespace);
      const isOfGroup = group !== undefined;
      if (group?.spec?.disruptionMode === 'PodGroup') {
        const unit = getOrMake(groups, group, () => ({ pods: [], priority: group.spec?.priority ?? 0, isOfGroup }));
        unit.pods.push(info);
        units.add(unit);
      } else {
        units.add({ pods: [info], priority: info.priority, isOfGroup });
      }
    }
  }
  return [...units].filter((unit) => unit.priority < priority);
}

/** Sorts in place, most important units first (upstream's moreImportantVictim). */
export function sortUnits(units: VictimUnit[]): void {
  goSort(units, isMoreImportant);
}

/** Splits the units into those with a pod that violates a budget when all are evicted in this order, and the others. */
export function splitByBudgets(
  units: readonly VictimUnit[],
  objects: ClusterObjects,
): Readonly<Record<'violating' | 'nonViolating', readonly VictimUnit[]>> {
  const pods = units.flatMap((unit) => unit.pods);
  const violating = new Set(new DisruptionBudgets(objects).split(pods).violating);
  const isViolating = (unit: VictimUnit): boolean => unit.pods.some((pod) => violating.has(pod));
  return {
    violating: units.filter(isViolating),
    nonViolating: units.filter((unit) => !isViolating(unit)),
  };
}

function isMoreImportant(a: VictimUnit, b: VictimUnit): boolean {
  if (a.priority !== b.priority) return a.priority > b.priority;
  if (a.isOfGroup !== b.isOfGroup) return a.isOfGroup;
  if (a.isOfGroup && a.pods.length !== b.pods.length) return a.pods.length > b.pods.length;
  return startOf(a) < startOf(b);
}

function startOf({ pods }: VictimUnit): number {
  return Math.min(...pods.map(podStartMillis));
}
