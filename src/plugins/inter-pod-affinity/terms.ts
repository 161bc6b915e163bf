import { joinErrors } from '../../api/label-requirement.ts';
import { compileLabelSelector, SELECT_EVERYTHING, SELECT_NOTHING, type Selector } from '../../api/label-selector.ts';
import type { Labels } from '../../api/meta.ts';
import type { Affinity } from '../../api/pod.ts';
import type { PodAffinityTerm, WeightedPodAffinityTerm } from '../../api/pod-affinity.ts';
import type { ClusterObjects } from '../../framework/cluster-objects.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { combined } from '../../lib/combined.ts';
import { memoized } from '../../lib/memoized.ts';
import { RecentMap } from '../../lib/recent-map.ts';

/** A compiled PodAffinityTerm of one pod (upstream's AffinityTerm). */
export interface AffinityTerm {
  readonly topologyKey: string;
  readonly selector: Selector;
  readonly namespaces: ReadonlySet<string>;
  readonly namespaceSelector: Selector;
  /** Equal for equal terms. */
  readonly key: string;
}

export interface WeightedAffinityTerm extends AffinityTerm {
  readonly weight: number;
}

/** The pod (anti-)affinity of one pod. A list with a malformed selector is empty, and `error` names it. */
export interface AffinityTerms {
  readonly requiredAffinity: readonly AffinityTerm[];
  readonly requiredAntiAffinity: readonly AffinityTerm[];
  readonly preferredAffinity: readonly WeightedAffinityTerm[];
  readonly preferredAntiAffinity: readonly WeightedAffinityTerm[];
  readonly error: string | null;
  /** The error of the lists of required terms alone. */
  readonly requiredError: string | null;
}

export const NO_TERMS: AffinityTerms = {
  requiredAffinity: [],
  requiredAntiAffinity: [],
  preferredAffinity: [],
  preferredAntiAffinity: [],
  error: null,
  requiredError: null,
};

const MOST_AFFINITIES = 1024;

/** The compiled terms of an affinity object, by the pod's namespace; pods of one template may share the object. */
const termsByNamespace = memoized(
  (_affinity: Affinity) => new Map<string, AffinityTerms>(),
  new RecentMap(MOST_AFFINITIES),
);

export function affinityTermsOf(info: PodInfo): AffinityTerms {
  info.affinityTerms ??= termsOf(info);
  return info.affinityTerms as AffinityTerms;
}

function termsOf({ pod, namespace }: PodInfo): AffinityTerms {
  const affinity = pod.spec?.affinity;
  if (!affinity?.podAffinity && !affinity?.podAntiAffinity) return NO_TERMS;
  const byNamespace = termsByNamespace(affinity);
  let terms = byNamespace.get(namespace);
  if (terms === undefined) {
    terms = compileAffinity(affinity, namespace);
    byNamespace.set(namespace, terms);
  }
  return terms;
}

/** The terms of the pod to schedule with unrolled namespaces, and the labels of the pod's own namespace. */
export interface UnrolledTerms extends Omit<AffinityTerms, 'error' | 'requiredError'> {
  readonly namespaceLabels: Labels | undefined;
}

export function unrolledTermsOf(pod: PodInfo, objects: ClusterObjects): UnrolledTerms {
  const terms = affinityTermsOf(pod);
  return {
    requiredAffinity: unrollNamespaces(terms.requiredAffinity, objects),
    requiredAntiAffinity: unrollNamespaces(terms.requiredAntiAffinity, objects),
    preferredAffinity: unrollNamespaces(terms.preferredAffinity, objects),
    preferredAntiAffinity: unrollNamespaces(terms.preferredAntiAffinity, objects),
    namespaceLabels: namespaceLabelsOf(pod, objects),
  };
}

export function namespaceLabelsOf({ namespace }: PodInfo, objects: ClusterObjects): Labels | undefined {
  return objects.get('Namespace', namespace)?.metadata?.labels;
}

/**
 * Adds the namespaces that namespaceSelectors select now to the namespaces that the terms name (upstream's
 * mergeAffinityTermNamespacesIfNotEmpty). Such terms are then matched without namespace labels. v1.36 means to drop the
 * selector too, but does so on a copy: a selector that an empty set of labels satisfies (`DoesNotExist`, `NotIn`) still
 * selects every namespace, as recorded.
 */
function unrollNamespaces<Term extends AffinityTerm>(terms: readonly Term[], objects: ClusterObjects): Term[] {
  return terms.map((term) => {
    const { namespaceSelector } = term;
    if (!readsNamespaces(term)) return term;
    const namespaces = new Set(term.namespaces);
    for (const { metadata } of objects.list('Namespace')) {
      if (namespaceSelector.matches(metadata?.labels)) namespaces.add(metadata?.name ?? '');
    }
    return combined(term, { namespaces, key: `${term.key} ${[...namespaces].sort().join()}` });
  });
}

/** Whether the namespaces of the term follow from the labels that namespaces have. */
function readsNamespaces({ namespaceSelector }: AffinityTerm): boolean {
  return namespaceSelector !== SELECT_EVERYTHING && namespaceSelector !== SELECT_NOTHING;
}

/** Whether unrolling any of the terms reads namespaces. */
export function selectsNamespaces(terms: AffinityTerms): boolean {
  const { requiredAffinity, requiredAntiAffinity, preferredAffinity, preferredAntiAffinity } = terms;
  if (terms === NO_TERMS) return false;
  return (
    requiredAffinity.some(readsNamespaces) ||
    requiredAntiAffinity.some(readsNamespaces) ||
    preferredAffinity.some(readsNamespaces) ||
    preferredAntiAffinity.some(readsNamespaces)
  );
}

/** `namespaceLabels` are those of the pod's namespace; undefined for unrolled terms and for an unknown namespace. */
export function termMatches(term: AffinityTerm, pod: PodInfo, namespaceLabels: Labels | undefined): boolean {
  if (!term.namespaces.has(pod.namespace) && !term.namespaceSelector.matches(namespaceLabels)) return false;
  return term.selector.matches(pod.pod.metadata?.labels);
}

/** Whether all unrolled terms match the pod; false without terms. */
export function allTermsMatch(terms: readonly AffinityTerm[], pod: PodInfo): boolean {
  return terms.length > 0 && terms.every((term) => termMatches(term, pod, undefined));
}

function compileAffinity({ podAffinity, podAntiAffinity }: Affinity, namespace: string): AffinityTerms {
  const errors: string[] = [];
  const list = <Term>(name: string, read: () => Compiled<Term>): readonly Term[] => {
    const terms = read();
    if (!('error' in terms)) return terms;
    errors.push(`${name}: ${terms.error}`);
    return [];
  };
  const affinity = podAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const antiAffinity = podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const preferred = podAffinity?.preferredDuringSchedulingIgnoredDuringExecution;
  const preferredAnti = podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution;
  const errorSoFar = (): string | null => (errors.length === 0 ? null : joinErrors(errors));
  const requiredAffinity = list('requiredAffinityTerms', () => compileTerms(affinity, namespace));
  const requiredAntiAffinity = list('requiredAntiAffinityTerms', () => compileTerms(antiAffinity, namespace));
  const requiredError = errorSoFar();
  const preferredAffinity = list('preferredAffinityTerms', () => compileWeighted(preferred, namespace));
  const preferredAntiAffinity = list('preferredAntiAffinityTerms', () => compileWeighted(preferredAnti, namespace));
  return {
    ...{ requiredAffinity, requiredAntiAffinity, preferredAffinity, preferredAntiAffinity },
    ...{ requiredError, error: errorSoFar() },
  };
}

type Compiled<Term> = readonly Term[] | { readonly error: string };

function compileTerms(terms: readonly PodAffinityTerm[] | undefined, namespace: string): Compiled<AffinityTerm> {
  const compiledTerms: AffinityTerm[] = [];
  for (const term of terms ?? []) {
    const compiledTerm = compileTerm(term, namespace);
    if ('error' in compiledTerm) return compiledTerm;
    compiledTerms.push(compiledTerm);
  }
  return compiledTerms;
}

function compileWeighted(
  weightedTerms: readonly WeightedPodAffinityTerm[] | undefined,
  namespace: string,
): Compiled<WeightedAffinityTerm> {
  const terms = compileTerms(
    weightedTerms?.map(({ podAffinityTerm }) => podAffinityTerm),
    namespace,
  );
  if ('error' in terms) return terms;
  return terms.map((term, i) => combined(term, { weight: weightedTerms?.[i]?.weight ?? 0 }));
}

function compileTerm(term: PodAffinityTerm, namespace: string): AffinityTerm | { readonly error: string } {
  const selector = compileLabelSelector(term.labelSelector);
  if ('error' in selector) return selector;
  const namespaceSelector = compileLabelSelector(term.namespaceSelector);
  if ('error' in namespaceSelector) return namespaceSelector;
  const isOwnNamespace = !term.namespaces?.length && !term.namespaceSelector;
  const namespaces = new Set(isOwnNamespace ? [namespace] : term.namespaces);
  const { topologyKey } = term;
  const parts = [topologyKey, term.labelSelector ?? null, [...namespaces].sort(), term.namespaceSelector ?? null];
  return { topologyKey, selector, namespaces, namespaceSelector, key: JSON.stringify(parts) };
}
