import type { NodeInfo } from '../../framework/node-info.ts';
import type { PodRequirements } from '../../framework/pod-info.ts';
import { canRemember, canTally } from '../../framework/runtime/tallied-filters.ts';
import type { Status } from '../../framework/status.ts';
import type { Candidate } from './candidates.ts';
import type { DisruptionBudgets } from './disruption-budgets.ts';
import { ClonedNode, type DryRunContext } from './dry-run-node.ts';
import { NO_VICTIMS, selectVictimsOnNode, type VictimSelection } from './select-victims.ts';
import { TalliedNode } from './tallied-node.ts';

/** Selects victims on one node; returns a status if evicting pods of the node does not help. */
export type DryRun = (node: NodeInfo) => Candidate | Status;

export interface DryRunOptions extends DryRunContext {
  readonly budgets: DisruptionBudgets;
}

/** One value for each node, which is valid until the node, its pods or its nominated pods change. */
class NodeMemory<T> {
  readonly #bySlot: ({ readonly node: NodeInfo; readonly generation: number; readonly value: T } | undefined)[] = [];

  get(node: NodeInfo): T | undefined {
    const known = this.#bySlot[node.slot];
    return known !== undefined && known.node === node && known.generation === node.generation ? known.value : undefined;
  }

  set(node: NodeInfo, value: T): void {
    this.#bySlot[node.slot] = { node, generation: node.generation, value };
  }
}

/** A result, with all that it depends on beside its node. */
interface KnownResult {
  readonly budgetsVersion: number;
  readonly requirements: PodRequirements;
  readonly priority: number;
  readonly result: Candidate | Status;
}

/** What dry runs of earlier pods have computed: pods of one template often preempt in a row, each changing one node. */
export class DryRunMemory {
  readonly results = new NodeMemory<KnownResult>();
  readonly lowestPriorities = new NodeMemory<number>();

  /** The priority of the least important pod of the node; Infinity for an empty node. */
  lowestPriority(node: NodeInfo): number {
    let priority = this.lowestPriorities.get(node);
    if (priority === undefined) {
      priority = Number.POSITIVE_INFINITY;
      for (const pod of node.pods) priority = Math.min(priority, pod.priority);
      this.lowestPriorities.set(node, priority);
    }
    return priority;
  }
}

/** The dry run that works with every plugin. */
export function objectDryRun(options: DryRunOptions): DryRun {
  const { pod, budgets } = options;
  const selection: VictimSelection = { pod, budgets, newDryRunNode: (node) => new ClonedNode(options, node) };
  return (node) => selectVictimsOnNode(node, selection);
}

/** A faster dry run with the same results; null if some filter cannot tally other pods. */
export function tallyDryRun(options: DryRunOptions, { results }: DryRunMemory): DryRun | null {
  if (!canTally(options.filters)) return null;
  const { pod, budgets, nominator } = options;
  const { requirements, priority } = pod;
  const selection: VictimSelection = { pod, budgets, newDryRunNode: (node) => new TalliedNode(options, node) };
  if (!canRemember(options.filters)) return (node) => selectVictimsOnNode(node, selection);
  const ownNodes = nominator.nominatedNodesOf(pod);
  const budgetsVersion = budgets.version;
  return (node) => {
    // The pod's own nomination is not counted on its nominated node, so that result is valid for no other pod.
    if (ownNodes.length > 0 && ownNodes.includes(node.name)) return selectVictimsOnNode(node, selection);
    const known = results.get(node);
    if (
      known !== undefined &&
      known.requirements === requirements &&
      known.priority === priority &&
      known.budgetsVersion === budgetsVersion
    ) {
      return known.result;
    }
    const result = selectVictimsOnNode(node, selection);
    results.set(node, { budgetsVersion, requirements, priority, result });
    return result;
  };
}

/**
 * A dry run that calls `make` for the first node with a pod of lower priority. To make a dry run may cost a count of
 * all pods, and most pods that fit nowhere find no such node.
 */
export function lazyDryRun(podPriority: number, memory: DryRunMemory, make: () => DryRun): DryRun {
  let made: DryRun | null = null;
  return (node) => {
    if (made === null) {
      if (memory.lowestPriority(node) >= podPriority) return NO_VICTIMS;
      made = make();
    }
    return made(node);
  };
}
