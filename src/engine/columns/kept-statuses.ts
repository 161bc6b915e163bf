import type { ClusterState } from '../../framework/cluster/cluster-state.ts';
import { NODE_AND_PODS } from '../../framework/cluster/node-changes.ts';
import type { Framework } from '../../framework/runtime/framework.ts';
import type { Column } from '../../memory/column-table.ts';
import { groupsOf, SlotGroups } from '../cycle/node-statuses.ts';
import type { PodSignature } from '../index/pod-signature.ts';
import type { TopologyPlan } from '../topology/topology-plan.ts';
import type { FitStatuses } from './fit-statuses.ts';
import type { Shortages } from './shortages.ts';
import { type StatusOf, slotStatuses } from './slot-statuses.ts';
import { SlotVerdicts } from './slot-verdicts.ts';

/** The share of changed slots above which computing all of them is faster. */
const RESTART_SHARE = 1 / 8;
const INFEASIBLE = 0;
const NOTHING_NOMINATED = new SlotVerdicts<null>();

/**
 * Why the nodes do not fit the pods of one signature, by its verdicts and the resources alone, kept from attempt to
 * attempt: pods of which none fits anywhere often come in a row, and between two of them few nodes change.
 */
export class KeptStatuses {
  readonly fit: FitStatuses;
  readonly #cluster: ClusterState;
  readonly #shortageKernels: Shortages;
  readonly #fitPosition: number;
  readonly #signature: PodSignature;
  readonly #shortages: Uint8Array[];
  #groups: SlotGroups = new SlotGroups(0);
  #cursor = -1;

  /** `fitPosition`: the position of NodeResourcesFit in filter order. */
  constructor(cluster: ClusterState, shortages: Shortages, fitPosition: number, signature: PodSignature) {
    this.#cluster = cluster;
    this.#shortageKernels = shortages;
    this.#fitPosition = fitPosition;
    this.#signature = signature;
    this.#shortages = shortages.of(signature, 0);
    this.fit = shortages.statuses(signature, this.#shortages);
  }

  /**
   * Returns a copy of the statuses as of now. `feasible` is the signature's column of nodes that its verdicts and
   * resources accept.
   */
  current(feasible: Int32Array, slotCount: number): SlotGroups {
    const { changes } = this.#cluster;
    const isLong = this.#groups.slotCount >= slotCount;
    const changed =
      this.#cursor < 0 || !isLong ? null : changes.since(this.#cursor, NODE_AND_PODS, slotCount * RESTART_SHARE);
    const statusOf = this.#statusOf(feasible);
    if (changed === null) this.#restart(slotCount, statusOf);
    else for (const slot of changed) this.#renew(slot, statusOf);
    this.#cursor = changes.end;
    return new SlotGroups(slotCount, this.#groups);
  }

  #restart(slotCount: number, statusOf: StatusOf): void {
    this.#shortageKernels.of(this.#signature, slotCount).forEach((answers, i) => {
      this.#shortages[i] = answers;
    });
    this.#groups = groupsOf(this.#cluster.snapshotOrder(), slotCount, statusOf);
  }

  #renew(slot: number, statusOf: StatusOf): void {
    const isThere = this.#cluster.nodeAt(slot) !== undefined;
    if (isThere) this.#shortageKernels.renew(this.#signature, slot, this.#shortages);
    this.#groups.set(slot, isThere ? statusOf(slot, 0) : null);
  }

  #statusOf(feasible: Int32Array): StatusOf {
    const { nodeCount } = this.#cluster;
    return slotStatuses({
      signature: this.#signature,
      feasible,
      fit: this.fit,
      fitPosition: this.#fitPosition,
      attemptFilters: null,
      plan: null,
      own: null,
      nominated: NOTHING_NOMINATED,
      reach: { start: 0, searched: nodeCount, nodeCount },
    });
  }
}

/** Sets the statuses of the slots that later filters have rejected: `now` has fewer feasible slots than `before`. */
export function addRejections(
  groups: SlotGroups,
  { values: before }: Column<'i32'>,
  { values: now }: Column<'i32'>,
  statusOf: StatusOf,
): void {
  for (let slot = 0; slot < groups.slotCount; slot++) {
    if (before[slot] !== INFEASIBLE && now[slot] === INFEASIBLE) groups.set(slot, statusOf(slot, 0));
  }
}

/**
 * Whether statuses can be kept for the signature: no filter that they stand for comes after those of the plan, and
 * PreFilter leaves all nodes.
 */
export function canKeepStatuses(
  { filterPlugins }: Framework,
  { state, attemptFilters, preFilter }: PodSignature,
  plan: TopologyPlan | null,
): boolean {
  if (preFilter.rejected !== null || preFilter.nodeNames !== null) return false;
  if (plan === null) return true;
  return !filterPlugins
    .slice(plan.firstPosition)
    .some(({ name, topology }) => topology === undefined && !attemptFilters.has(name) && !state.skipFilter.has(name));
}
