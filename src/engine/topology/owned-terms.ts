import type { Labels } from '../../api/meta.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { getOrMake } from '../../lib/get-or-make.ts';
import type { DomainCounter } from '../../memory/domain-counter.ts';
import { type AffinityTerm, affinityTermsOf, NO_TERMS } from '../../plugins/inter-pod-affinity/terms.ts';

import { labelMark, marksOf } from './marked.ts';

const ROLES = ['requiredAffinity', 'requiredAntiAffinity', 'preferredAffinity', 'preferredAntiAffinity'] as const;
const NO_MARKS: readonly string[] = [];
const NO_LABELS: Labels = {};
/** The fewest terms without pods that are dropped, unless no other terms are left. */
const FEWEST_DROPPED = 64;

/** The most terms that are looked at one by one. */
const FEW_TERMS = 16;

/** The list of a pod's terms in which a term is. */
export type TermRole = (typeof ROLES)[number];

type WeightedTerm = AffinityTerm & { readonly weight?: number };

/** A term of pods on nodes, with the number of those pods by domain. */
export interface OwnedTerm {
  readonly role: TermRole;
  readonly term: AffinityTerm;
  /** The weight of a preferred term; 0 for a required one. */
  readonly weight: number;
  readonly owners: DomainCounter;
}

/** The counters of pods with a term, by a key, which is also the mark of those pods. */
export interface OwnerCounters {
  make(key: string, multiplicity: (pod: PodInfo) => number, topologyKey: string): DomainCounter;
  /** Called when the counter is not needed any more. */
  drop(key: string): void;
}

/**
 * The terms of pods on nodes, which may match other pods. Terms whose pods are gone are dropped, many at a time,
 * because whoever has read the list must read it again then.
 */
export class OwnedTerms {
  readonly #counters: OwnerCounters;
  readonly #terms = new Map<string, OwnedTerm>();
  /** The keys of terms that may have lost their last pod. */
  readonly #suspects = new Set<string>();
  #list: OwnedTerm[] = [];
  /** The positions in the list of terms that match no pods but those with a mark, by mark. */
  readonly #byMark = new Map<string, number[]>();
  /** The positions of the other terms. */
  #unmarked: number[] = [];
  /** A number that changes when terms were dropped: a reader of the list must start over. */
  epoch = 0;

  constructor(counters: OwnerCounters) {
    this.#counters = counters;
  }

  /** All terms; the list only grows within an epoch, so that readers continue after those that they know. */
  get list(): readonly OwnedTerm[] {
    return this.#list;
  }

  /** The terms from a position in the list on, in order, but for some that match no pod with these labels. */
  from(position: number, labels: Labels = NO_LABELS): readonly OwnedTerm[] {
    if (this.#list.length - position <= FEW_TERMS) return this.#list.slice(position);
    const positions = behind(this.#unmarked, position);
    for (const key in labels) {
      const marked = this.#byMark.get(labelMark(key, labels[key] as string));
      if (marked !== undefined) positions.push(...behind(marked, position));
    }
    positions.sort((a, b) => a - b);
    return positions.map((each) => this.#list[each] as OwnedTerm);
  }

  add(pod: PodInfo): void {
    const terms = affinityTermsOf(pod);
    if (terms === NO_TERMS) return;
    for (const role of ROLES) for (const term of terms[role]) this.#register(role, term);
  }

  /** Called when the last pod like this one has left. */
  lost(pod: PodInfo): void {
    for (const key of termMarksOf(pod)) this.#suspects.add(key);
  }

  /** Drops the terms without pods if they are many, or all. */
  dropUnused(): void {
    const most = this.#suspects.size;
    if (most === 0 || (most < this.#list.length && most < Math.max(FEWEST_DROPPED, this.#list.length / 2))) return;
    let hasDropped = false;
    for (const key of this.#suspects) {
      const term = this.#terms.get(key);
      if (term === undefined || term.owners.pods.total > 0) continue;
      this.#terms.delete(key);
      this.#counters.drop(key);
      hasDropped = true;
    }
    this.#suspects.clear();
    if (!hasDropped) return;
    this.#list = [];
    this.#byMark.clear();
    this.#unmarked = [];
    for (const term of this.#terms.values()) this.#append(term);
    this.epoch++;
  }

  #register(role: TermRole, term: WeightedTerm): void {
    const weight = term.weight ?? 0;
    const key = keyOf(role, term);
    if (this.#terms.has(key)) return;
    const isSame = (other: WeightedTerm): boolean => other.key === term.key && (other.weight ?? 0) === weight;
    const owners = this.#counters.make(
      key,
      (pod) => affinityTermsOf(pod)[role].filter(isSame).length,
      term.topologyKey,
    );
    const owned = { role, term, weight, owners };
    this.#terms.set(key, owned);
    this.#append(owned);
  }

  #append(owned: OwnedTerm): void {
    const position = this.#list.push(owned) - 1;
    const marks = marksOf(owned.term.selector);
    if (marks === null) this.#unmarked.push(position);
    for (const mark of new Set(marks)) getOrMake(this.#byMark, mark, () => []).push(position);
  }
}

/** Returns the end of a list of ascending positions, from the first that is not before `position` on. */
function behind(positions: readonly number[], position: number): number[] {
  let first = positions.length;
  while (first > 0 && (positions[first - 1] as number) >= position) first--;
  return positions.slice(first);
}

/** The keys of all terms of the pod. */
export function termMarksOf(pod: PodInfo): readonly string[] {
  const terms = affinityTermsOf(pod);
  if (terms === NO_TERMS) return NO_MARKS;
  const marks: string[] = [];
  for (const role of ROLES) for (const term of terms[role]) marks.push(keyOf(role, term));
  return marks;
}

function keyOf(role: TermRole, term: WeightedTerm): string {
  return `owners ${role} ${term.weight ?? 0} ${term.key}`;
}
