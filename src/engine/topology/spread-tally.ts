import type { SpreadConstraint, SpreadViolation } from '../../framework/column-forms.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import type { DomainCounter } from '../../memory/domain-counter.ts';
import { NO_DOMAIN } from '../../memory/topology-domains.ts';
import { INT32_MAX } from './topology-rules.ts';

/** A hard constraint with the lowest counts of its domains, so that the lowest without one domain follows at once. */
export class CountedConstraint {
  readonly constraint: SpreadConstraint;
  readonly selfMatch: number;
  readonly counter: DomainCounter;
  /** The domain with the lowest count of all; NO_DOMAIN if there are none. */
  readonly #lowestDomain: number;
  readonly #lowest: number;
  readonly #second: number;
  /** Whether the constraint has too few domains, so that the lowest count is 0. */
  readonly hasFewDomains: boolean;

  constructor(constraint: SpreadConstraint, selfMatch: number, counter: DomainCounter) {
    this.constraint = constraint;
    this.selfMatch = selfMatch;
    this.counter = counter;
    this.hasFewDomains = counter.memberDomains < constraint.minDomains;
    let [lowestDomain, lowest, second] = [NO_DOMAIN, INT32_MAX, INT32_MAX];
    const { counts, members, domains } = counter;
    counts.reserve(domains.count);
    members.reserve(domains.count);
    for (let domain = 0; domain < domains.count; domain++) {
      if (members.get(domain) === 0) continue;
      const count = counts.get(domain);
      if (count < lowest) {
        second = lowest;
        lowest = count;
        lowestDomain = domain;
      } else if (count < second) second = count;
    }
    this.#lowestDomain = lowestDomain;
    this.#lowest = lowest;
    this.#second = second;
  }

  /** The lowest count of the other domains. */
  #lowestWithout(domain: number): number {
    return domain === this.#lowestDomain ? this.#second : this.#lowest;
  }

  /** Whether the constraint rejects the slot, which has `more` matching pods than were counted. */
  violation(slot: number, more: number): SpreadViolation | null {
    const { constraint, counter, selfMatch, hasFewDomains } = this;
    const domain = counter.domains.domainOf(slot);
    if (domain === NO_DOMAIN) return 'missingLabel';
    const count = counter.counts.get(domain) + more;
    const own = counter.members.get(domain) > 0 ? count : INT32_MAX;
    const lowest = hasFewDomains ? 0 : Math.min(this.#lowestWithout(domain), own);
    return count + selfMatch - lowest > constraint.maxSkew ? 'skew' : null;
  }

  /** Adds the numbers on which answers about the slot depend. */
  stamp(slot: number, out: number[]): void {
    const { counter } = this;
    const domain = counter.domains.domainOf(slot);
    if (domain === NO_DOMAIN) out.push(NO_DOMAIN);
    else {
      const flags = (counter.isMember(slot) ? 1 : 0) + (counter.members.get(domain) > 0 ? 2 : 0);
      out.push(counter.counts.get(domain), this.#lowestWithout(domain), flags + (this.hasFewDomains ? 4 : 0));
    }
  }
}

/** The counts of a node's domains as its pods go and come. */
export class SpreadTally {
  readonly #pod: PodInfo;
  readonly #slot: number;
  readonly #constraints: readonly CountedConstraint[];
  /** How many matching pods the node has more than when its domains were counted. */
  readonly #more: number[];
  isMoved = false;

  constructor(pod: PodInfo, constraints: readonly CountedConstraint[], slot: number, expected: readonly PodInfo[]) {
    this.#pod = pod;
    this.#slot = slot;
    this.#constraints = constraints;
    this.#more = constraints.map(() => 0);
    for (const other of expected) this.move(other, 1);
  }

  /** As upstream, terminating pods count here, and so do those of a selector that selects everything. */
  move(other: PodInfo, delta: number): void {
    if (other.namespace !== this.#pod.namespace) return;
    let i = 0;
    for (const { constraint, counter } of this.#constraints) {
      if (counter.isMember(this.#slot) && constraint.selector.matches(other.pod.metadata?.labels)) {
        this.#more[i] = (this.#more[i] ?? 0) + delta;
        this.isMoved = true;
      }
      i++;
    }
  }

  violation(): SpreadViolation | null {
    let i = 0;
    for (const constraint of this.#constraints) {
      const violation = constraint.violation(this.#slot, this.#more[i++] ?? 0);
      if (violation !== null) return violation;
    }
    return null;
  }
}
