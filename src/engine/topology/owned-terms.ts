import type { PodInfo } from '../../framework/pod-info.ts';
import type { DomainCounter } from '../../memory/domain-counter.ts';
import { type AffinityTerm, affinityTermsOf, NO_TERMS } from '../../plugins/inter-pod-affinity/terms.ts';

const ROLES = ['requiredAffinity', 'requiredAntiAffinity', 'preferredAffinity', 'preferredAntiAffinity'] as const;

/** The list of a pod's terms in which a term is. */
export type TermRole = (typeof ROLES)[number];

/** A term of pods on nodes, with the number of those pods by domain. */
export interface OwnedTerm {
  readonly role: TermRole;
  readonly term: AffinityTerm;
  /** The weight of a preferred term; 0 for a required one. */
  readonly weight: number;
  readonly owners: DomainCounter;
}

/** Returns the counter of pods by domain with this key, which is made if there is none. */
export type DomainCounterOf = (
  key: string,
  multiplicity: (pod: PodInfo) => number,
  topologyKey: string,
) => DomainCounter;

/** The terms of pods on nodes, which may match other pods. A term is registered once and stays. */
export class OwnedTerms {
  readonly #counterOf: DomainCounterOf;
  readonly #terms = new Map<string, OwnedTerm>();
  readonly #list: OwnedTerm[] = [];

  constructor(counterOf: DomainCounterOf) {
    this.#counterOf = counterOf;
  }

  /** All terms; the list only grows, so that readers continue after those that they know. */
  get list(): readonly OwnedTerm[] {
    return this.#list;
  }

  /** Registers the terms of these pods anew, after all counters were dropped. */
  restart(pods: Iterable<PodInfo>): void {
    this.#terms.clear();
    this.#list.length = 0;
    for (const pod of pods) this.add(pod);
  }

  add(pod: PodInfo): void {
    const terms = affinityTermsOf(pod);
    if (terms === NO_TERMS) return;
    for (const role of ROLES) for (const term of terms[role]) this.#register(role, term);
  }

  #register(role: TermRole, term: AffinityTerm & { readonly weight?: number }): void {
    const weight = term.weight ?? 0;
    const key = `owners ${role} ${weight} ${term.key}`;
    if (this.#terms.has(key)) return;
    const isSame = (other: AffinityTerm & { readonly weight?: number }): boolean =>
      other.key === term.key && (other.weight ?? 0) === weight;
    const owners = this.#counterOf(key, (pod) => affinityTermsOf(pod)[role].filter(isSame).length, term.topologyKey);
    const owned = { role, term, weight, owners };
    this.#terms.set(key, owned);
    this.#list.push(owned);
  }
}
