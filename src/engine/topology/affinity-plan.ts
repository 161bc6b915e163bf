import type { Labels } from '../../api/meta.ts';
import type { ClusterObjects } from '../../framework/cluster-objects.ts';
import type { AffinityForm, AffinityViolation } from '../../framework/column-forms.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import type { Kernels } from '../../kernels/abi.ts';
import type { Column } from '../../memory/column-table.ts';
import type { DomainCounter } from '../../memory/domain-counter.ts';
import { NO_DOMAIN } from '../../memory/topology-domains.ts';
import {
  type AffinityTerm,
  allTermsMatch,
  namespaceLabelsOf,
  termMatches,
  unrolledTermsOf,
} from '../../plugins/inter-pod-affinity/terms.ts';
import type { CountedTerm, CountedTerms } from './affinity-tally.ts';
import { marksOf } from './marked.ts';
import { EVERY_NODE } from './node-condition.ts';
import type { TopologyCounters } from './topology-index.ts';
import { type AffinityScore, type DomainRule, filterDomains, INT32_MAX, INT32_MIN } from './topology-rules.ts';
import type { TopologyScratch } from './topology-scratch.ts';

/** An epoch that no list of terms has. */
const UNREAD = -1;

export type AffinityWeights = Pick<AffinityForm, 'hardPodAffinityWeight' | 'ignorePreferredTermsOfExistingPods'>;

interface WeightedCounter {
  readonly counter: DomainCounter;
  readonly weight: number;
}

interface AffinityRule extends DomainRule {
  readonly term: AffinityTerm;
  readonly counter: DomainCounter;
  readonly violation: AffinityViolation;
}

/**
 * The required and preferred terms that apply to a pod signature, its own and those of pods on nodes, as counters: they
 * keep what `RequiredAffinity` and `PreferredAffinity` count anew. Every rule is about a count by domain, and the score
 * is a weighted sum of such counts.
 */
export class AffinityPlan {
  readonly #index: TopologyCounters;
  readonly #pod: PodInfo;
  /** The labels of the pod's namespace, which terms of other pods may select. */
  #namespaceLabels: Labels | undefined;
  readonly #weights: AffinityWeights;
  readonly #affinity: readonly DomainCounter[];
  readonly #matchesItself: boolean;
  /** The rules in the order in which a rejection names them; those of terms of other pods are appended. */
  readonly #rules: AffinityRule[];
  readonly #scores: WeightedCounter[];
  /** The numbers of rules and scores of the pod's own terms, which come first. */
  readonly #ownRules: number;
  readonly #ownScores: number;
  /** Whether preferred terms of other pods are ignored because the pod has none. */
  readonly #ignoresPreferences: boolean;
  /** The number of terms of other pods that have been read, in an epoch of their list. */
  #seenTerms = 0;
  #seenEpoch = UNREAD;
  #version = 0;

  constructor(index: TopologyCounters, pod: PodInfo, objects: ClusterObjects, weights: AffinityWeights) {
    this.#index = index;
    this.#pod = pod;
    this.#weights = weights;
    const terms = unrolledTermsOf(pod, objects);
    const affinity = terms.requiredAffinity;
    this.#namespaceLabels = namespaceLabelsOf(pod, objects);
    const allKey = `matchAll ${affinity.map(({ key }) => key).join('\n')}`;
    const [first] = affinity;
    const marks = first === undefined ? null : marksOf(first.selector);
    const multiplicity = (other: PodInfo): number => (allTermsMatch(affinity, other) ? 1 : 0);
    this.#affinity = affinity.map(({ topologyKey }) =>
      index.domainCounter(allKey, multiplicity, topologyKey, EVERY_NODE, marks),
    );
    this.#matchesItself = allTermsMatch(affinity, pod);
    this.#rules = [
      ...affinity.map((term, i) => this.#affinityRule(term, this.#affinity[i] as DomainCounter)),
      ...terms.requiredAntiAffinity.map((term) => exclusion(term, this.#matching(term), 'antiAffinity')),
    ];
    this.#scores = [
      ...terms.preferredAffinity.map((term) => ({ counter: this.#matching(term), weight: term.weight })),
      ...terms.preferredAntiAffinity.map((term) => ({ counter: this.#matching(term), weight: -term.weight })),
    ];
    this.#ownRules = this.#rules.length;
    this.#ownScores = this.#scores.length;
    this.#ignoresPreferences = weights.ignorePreferredTermsOfExistingPods && this.#scores.length === 0;
  }

  /** Reads the terms of other pods again if the labels of the pod's namespace are others by now. */
  followNamespace(objects: ClusterObjects): void {
    const labels = namespaceLabelsOf(this.#pod, objects);
    if (labels === this.#namespaceLabels) return;
    this.#namespaceLabels = labels;
    this.#seenEpoch = UNREAD;
    this.#version++;
  }

  get filters(): boolean {
    this.#readNewTerms();
    return this.#rules.length > 0;
  }

  /** `onRejected`: called after each step in which nodes were rejected for one violation alone. */
  filter(
    kernels: Kernels,
    feasible: Column<'i32'>,
    slots: number,
    onRejected: ((violation: AffinityViolation) => void) | null = null,
  ): void {
    this.#readNewTerms();
    let last: AffinityViolation | null = null;
    for (const { counter, least, most, absentFits, violation } of this.#rules) {
      if (onRejected !== null && last !== null && last !== violation) onRejected(last);
      last = violation;
      filterDomains(kernels, counter, { least: least(), most: most(), absentFits }, feasible, slots);
    }
    if (last !== null) onRejected?.(last);
  }

  /** The required terms with their counters, for tallies. */
  counted(): CountedTerms {
    this.#readNewTerms();
    const of = (violation: AffinityViolation): CountedTerm[] =>
      this.#rules.filter((rule) => rule.violation === violation);
    return {
      pod: this.#pod,
      version: this.#version,
      namespaceLabels: this.#namespaceLabels,
      matchesItself: this.#matchesItself,
      affinity: of('affinity'),
      antiAffinity: of('antiAffinity'),
      existingAntiAffinity: of('existingAntiAffinity'),
    };
  }

  /** A number that changes with the rules and scores, when terms that match the pod come or go. */
  get version(): number {
    this.#readNewTerms();
    return this.#version;
  }

  rules(): DomainRule[] {
    return [...this.#rules];
  }

  /** A score whose count is 0 in every domain adds nothing. */
  scores(): AffinityScore[] {
    return this.#scores.map(({ counter, weight }) => ({ count: counter.count, weight }));
  }

  /** Returns the violation of the first rule that rejects the node; null if none does. */
  violation(slot: number): AffinityViolation | null {
    for (const { counter, least, most, absentFits, violation } of this.#rules) {
      const domain = counter.domains.domainOf(slot);
      const count = domain === NO_DOMAIN ? 0 : counter.count.countAt(slot, domain);
      const accepts = domain === NO_DOMAIN ? absentFits : count >= least() && count <= most();
      if (!accepts) return violation;
    }
    return null;
  }

  /** Fills the scratch columns; returns false, for a skipped plugin, if no term has a count above 0. */
  score(kernels: Kernels, scratch: TopologyScratch, feasible: Column<'i32'>, slots: number): boolean {
    const { raw, normalized, rangePointer } = scratch;
    scratch.scored = feasible;
    this.#readNewTerms();
    const counted = this.#scores.filter(({ counter }) => counter.total > 0);
    if (counted.length === 0) return false;
    kernels.fillDoubles(raw.pointer, 0, 0, slots);
    for (const { counter, weight } of counted) {
      const { domains, counts } = counter;
      counts.reserve(domains.count);
      kernels.addDomainScores(domains.column.pointer, counts.pointer, weight, 0, raw.pointer, 0, slots);
    }
    kernels.scoredRange(raw.pointer, feasible.pointer, rangePointer, 0, slots);
    const [least, most] = scratch.range();
    kernels.normalizeRange(raw.pointer, least, most, normalized.pointer, 0, slots);
    return true;
  }

  #affinityRule(term: AffinityTerm, counter: DomainCounter): AffinityRule {
    return {
      violation: 'affinity',
      term,
      counter,
      count: counter.count,
      absentFits: false,
      isExclusion: false,
      bound: { kind: 'group', counters: this.#matchesItself ? this.#affinity : [] },
      least: () => (this.#isFirstOfGroup() ? INT32_MIN : 1),
      most: () => INT32_MAX,
    };
  }

  /** Whether the terms match no pod on a node, but the pod itself: then any node with the topology keys will do. */
  #isFirstOfGroup(): boolean {
    return this.#matchesItself && this.#affinity.every((counter) => counter.total === 0);
  }

  #matching(term: AffinityTerm): DomainCounter {
    return this.#index.domainCounter(
      `match ${term.key}`,
      (other) => (termMatches(term, other, undefined) ? 1 : 0),
      term.topologyKey,
      EVERY_NODE,
      marksOf(term.selector),
    );
  }

  /** Adds the terms that pods have brought to nodes since the last call, if they match the pod. */
  #readNewTerms(): void {
    const terms = this.#index.ownedTerms;
    const { list, epoch } = terms;
    if (epoch !== this.#seenEpoch) {
      if (this.#rules.length + this.#scores.length > this.#ownRules + this.#ownScores) {
        this.#version++;
        this.#rules.length = this.#ownRules;
        this.#scores.length = this.#ownScores;
      }
      this.#seenTerms = 0;
      this.#seenEpoch = epoch;
    }
    if (this.#seenTerms === list.length) return;
    const unseen = terms.from(this.#seenTerms, this.#pod.pod.metadata?.labels);
    this.#seenTerms = list.length;
    for (const owned of unseen) {
      if (!termMatches(owned.term, this.#pod, this.#namespaceLabels)) continue;
      const { role, owners: counter, weight } = owned;
      this.#version++;
      if (role === 'requiredAntiAffinity') this.#rules.push(exclusion(owned.term, counter, 'existingAntiAffinity'));
      if (this.#ignoresPreferences) continue;
      const { hardPodAffinityWeight } = this.#weights;
      if (role === 'requiredAffinity' && hardPodAffinityWeight > 0) {
        this.#scores.push({ counter, weight: hardPodAffinityWeight });
      } else if (role === 'preferredAffinity') {
        this.#scores.push({ counter, weight });
      } else if (role === 'preferredAntiAffinity') {
        this.#scores.push({ counter, weight: -weight });
      }
    }
  }
}

/** The rule of an anti-affinity term: no counted pod in the domain. */
function exclusion(term: AffinityTerm, counter: DomainCounter, violation: AffinityViolation): AffinityRule {
  const count = counter.count;
  return {
    violation,
    term,
    counter,
    count,
    absentFits: true,
    isExclusion: true,
    bound: { kind: 'fixed' },
    least: () => INT32_MIN,
    most: () => 0,
  };
}
