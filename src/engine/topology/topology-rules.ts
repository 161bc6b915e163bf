import type { DomainCounter, PodCounter } from '../../memory/domain-counter.ts';
import { NO_DOMAIN, type TopologyDomains } from '../../memory/topology-domains.ts';

/** A count of pods by domain, as rules and scores read it. */
export interface DomainCount {
  readonly domains: TopologyDomains;
  /** Whose change changes the count on a node. */
  readonly pods: PodCounter;
  /** Counts differ between nodes of one domain. */
  readonly isByNode: boolean;
  /** `domain` is that of the slot. */
  countAt(slot: number, domain: number): number;
}

/** A node is feasible while least <= count <= most in its domain; without a domain if `absentFits`. */
export interface DomainRule {
  readonly count: DomainCount;
  readonly absentFits: boolean;
  /** No pod at all may be in the domain, now and always. */
  readonly isExclusion: boolean;
  /** As things stand now. */
  least(): number;
  most(): number;
}

/** A soft spread constraint. */
export interface SpreadScore {
  readonly count: DomainCount;
  readonly maxSkew: number;
}

/** A preferred term, the pod's own or that of a pod on a node. */
export interface AffinityScore {
  readonly count: DomainCount;
  readonly weight: number;
}

/** All that a plan has to say of a pod; the same object as long as it speaks of the same counts. */
export interface TopologyRules {
  readonly rules: readonly DomainRule[];
  readonly spread: readonly SpreadScore[];
  readonly affinity: readonly AffinityScore[];
}

const counts = new WeakMap<DomainCounter, DomainCount>();

/** The same object for the same counter. */
export function countOf(counter: DomainCounter): DomainCount {
  let count = counts.get(counter);
  if (count === undefined) {
    count = {
      domains: counter.domains,
      pods: counter.pods,
      isByNode: false,
      countAt: (_slot, domain) => (domain === NO_DOMAIN ? 0 : counter.counts.get(domain)),
    };
    counts.set(counter, count);
  }
  return count;
}

const perNode = new WeakMap<PodCounter, DomainCount>();

/** Pods node by node: how soft constraints count by hostname. */
export function countPerNode(pods: PodCounter, domains: TopologyDomains): DomainCount {
  let count = perNode.get(pods);
  if (count === undefined) {
    count = { domains, pods, isByNode: true, countAt: (slot) => pods.on(slot) };
    perNode.set(pods, count);
  }
  return count;
}
