import type { Kernels } from '../../kernels/abi.ts';
import type { Column } from '../../memory/column-table.ts';
import type { DomainCount, DomainCounter } from '../../memory/domain-counter.ts';
import { NO_DOMAIN } from '../../memory/topology-domains.ts';

/** The bounds of a count that has no bound: kernels compare 32-bit integers. */
export const INT32_MAX = 2 ** 31 - 1;
export const INT32_MIN = -(2 ** 31);

/**
 * What the bounds of a rule follow from: nothing; the fewest pods that a domain of a counter has, where no domain may
 * have `slack` more; or a group, of which there must be a pod unless none of these counters has counted any.
 */
export type RuleBound =
  | { readonly kind: 'fixed' }
  | { readonly kind: 'spread'; readonly counter: DomainCounter; readonly slack: number; readonly minDomains: number }
  | { readonly kind: 'group'; readonly counters: readonly DomainCounter[] };

/** A node is feasible while least <= count <= most in its domain; a node without a domain is if `absentFits`. */
export interface DomainRule {
  readonly count: DomainCount;
  readonly absentFits: boolean;
  /** Whether the domain must never have a counted pod. */
  readonly isExclusion: boolean;
  readonly bound: RuleBound;
  /** The bounds for the pods that are counted now. */
  least(): number;
  most(): number;
}

/** Whether the rule is fulfilled on a slot. */
export function acceptsSlot({ count, absentFits, least, most }: DomainRule, slot: number): boolean {
  const domain = count.domains.domainOf(slot);
  if (domain === NO_DOMAIN) return absentFits;
  const pods = count.countAt(slot, domain);
  return pods >= least() && pods <= most();
}

/** Clears `feasible` on the slots whose domain has less than `least` or more than `most` counted pods. */
export function filterDomains(
  kernels: Kernels,
  { domains, counts }: DomainCounter,
  { least, most, absentFits }: { readonly least: number; readonly most: number; readonly absentFits: boolean },
  feasible: Column<'i32'>,
  slots: number,
): void {
  counts.reserve(domains.count);
  const [domain, count] = [domains.column.pointer, counts.pointer];
  kernels.filterDomains(domain, count, least, most, absentFits ? -1 : 0, feasible.pointer, 0, slots);
}

/** The score of a soft spread constraint. */
export interface SpreadScore {
  readonly count: DomainCount;
  readonly maxSkew: number;
}

/** The score of a preferred term, of the pod to schedule or of a pod on a node. */
export interface AffinityScore {
  readonly count: DomainCount;
  readonly weight: number;
}

/**
 * What becomes of nodes that lack the topology key of a soft spread constraint: there are none; they are scored by the
 * other constraints, and count as one domain of this one; or they are not scored.
 */
export type Keyless = 'none' | 'scored' | 'ignored';

/** All rules and scores of a plan; the same object as long as they read the same counts. */
export interface TopologyRules {
  readonly rules: readonly DomainRule[];
  readonly spread: readonly SpreadScore[];
  readonly keyless: Keyless;
  readonly affinity: readonly AffinityScore[];
  /** What the index has found for the rules, which it alone reads. */
  kept: object | null;
}

/** Whether no counted pod rejects a node or scores one, so that the rules change nothing. */
export function isVacuous({ rules, spread, affinity }: TopologyRules): boolean {
  if (spread.length > 0 || !rules.every(({ isExclusion, count }) => isExclusion && count.pods.total === 0))
    return false;
  return affinity.every(({ count }) => count.pods.total === 0);
}
