import { excludedAfter } from '../../framework/runtime/framework.ts';
import type { Status } from '../../framework/status.ts';
import { assert } from '../../lib/assert.ts';
import type { PodSignature } from '../index/pod-signature.ts';
import type { TopologyPlan } from '../topology/topology-plan.ts';
import { LEFT_OUT } from '../verdicts/verdict-table.ts';
import type { AttemptFilters } from './attempt-filters.ts';
import type { FitStatuses } from './fit-statuses.ts';
import type { SlotVerdicts } from './slot-verdicts.ts';

const INFEASIBLE = 0;
/** A position behind every plugin in filter order. */
const NOWHERE = Number.POSITIVE_INFINITY;

/** Returns the rejection of the node in the slot, which has this position in snapshot order; null if there is none. */
export type StatusOf = (slot: number, position: number) => Status | null;

/** The outcome of the filters of one attempt. */
export interface FilteredSlots {
  readonly signature: PodSignature;
  /** The feasible column after all filters. */
  readonly feasible: Int32Array;
  readonly fit: FitStatuses;
  /** The position of NodeResourcesFit in filter order. */
  readonly fitPosition: number;
  /** Null if none was asked. */
  readonly attemptFilters: AttemptFilters | null;
  readonly plan: TopologyPlan | null;
  /** The rejection of the pod's own nominated node, which was filtered first. */
  readonly own: { readonly slot: number; readonly status: Status | null } | null;
  /** The verdicts on nodes where other pods are nominated. */
  readonly nominated: SlotVerdicts<Status | null>;
  readonly reach: SearchReach;
}

/** The nodes that the search has reached: `searched` of them, in snapshot order from `start` on. */
export interface SearchReach {
  readonly start: number;
  readonly searched: number;
  readonly nodeCount: number;
}

/** The status of each node: that of the plugin that comes first in filter order, of all that reject the node. */
export function slotStatuses(filtered: FilteredSlots): StatusOf {
  const { feasible, own, nominated, reach, signature, plan, attemptFilters, fit, fitPosition } = filtered;
  const { verdicts, preFilter } = signature;
  const { start, searched, nodeCount } = reach;
  const excluded = own?.status ? excludedAfter(own.status, preFilter) : preFilter.excluded;
  const isPartial = searched < nodeCount;
  const ownSlot = own?.slot;
  const hasNominated = nominated.slots.length > 0;
  return (slot, position) => {
    if (slot === ownSlot) return own?.status ?? null;
    if (feasible[slot] !== INFEASIBLE) return null;
    if (isPartial && (position - start + nodeCount) % nodeCount >= searched) return null;
    const expected = hasNominated ? nominated.at(slot) : undefined;
    if (expected !== undefined) return expected;
    const verdict = verdicts.verdict(slot);
    let first = verdict?.position === LEFT_OUT ? excluded : verdict?.status;
    let place = verdict?.position ?? NOWHERE;
    if (fitPosition < place) {
      const unfit = fit.status(slot);
      if (unfit !== null) {
        first = unfit;
        place = fitPosition;
      }
    }
    if (place === NOWHERE && attemptFilters !== null) {
      const rejection = attemptFilters.rejection(slot);
      first = rejection?.status;
      place = rejection?.position ?? NOWHERE;
    }
    if (plan !== null && place >= plan.firstPosition) {
      const misplaced = plan.rejection(slot);
      if (misplaced !== null && misplaced.position < place) return misplaced.status;
    }
    assert(first !== undefined, 'a node is infeasible, but nothing rejects it');
    return first;
  };
}
