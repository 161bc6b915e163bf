import type { PodInfo } from '../../framework/pod-info.ts';
import type { DomainCounter } from '../../memory/domain-counter.ts';
import { type AffinityTerm, affinityTermsOf, NO_TERMS } from '../../plugins/inter-pod-affinity/terms.ts';

/** In which of its lists a pod brings a term. */
export type TermRole = 'requiredAffinity' | 'requiredAntiAffinity' | 'preferredAffinity' | 'preferredAntiAffinity';

const ROLES: readonly TermRole[] = [
  'requiredAffinity',
  'requiredAntiAffinity',
  'preferredAffinity',
  'preferredAntiAffinity',
];

/** A term that pods on nodes bring, with the number of those pods by domain. */
export interface OwnedTerm {
  readonly role: TermRole;
  readonly term: AffinityTerm;
  /** Of preferred terms; 0 for required ones. */
  readonly weight: number;
  readonly owners: DomainCounter;
}

/** Makes, or finds, the counter of pods by domain under this key. */
export type DomainCounterOf = (
  key: string,
  multiplicity: (pod: PodInfo) => number,
  topologyKey: string,
) => DomainCounter;

/** Terms of the pods on nodes: they decide about other pods too. A term is registered once and stays. */
export class OwnedTerms {
  readonly #counterOf: DomainCounterOf;
  readonly #terms = new Map<string, OwnedTerm>();
  readonly #list: OwnedTerm[] = [];

  constructor(counterOf: DomainCounterOf) {
    this.#counterOf = counterOf;
  }

  /** Grows only: who has seen the first n needs to look at the rest. */
  get list(): readonly OwnedTerm[] {
    return this.#list;
  }

  /** After the counters were given up: the terms of these pods are looked at anew. */
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
