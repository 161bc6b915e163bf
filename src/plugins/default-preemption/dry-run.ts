import type { NodeInfo } from '../../framework/node-info.ts';
import type { PodRequirements } from '../../framework/pod-info.ts';
import type { TopologyTallies } from '../../framework/post-filter.ts';
import { filterRejection, nominatedAhead } from '../../framework/runtime/framework.ts';
import { answersOnePod } from '../../framework/runtime/tallied-filters.ts';
import type { Status } from '../../framework/status.ts';
import type { Candidate } from './candidates.ts';
import type { DisruptionBudgets } from './disruption-budgets.ts';
import { ClonedNode, type DryRunContext } from './dry-run-node.ts';
import { NO_VICTIMS, selectVictimsOnNode, type VictimSelection } from './select-victims.ts';
import { TalliedNode, type TallyNodeContext } from './tallied-node.ts';

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

/** A dry run whose results hold for pods with the same requirements and priority. */
export interface SharedDryRun {
  readonly dryRun: DryRun;
  /**
   * Whether the last result depends on more than the node, its pods, its nominations, the budgets, the topology plan
   * and what its filters say of the node as it is: on counts of pods elsewhere.
   */
  readonly dependsOnCounts: () => boolean;
}

/** A result, with all that it depends on beside its node. */
interface KnownResult {
  readonly budgetsVersion: number;
  readonly requirements: PodRequirements;
  readonly priority: number;
  readonly plan: object | null;
  /** The answers of topology filters about the node as it is. */
  readonly standing: number;
  /** The numbers on which they depend; null if the result depends on `standing` alone. */
  readonly stamp: readonly number[] | null;
  readonly result: Candidate | Status;
}

/** The last two results for a node: topology filters take turns to accept and to reject it. */
type KnownResults = readonly [KnownResult, KnownResult | null];

/** What dry runs of earlier pods have computed: pods of one template often preempt in a row, each changing one node. */
export class DryRunMemory {
  readonly results = new NodeMemory<KnownResults>();
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

export interface TallyDryRunOptions extends TallyNodeContext {
  readonly budgets: DisruptionBudgets;
}

/**
 * A faster dry run with the same results. Filters whose answers hold for this pod alone, such as those of volumes, are
 * asked about the node by itself: where they accept it with any pods, what is known of the other filters is the result.
 */
export function tallyDryRun(options: TallyDryRunOptions, memory: DryRunMemory): DryRun {
  const { pod, budgets, filters, nominator, state, standing } = options;
  const { dryRun: others } = sharedDryRun(options, memory);
  const own = filters.filter(answersOnePod);
  if (own.length === 0) return others;
  const selection: VictimSelection = { pod, budgets, newDryRunNode: (node) => new TalliedNode(options, node) };
  return (node) => {
    const known = others(node);
    if (known === NO_VICTIMS) return known;
    const ahead = nominatedAhead(nominator.nominatedPodsForNode(node.name), pod);
    if (ahead.length === 0 && standing?.of(node.slot) === 'accepted') return known;
    for (const plugin of own) {
      const dependsOnPods = (plugin.tally?.(state, pod, node, ahead) ?? null) !== null;
      const status = dependsOnPods ? null : plugin.filter(state, pod, node);
      if (status === null && !dependsOnPods) continue;
      // Where all other filters accept the node without the victims, this one is the first that rejects it.
      if (status !== null && 'victims' in known) return filterRejection(status);
      return selectVictimsOnNode(node, selection);
    }
    return known;
  };
}

/** The dry run without filters whose answers hold for one pod alone: pods with equal requirements share results. */
export function sharedDryRun(options: TallyDryRunOptions, memory: DryRunMemory): SharedDryRun {
  const { filters, nominator, budgets, pod, state, topology } = options;
  if (!filters.some(answersOnePod)) return rememberingDryRun(options, memory);
  const others = filters.filter((plugin) => !answersOnePod(plugin));
  return rememberingDryRun({ nominator, budgets, pod, state, filters: others, topology }, memory);
}

/** Filters with equal answers for pods with equal requirements: results are kept for all of these. */
function rememberingDryRun(options: TallyDryRunOptions, { results }: DryRunMemory): SharedDryRun {
  const { pod, budgets, nominator, topology } = options;
  const { requirements, priority } = pod;
  let last: TalliedNode | null = null;
  let dependsOnCounts = false;
  const newDryRunNode = (node: NodeInfo): TalliedNode => {
    last = new TalliedNode(options, node);
    return last;
  };
  const selection: VictimSelection = { pod, budgets, newDryRunNode };
  const ownNodes = nominator.nominatedNodesOf(pod);
  const budgetsVersion = budgets.version;
  const plan = topology?.plan ?? null;
  const isKnown = (known: KnownResult, node: NodeInfo, standing: number): boolean =>
    known.requirements === requirements &&
    known.priority === priority &&
    known.budgetsVersion === budgetsVersion &&
    known.plan === plan &&
    known.standing === standing &&
    (known.stamp === null || areEqual(known.stamp, stampOf(topology, node)));
  const recall = (known: KnownResult): Candidate | Status => {
    dependsOnCounts = known.stamp !== null;
    return known.result;
  };
  const dryRun: DryRun = (node) => {
    // The pod's own nomination is not counted on its nominated node, so that result is valid for no other pod.
    if (ownNodes.length > 0 && ownNodes.includes(node.name)) return selectVictimsOnNode(node, selection);
    const standing = topology === null ? 0 : topology.standing.of(node.slot);
    const known = results.get(node);
    if (known !== undefined) {
      const [first, second] = known;
      if (isKnown(first, node, standing)) return recall(first);
      if (second !== null && isKnown(second, node, standing)) return recall(second);
    }
    last = null;
    const result = selectVictimsOnNode(node, selection);
    const stamp = lastIsMoved(last) ? stampOf(topology, node) : null;
    const now = { budgetsVersion, requirements, priority, plan, standing, stamp, result };
    results.set(node, [now, known?.[0] ?? null]);
    return recall(now);
  };
  return { dryRun, dependsOnCounts: () => dependsOnCounts };
}

function lastIsMoved(last: TalliedNode | null): boolean {
  return last?.isMoved ?? false;
}

function stampOf(topology: TopologyTallies | null, node: NodeInfo): number[] {
  const stamp: number[] = [];
  topology?.stamp(node, stamp);
  return stamp;
}

function areEqual(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((number, i) => number === b[i]);
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

/** As `lazyDryRun`, for a dry run whose results are shared. */
export function lazySharedDryRun(podPriority: number, memory: DryRunMemory, make: () => SharedDryRun): SharedDryRun {
  let made: SharedDryRun | null = null;
  const makeOnce = (): DryRun => {
    made = make();
    return made.dryRun;
  };
  return {
    dryRun: lazyDryRun(podPriority, memory, makeOnce),
    dependsOnCounts: () => made?.dependsOnCounts() ?? false,
  };
}
