import type { ClusterState } from '../../framework/cluster/cluster-state.ts';
import { NODE_PODS_AND_NOMINATIONS } from '../../framework/cluster/node-changes.ts';
import { fitErrorMessage } from '../../framework/fit-error.ts';
import type { FilterPlugin } from '../../framework/plugin.ts';
import type { Framework } from '../../framework/runtime/framework.ts';
import type { Status } from '../../framework/status.ts';
import type { Column } from '../../memory/column-table.ts';
import { groupsOf, NodeStatuses, type SetStatus, SlotGroups } from '../cycle/node-statuses.ts';
import type { PodSignature } from '../index/pod-signature.ts';
import type { TopologyPlan } from '../topology/topology-plan.ts';
import { alikeSlots } from './alike-slots.ts';
import type { FitStatuses } from './fit-statuses.ts';
import { NOTHING_NOMINATED, type NominatedVerdicts, type OwnNomination } from './nominated-nodes.ts';
import type { Shortages } from './shortages.ts';
import { type StatusOf, slotStatuses } from './slot-statuses.ts';

/** The share of changed slots above which computing all of them is faster, unless they are few. */
const RESTART_SHARE = 1 / 8;
const FEW_SLOTS = 4;
const INFEASIBLE = 0;

/** Sets the statuses of the slots about which an attempt knows more, each once. */
export type Correction = (set: SetStatus) => void;

interface Said {
  readonly nodeCount: number;
  readonly groups: SlotGroups | null;
  /** The number of slots in each group. */
  readonly counts: readonly number[];
  readonly more: ReadonlyMap<Status, number>;
  readonly text: string;
}

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
  /** The statuses corrected by the kept verdicts on nominated nodes; null if there are none. */
  #corrected: SlotGroups | null = null;
  /** The epoch of these verdicts. */
  #epoch = 0;
  #cursor = -1;
  /** The last text, which those that say the same share, and the numbers in it. */
  #said: Said = { nodeCount: -1, groups: null, counts: [], more: new Map(), text: '' };

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
   * Brings the statuses up to date. `feasible` is the signature's column of nodes that its verdicts and resources
   * accept; `nominated` are the verdicts where other pods are nominated.
   */
  sync(feasible: Int32Array, slotCount: number, nominated: NominatedVerdicts): void {
    const { changes } = this.#cluster;
    const isLong = this.#groups.slotCount >= slotCount;
    const most = Math.max(slotCount * RESTART_SHARE, FEW_SLOTS);
    const since = this.#cursor < 0 || !isLong ? null : changes.since(this.#cursor, NODE_PODS_AND_NOMINATIONS, most);
    this.#cursor = changes.end;
    const statusOf = this.#statusOf(feasible);
    if (since === null) this.#restart(slotCount, statusOf);
    else for (const slot of since) this.#renew(slot, statusOf);
    this.#correct(since, slotCount, nominated);
  }

  /** Corrects the statuses by kept verdicts on nominated nodes, which have changed only for the slots in `since`. */
  #correct(since: Iterable<number> | null, slotCount: number, { verdicts, epoch }: NominatedVerdicts): void {
    const isKept = since !== null && this.#corrected !== null && epoch === this.#epoch;
    this.#epoch = epoch;
    if (epoch === 0) {
      this.#corrected = null;
    } else if (this.#corrected !== null && isKept) {
      for (const slot of since) {
        const verdict = verdicts.at(slot);
        this.#corrected.set(slot, verdict === undefined ? this.#groups.status(slot) : verdict);
      }
    } else {
      this.#corrected = new SlotGroups(slotCount, this.#groups);
      for (const slot of verdicts.slots) this.#corrected.set(slot, verdicts.at(slot) ?? null);
    }
  }

  /** Returns a copy of the statuses, corrected for one attempt. */
  groups(slotCount: number, correct: Correction | null): SlotGroups {
    const groups = new SlotGroups(slotCount, this.current);
    correct?.((slot, status) => groups.set(slot, status));
    return groups;
  }

  /** The number of nodes by reason, corrected for one attempt. */
  reasonCounts(correct: Correction | null): Map<string, number> {
    return this.current.reasonCountsWith(correct);
  }

  /** As `reasonCounts`, with so many more nodes that have these statuses. */
  reasonCountsAnd(more: ReadonlyMap<Status, number>): Map<string, number> {
    const counts = this.reasonCounts(null);
    for (const [{ reasons }, nodeCount] of more) {
      for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + nodeCount);
    }
    return counts;
  }

  /** The statuses themselves, which the next call of `sync` changes. */
  get current(): SlotGroups {
    return this.#corrected ?? this.#groups;
  }

  /** The statuses by node. */
  nodeStatuses(groups: SlotGroups): NodeStatuses {
    return new NodeStatuses(this.#cluster, this.#cluster.snapshotOrder(), groups, this.#cluster);
  }

  /** The text of the event for a pod that no node fits; `more` as for `reasonCountsAnd`. */
  text(more: ReadonlyMap<Status, number>): string {
    const { nodeCount } = this.#cluster;
    const groups = this.current;
    const said = this.#said;
    const isSaid = nodeCount === said.nodeCount && groups === said.groups && areEqual(more, said.more);
    if (isSaid && groups.hasCounts(said.counts)) return said.text;
    const text = fitErrorMessage(nodeCount, this.reasonCountsAnd(more));
    this.#said = { nodeCount, groups, counts: groups.counts(), more, text };
    return text;
  }

  #restart(slotCount: number, statusOf: StatusOf): void {
    const { verdicts } = this.#signature;
    this.#shortageKernels.renewAll(this.#signature, slotCount, this.#shortages);
    const alike = alikeSlots(verdicts.ids.values, verdicts.idCount, this.#shortages, slotCount);
    this.#groups = groupsOf(this.#cluster.snapshotOrder(), slotCount, statusOf, alike);
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
      nominated: NOTHING_NOMINATED.verdicts,
      reach: { start: 0, searched: nodeCount, nodeCount },
    });
  }
}

function areEqual<K>(a: ReadonlyMap<K, number>, b: ReadonlyMap<K, number>): boolean {
  if (a === b) return true;
  if (a.size !== b.size) return false;
  for (const [key, count] of a) if (b.get(key) !== count) return false;
  return true;
}

/**
 * Corrects the statuses that are kept for a signature by what only this attempt knows: filters of this attempt have
 * rejected some slots of `before`, which have gone from `now`, and nominated pods change the verdicts on others, unless
 * these verdicts are kept, too. Returns null if there is nothing to correct.
 */
export function correction(
  { values: before }: Column<'i32'>,
  { values: now }: Column<'i32'>,
  slotCount: number,
  { own, nominated, filtered, statusOf: lookUp }: Corrected,
): Correction | null {
  const nominatedSlots = nominated.epoch === 0 ? nominated.verdicts.slots : NO_SLOTS;
  if (own === null && filtered?.length === 0 && nominatedSlots.length === 0) return null;
  const correct: Correction = (set) => {
    if (filtered?.length !== 0 || nominatedSlots.length > 0) {
      const statusOf = lookUp();
      const correctSlot = (slot: number): void => {
        if (before[slot] !== INFEASIBLE && now[slot] === INFEASIBLE) set(slot, statusOf(slot, 0));
      };
      if (filtered === null) for (let slot = 0; slot < slotCount; slot++) correctSlot(slot);
      else for (const slot of filtered) correctSlot(slot);
      for (const slot of nominatedSlots) set(slot, statusOf(slot, 0));
    }
    if (own !== null) set(own.node.slot, own.status);
  };
  return own === null && nominatedSlots.length === 0 ? correct : eachSlotOnce(correct);
}

/** Sets the last status of each slot. */
function eachSlotOnce(correct: Correction): Correction {
  return (set) => {
    const statuses = new Map<number, Status | null>();
    correct((slot, status) => statuses.set(slot, status));
    for (const [slot, status] of statuses) set(slot, status);
  };
}

const NO_SLOTS: readonly number[] = [];

interface Corrected {
  /** The pod's own nominated node. */
  readonly own: OwnNomination | null;
  /** The verdicts where other pods are nominated. */
  readonly nominated: NominatedVerdicts;
  /** The slots that this attempt has rejected by more than what is kept and what is nominated; null for any. */
  readonly filtered: readonly number[] | null;
  readonly statusOf: () => StatusOf;
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
  for (let i = plan.firstPosition; i < filterPlugins.length; i++) {
    const { name, topology } = filterPlugins[i] as FilterPlugin;
    if (topology === undefined && !attemptFilters.has(name) && !state.skipFilter.has(name)) return false;
  }
  return true;
}
