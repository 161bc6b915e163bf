import type { Labels } from '../../api/meta.ts';
import { topologyValue } from '../../api/topology-spread.ts';
import type { AffinityViolation } from '../../framework/column-forms.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import type { DomainCounter } from '../../memory/domain-counter.ts';
import { NO_DOMAIN } from '../../memory/topology-domains.ts';
import { type AffinityTerm, affinityTermsOf, termMatches } from '../../plugins/inter-pod-affinity/terms.ts';

/** A required term with the counter of the pods that it concerns. */
export interface CountedTerm {
  readonly term: AffinityTerm;
  readonly counter: DomainCounter;
}

/** The required terms that concern a pod: its own, and those of pods on nodes. */
export interface CountedTerms {
  readonly pod: PodInfo;
  /** A number that changes with the list of terms. */
  readonly version: number;
  readonly namespaceLabels: Labels | undefined;
  readonly matchesItself: boolean;
  /** The counters count the pods that match all affinity terms at once. */
  readonly affinity: readonly CountedTerm[];
  readonly antiAffinity: readonly CountedTerm[];
  readonly existingAntiAffinity: readonly CountedTerm[];
}

/** Whether the terms can reject a node; otherwise the plugin is skipped, also for pods that are expected on nodes. */
export function areActive({ affinity, antiAffinity, existingAntiAffinity }: CountedTerms): boolean {
  return affinity.length + antiAffinity.length > 0 || existingAntiAffinity.some(({ counter }) => counter.total > 0);
}

/** Adds the numbers on which answers about the slot depend. */
export function stampTerms(terms: CountedTerms, slot: number, out: number[]): void {
  out.push(areActive(terms) ? 1 : 0, terms.version);
  for (const { counter } of terms.affinity) out.push(countAt(counter, slot), counter.total);
  for (const { counter } of terms.antiAffinity) out.push(countAt(counter, slot));
  for (const { counter } of terms.existingAntiAffinity) out.push(countAt(counter, slot));
}

/** The violation of the slot by the pods that are counted. */
export function standingViolation(terms: CountedTerms, slot: number): AffinityViolation | null {
  if (!satisfiesAffinity(terms, slot, 0)) return 'affinity';
  for (const { counter } of terms.antiAffinity) if (countAt(counter, slot) > 0) return 'antiAffinity';
  for (const { counter } of terms.existingAntiAffinity) if (countAt(counter, slot) > 0) return 'existingAntiAffinity';
  return null;
}

/** `more`: how many more pods of the node match all affinity terms than were counted. */
function satisfiesAffinity({ affinity, matchesItself }: CountedTerms, slot: number, more: number): boolean {
  let allHavePods = true;
  let isFirst = matchesItself;
  for (const { counter } of affinity) {
    const base = countAt(counter, slot);
    if (base < 0) return false;
    if (base + more <= 0) allHavePods = false;
    if (counter.total + more !== 0) isFirst = false;
  }
  return allHavePods || isFirst;
}

/** The count in the domain of the slot; -1 for a node without one. */
function countAt({ domains, count }: DomainCounter, slot: number): number {
  const domain = domains.domainOf(slot);
  return domain === NO_DOMAIN ? -1 : count.countAt(slot, domain);
}

const NO_COUNTS: ReadonlyMap<string, number> = new Map();

/** How many more pods of a node concern the terms than were counted. */
class More {
  affinity = 0;
  readonly antiAffinity: number[];
  /** By the key of a term of the moved pods. */
  readonly existing = new Map<string, number>();

  constructor({ antiAffinity }: CountedTerms) {
    this.antiAffinity = antiAffinity.map(() => 0);
  }
}

/** The counts of a node's domains as its pods go and come. */
export class AffinityTally {
  readonly #terms: CountedTerms;
  readonly #node: NodeInfo;
  readonly #moved: More;
  readonly #expected: More;
  /** The number of terms of pods on nodes that exclude the pod, by the key of the domain in which the node lies. */
  readonly #existing = new Map<string, number>();
  isMoved = false;

  constructor(terms: CountedTerms, node: NodeInfo, expected: readonly PodInfo[]) {
    this.#terms = terms;
    this.#node = node;
    this.#moved = new More(terms);
    this.#expected = new More(terms);
    for (const { term, counter } of terms.existingAntiAffinity) {
      const count = countAt(counter, node.slot);
      if (count > 0) this.#existing.set(term.topologyKey, (this.#existing.get(term.topologyKey) ?? 0) + count);
    }
    for (const other of expected) this.#count(this.#expected, other, 1);
  }

  move(other: PodInfo, delta: number): void {
    this.#count(this.#moved, other, delta);
  }

  #count(more: More, other: PodInfo, delta: number): void {
    const { pod, namespaceLabels, affinity, antiAffinity } = this.#terms;
    for (const term of affinityTermsOf(other).requiredAntiAffinity) {
      const { topologyKey } = term;
      if (topologyValue(this.#node.node, topologyKey) === undefined) continue;
      if (termMatches(term, pod, namespaceLabels)) {
        more.existing.set(topologyKey, (more.existing.get(topologyKey) ?? 0) + delta);
        this.isMoved = true;
      }
    }
    if (affinity.length > 0 && affinity.every(({ term }) => termMatches(term, other, undefined))) {
      more.affinity += delta;
      this.isMoved = true;
    }
    for (let i = 0; i < antiAffinity.length; i++) {
      const { term } = antiAffinity[i] as CountedTerm;
      if (!termMatches(term, other, undefined)) continue;
      more.antiAffinity[i] = (more.antiAffinity[i] ?? 0) + delta;
      this.isMoved = true;
    }
  }

  /** `isWithExpected`: whether the expected pods are on the node. */
  violation(isWithExpected: boolean): AffinityViolation | null {
    const { antiAffinity } = this.#terms;
    const { slot } = this.#node;
    const expected = isWithExpected ? this.#expected : null;
    const more = this.#moved.affinity + (expected?.affinity ?? 0);
    if (!satisfiesAffinity(this.#terms, slot, more)) return 'affinity';
    for (let i = 0; i < antiAffinity.length; i++) {
      const base = countAt((antiAffinity[i] as CountedTerm).counter, slot);
      if (base < 0) continue;
      if (base + (this.#moved.antiAffinity[i] ?? 0) + (expected?.antiAffinity[i] ?? 0) > 0) return 'antiAffinity';
    }
    const counts = [this.#existing, this.#moved.existing, expected?.existing ?? NO_COUNTS];
    const isExcluded = (key: string): boolean => counts.reduce((sum, each) => sum + (each.get(key) ?? 0), 0) > 0;
    for (const each of counts) for (const key of each.keys()) if (isExcluded(key)) return 'existingAntiAffinity';
    return null;
  }
}
