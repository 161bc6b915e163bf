import type { ClusterState } from '../../framework/cluster/cluster-state.ts';
import type { NominatedNode } from '../../framework/cluster/nominated-pods.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import type { FilterPlugin } from '../../framework/plugin.ts';
import type { PodInfo, PodRequirements } from '../../framework/pod-info.ts';
import { type Framework, filterRejection, nominatedAhead } from '../../framework/runtime/framework.ts';
import { canRemember, canTally } from '../../framework/runtime/tallied-filters.ts';
import type { Status } from '../../framework/status.ts';
import type { PodSignature } from '../index/pod-signature.ts';
import { LEFT_OUT } from '../verdicts/verdict-table.ts';
import type { SlotVerdicts } from './slot-verdicts.ts';

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

/** The filters that are called for a pod. */
interface ActiveFilters {
  readonly active: readonly FilterPlugin[];
  /** Whether the filters can count nominated pods by tallies, without a copy of the node. */
  readonly canTally: boolean;
  /** Whether their verdict, made by tallies, holds for all pods with equal requirements. */
  readonly canRemember: boolean;
}

/**
 * Filters the nodes of which the columns do not know enough: those where other pods are nominated, and the pod's own
 * nominated node. `judge` returns the pod's signature with a PreFilter state of all plugins.
 */
export class NominatedNodes {
  readonly #framework: Framework;
  readonly #cluster: ClusterState;
  /** The last verdict by slot. Many equal pods are nominated one after the other, and each changes one node. */
  readonly #memory: (Remembered | undefined)[] = [];
  /** The rejections by their text, so that equal ones are one object. */
  readonly #statuses = new Map<string, Status>();

  constructor(framework: Framework, cluster: ClusterState) {
    this.#framework = framework;
    this.#cluster = cluster;
  }

  /** Filters the pod's own nominated node; returns null if it has none that exists, or if a filter failed there. */
  own(judge: () => PodSignature, pod: PodInfo): OwnNomination | null {
    if (pod.nominatedNodeName === '') return null;
    const node = this.#cluster.node(pod.nominatedNodeName);
    if (node === undefined) return null;
    const { state } = judge();
    const active = this.#framework.activeFilters(state);
    const status = this.#framework.runFilterWithNominatedPods(active, state, pod, node, this.#cluster);
    return status?.code === 'Error' ? null : { node, status };
  }

  /** Sets the verdict, null for a feasible node, on every node where pods of equal or higher priority are nominated. */
  judge(judge: () => PodSignature, pod: PodInfo, verdicts: SlotVerdicts<Status | null>): void {
    const ownNodes = this.#cluster.nominatedNodesOf(pod);
    let filters: ActiveFilters | null = null;
    for (const expected of this.#cluster.nominations()) {
      const node = this.#nodeOf(expected);
      if (node === undefined) continue;
      // A pod's own nomination does not count against it, so that the verdict there holds for no other pod.
      const isOwn = ownNodes.length > 0 && ownNodes.includes(expected.name);
      const known = isOwn ? undefined : this.#remembered(node, pod);
      if (known !== undefined) {
        // Unlike another pod with these requirements, this one may have filters that cannot tally.
        filters ??= this.#activeFilters(judge());
        if (filters.canRemember) {
          verdicts.set(node.slot, known.status);
          continue;
        }
      }
      const ahead = nominatedAhead(expected.pods, pod);
      if (ahead.length === 0) continue;
      const { state, verdicts: nodeVerdicts } = judge();
      // Filters are not called for a node that PreFilter excluded.
      if (nodeVerdicts.verdict(node.slot)?.position === LEFT_OUT) continue;
      filters ??= this.#activeFilters(judge());
      const { active } = filters;
      const status = filters.canTally
        ? this.#byTallies(active, state, pod, node, ahead)
        : this.#framework.runFilterWithNominatedPods(active, state, pod, node, this.#cluster);
      const interned = this.#interned(status);
      verdicts.set(node.slot, interned);
      if (filters.canRemember && ahead.length === expected.pods.length) this.#remember(node, pod, interned);
    }
  }

  #activeFilters({ state }: PodSignature): ActiveFilters {
    const active = this.#framework.activeFilters(state);
    const tallies = canTally(active);
    return { active, canTally: tallies, canRemember: tallies && canRemember(active) };
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

  /** Filters without a copy of the node, in one pass: what fits beside the nominated pods fits without them, too. */
  #byTallies(
    active: readonly FilterPlugin[],
    state: PodSignature['state'],
    pod: PodInfo,
    node: NodeInfo,
    ahead: readonly PodInfo[],
  ): Status | null {
    const trace = this.#framework.activeTrace.trace?.atNode() ?? null;
    for (const plugin of active) {
      trace?.startPlugin('filter', plugin.name, node.name);
      const tally = plugin.tally?.(state, pod, node, ahead) ?? null;
      const status = tally === null ? plugin.filter(state, pod, node) : tally.rejection();
      trace?.end(status?.code);
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
