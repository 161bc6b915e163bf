import type { Kernels } from '../../kernels/abi.ts';
import { memoized } from '../../lib/memoized.ts';
import type { Column } from '../../memory/column-table.ts';
import type { DomainCounter, PodCounter } from '../../memory/domain-counter.ts';
import type { SharedVector } from '../../memory/shared-vector.ts';
import { NO_DOMAIN, type TopologyDomains } from '../../memory/topology-domains.ts';

/** The bounds of a count that has no bound: kernels compare 32-bit integers. */
export const INT32_MAX = 2 ** 31 - 1;
export const INT32_MIN = -(2 ** 31);

/** A count of pods by domain, which rules and scores read. */
export interface DomainCount {
  readonly domains: TopologyDomains;
  /** The counter of pods on nodes from which the count follows. */
  readonly pods: PodCounter;
  /** The counts by domain; null if they are those of `pods`, by node. */
  readonly counts: SharedVector | null;
  /** Whether counts differ between nodes of one domain. */
  readonly isByNode: boolean;
  /** `domain` is the domain of the slot. */
  countAt(slot: number, domain: number): number;
}

/** A node is feasible while least <= count <= most in its domain; a node without a domain is if `absentFits`. */
export interface DomainRule {
  readonly count: DomainCount;
  readonly absentFits: boolean;
  /** Whether the domain must never have a counted pod. */
  readonly isExclusion: boolean;
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

/** All rules and scores of a plan; the same object as long as they read the same counts. */
export interface TopologyRules {
  readonly rules: readonly DomainRule[];
  readonly spread: readonly SpreadScore[];
  readonly affinity: readonly AffinityScore[];
}

/** The count of a counter; the same object for the same counter. */
export const countOf = memoized(
  (counter: DomainCounter): DomainCount => ({
    domains: counter.domains,
    pods: counter.pods,
    counts: counter.counts,
    isByNode: false,
    countAt: (_slot, domain) => (domain === NO_DOMAIN ? 0 : counter.counts.get(domain)),
  }),
);

const perNode = new WeakMap<PodCounter, DomainCount>();

/** The count of soft constraints by hostname, which is node by node; the same object for the same counter. */
export function countPerNode(pods: PodCounter, domains: TopologyDomains): DomainCount {
  let count = perNode.get(pods);
  if (count === undefined) {
    count = { domains, pods, counts: null, isByNode: true, countAt: (slot) => pods.on(slot) };
    perNode.set(pods, count);
  }
  return count;
}
