import type { ClusterState } from '../../framework/cluster/cluster-state.ts';
import { NODE_PODS_AND_NOMINATIONS } from '../../framework/cluster/node-changes.ts';
import type { NominatedNode } from '../../framework/cluster/nominated-pods.ts';
import type { CycleState } from '../../framework/cycle-state.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import type { NodeTally } from '../../framework/node-tally.ts';
import type { PodInfo, PodRequirements } from '../../framework/pod-info.ts';
import type { TallyContext } from '../../framework/post-filter.ts';
import { type Framework, filterRejection, nominatedAhead } from '../../framework/runtime/framework.ts';
import { canRemember } from '../../framework/runtime/tallied-filters.ts';
import type { Status } from '../../framework/status.ts';
import type { NodeVerdicts } from '../verdicts/node-verdicts.ts';
import { LEFT_OUT } from '../verdicts/verdict-table.ts';
import { SlotVerdicts } from './slot-verdicts.ts';

const FEASIBLE = -1;
const INFEASIBLE = 0;

export interface OwnNomination {
  readonly node: NodeInfo;
  /** Null if the node is feasible. */
  readonly status: Status | null;
}

/** A verdict on a node, which holds while nothing that it was made from has changed. */
interface Remembered {
  readonly node: NodeInfo;
  readonly generation: number;
  readonly requirements: PodRequirements;
  readonly priority: number;
  readonly status: Status | null;
}

/** The pod of an attempt, as filters are asked about it. */
export interface JudgedPod {
  readonly verdicts: NodeVerdicts;
  /** Whether PreFilter has left only some nodes. */
  readonly isLimited: boolean;
  /** Null if the filters must be asked on copies of nodes. */
  tallied(): TallyContext | null;
  /** The PreFilter state of all plugins. */
  judged(): CycleState;
}

/** The verdicts on nodes where other pods are nominated, for one attempt. */
export interface NominatedVerdicts {
  readonly verdicts: SlotVerdicts<Status | null>;
  /**
   * A number that is the same as long as the verdicts are kept and only follow the changes of nodes, of their pods and
   * of nominations; 0 if they hold for this attempt alone.
   */
  readonly epoch: number;
}

/** The verdicts for pods with equal requirements and this priority, and their place in the feed of changes. */
interface KeptVerdicts extends NominatedVerdicts {
  readonly priority: number;
  /** 0 before the first attempt. */
  epoch: number;
  cursor: number;
}

/** The most sets of verdicts. Each has numbers for all slots, of 24 bytes: 12 MiB for the most slots of all sets. */
const MOST_KEPT = 256;
const MOST_KEPT_SLOTS = 2 ** 19;

export const NOTHING_NOMINATED: NominatedVerdicts = { verdicts: new SlotVerdicts(), epoch: 0 };

/** How all nominated nodes are judged. */
interface JudgedAll {
  readonly canKnow: boolean;
  readonly ownNodes: readonly string[];
  /** Receives the verdicts. */
  readonly verdicts: SlotVerdicts<Status | null>;
}

/**
 * Filters the nodes of which the columns do not know enough: those where other pods are nominated, and the pod's own
 * nominated node.
 */
export class NominatedNodes {
  readonly #framework: Framework;
  readonly #cluster: ClusterState;
  /** What is kept for pods without a nomination of their own, by their requirements; what was used last is last. */
  readonly #kept = new Map<PodRequirements, KeptVerdicts>();
  #epoch = 0;
  /** The verdicts of an attempt that holds for no other one. */
  readonly #passing = new SlotVerdicts<Status | null>();
  /** The last verdict by slot. Many equal pods are nominated one after the other, and each changes one node. */
  readonly #memory: (Remembered | undefined)[] = [];
  /** The rejections by their text, so that equal ones are one object. */
  readonly #statuses = new Map<string, Status>();

  constructor(framework: Framework, cluster: ClusterState) {
    this.#framework = framework;
    this.#cluster = cluster;
  }

  /** Filters the pod's own nominated node; returns null if it has none that exists, or if a filter failed there. */
  own({ tallied, judged }: JudgedPod, pod: PodInfo): OwnNomination | null {
    if (pod.nominatedNodeName === '') return null;
    const node = this.#cluster.node(pod.nominatedNodeName);
    if (node === undefined) return null;
    const ahead = nominatedAhead(this.#cluster.nominatedPodsForNode(node.name), pod);
    const status = this.#status(tallied(), judged, pod, node, ahead);
    return status?.code === 'Error' ? null : { node, status };
  }

  /** Judges all nodes where pods of equal or higher priority are nominated; a verdict of null is a feasible node. */
  judge(judgedPod: JudgedPod, pod: PodInfo): NominatedVerdicts {
    const ownNodes = this.#cluster.nominatedNodesOf(pod);
    // What depends on pods of other nodes holds for no other attempt.
    const context = judgedPod.tallied();
    const canKnow = context !== null && context.topology === null && canRemember(context.filters);
    if (canKnow && ownNodes.length === 0 && !judgedPod.isLimited) {
      return this.#caughtUp(context, judgedPod, pod);
    }
    this.#passing.clear();
    this.#judgeAll(context, judgedPod, pod, { canKnow, ownNodes, verdicts: this.#passing });
    return { verdicts: this.#passing, epoch: 0 };
  }

  /** The kept verdicts, brought up to date, or made anew if they are too old or those of another priority. */
  #caughtUp(context: TallyContext, judgedPod: JudgedPod, pod: PodInfo): KeptVerdicts {
    const { changes } = this.#cluster;
    const kept = this.#keptFor(pod);
    const changed = kept.epoch === 0 ? null : changes.since(kept.cursor, NODE_PODS_AND_NOMINATIONS);
    kept.cursor = changes.end;
    const { verdicts } = kept;
    if (changed === null) {
      kept.epoch = ++this.#epoch;
      verdicts.clear();
      this.#judgeAll(context, judgedPod, pod, { canKnow: true, ownNodes: [], verdicts });
      return kept;
    }
    for (const slot of changed) {
      const node = this.#cluster.nodeAt(slot);
      const ahead = node === undefined ? [] : nominatedAhead(this.#cluster.nominatedPodsForNode(node.name), pod);
      if (node === undefined || ahead.length === 0) verdicts.delete(slot);
      else verdicts.set(slot, this.#interned(this.#status(context, judgedPod.judged, pod, node, ahead)));
    }
    return kept;
  }

  /** What an `LruMap` would return, but that its limit would not follow the number of slots. */
  #keptFor({ requirements, priority }: PodInfo): KeptVerdicts {
    let kept = this.#kept.get(requirements);
    this.#kept.delete(requirements);
    if (kept?.priority !== priority) kept = { priority, verdicts: new SlotVerdicts(), cursor: 0, epoch: 0 };
    this.#kept.set(requirements, kept);
    const most = Math.min(MOST_KEPT, MOST_KEPT_SLOTS / this.#cluster.slotCount);
    if (this.#kept.size > Math.max(1, most)) this.#kept.delete(this.#kept.keys().next().value as PodRequirements);
    return kept;
  }

  #judgeAll(
    context: TallyContext | null,
    { judged, verdicts: nodeVerdicts }: JudgedPod,
    pod: PodInfo,
    { canKnow, ownNodes, verdicts }: JudgedAll,
  ): void {
    for (const expected of this.#cluster.nominations()) {
      const node = this.#nodeOf(expected);
      if (node === undefined) continue;
      // A pod's own nomination does not count against it, so that the verdict there holds for no other pod.
      const isOwn = ownNodes.length > 0 && ownNodes.includes(expected.name);
      const known = isOwn || !canKnow ? undefined : this.#remembered(node, pod);
      if (known !== undefined) {
        verdicts.set(node.slot, known.status);
        continue;
      }
      const ahead = nominatedAhead(expected.pods, pod);
      if (ahead.length === 0) continue;
      // Filters are not called for a node that PreFilter excluded.
      if (nodeVerdicts.verdict(node.slot)?.position === LEFT_OUT) continue;
      const interned = this.#interned(this.#status(context, judged, pod, node, ahead));
      verdicts.set(node.slot, interned);
      if (canKnow && ahead.length === expected.pods.length) this.#remember(node, pod, interned);
    }
  }

  /** Returns the node that was found last time if it still exists; otherwise looks it up by name. */
  #nodeOf(expected: NominatedNode): NodeInfo | undefined {
    const { node: known, name } = expected;
    if (known !== null && this.#cluster.nodeAt(known.slot) === known) return known;
    const node = this.#cluster.node(name);
    expected.node = node ?? null;
    return node;
  }

  #remembered(node: NodeInfo, pod: PodInfo): Remembered | undefined {
    const known = this.#memory[node.slot];
    if (known === undefined || known.node !== node || known.generation !== node.generation) return undefined;
    return known.priority === pod.priority && known.requirements === pod.requirements ? known : undefined;
  }

  #remember(node: NodeInfo, pod: PodInfo, status: Status | null): void {
    const { requirements, priority } = pod;
    this.#memory[node.slot] = { node, generation: node.generation, requirements, priority, status };
  }

  #status(
    context: TallyContext | null,
    judged: () => CycleState,
    pod: PodInfo,
    node: NodeInfo,
    ahead: readonly PodInfo[],
  ): Status | null {
    if (context !== null) return this.#byTallies(context, pod, node, ahead);
    const state = judged();
    const active = this.#framework.activeFilters(state);
    return this.#framework.runFilterWithNominatedPods(active, state, pod, node, this.#cluster);
  }

  /** Filters without a copy of the node. */
  #byTallies(
    { filters, state, topology }: TallyContext,
    pod: PodInfo,
    node: NodeInfo,
    ahead: readonly PodInfo[],
  ): Status | null {
    const trace = this.#framework.activeTrace.trace?.atNode() ?? null;
    const tallies: NodeTally[] = [];
    for (const plugin of filters) {
      trace?.startPlugin('filter', plugin.name, node.name);
      const tally = plugin.tally?.(state, pod, node, ahead) ?? null;
      const status = tally === null ? plugin.filter(state, pod, node) : tally.rejection();
      trace?.end(status?.code);
      if (status !== null) return filterRejection(status);
      if (tally !== null) tallies.push(tally);
    }
    for (const tally of topology?.of(node, ahead) ?? []) {
      const status = tally.rejection();
      if (status !== null) return filterRejection(status);
      tallies.push(tally);
    }
    // Without the expected pods all filters are asked once more.
    for (const tally of tallies) {
      const status = tally.rejectionAlone?.() ?? null;
      if (status !== null) return filterRejection(status);
    }
    return null;
  }

  #interned(status: Status | null): Status | null {
    if (status === null) return null;
    const key = JSON.stringify(status);
    const known = this.#statuses.get(key);
    if (known === undefined) this.#statuses.set(key, status);
    return known ?? status;
  }
}

/**
 * Writes the verdicts into a column of feasible nodes, of which there are `count`; returns how many more it has then.
 * While there are none, only verdicts that accept a node change anything, and the column is not asked for without one.
 */
export function replaceVerdicts(
  column: () => Int32Array,
  count: number,
  verdicts: SlotVerdicts<Status | null>,
): number {
  if (count === 0 ? verdicts.nullCount === 0 : verdicts.slots.length === 0) return 0;
  const feasible = column();
  let gained = 0;
  for (const slot of verdicts.slots) {
    const isFeasible = verdicts.at(slot) === null;
    if (feasible[slot] !== INFEASIBLE) gained--;
    if (isFeasible) gained++;
    feasible[slot] = isFeasible ? FEASIBLE : INFEASIBLE;
  }
  return gained;
}
