/** Node affinity, as component-helpers/scheduling/corev1/nodeaffinity/nodeaffinity.go reads it. */
import {
  childPath,
  compileRequirement,
  formatStrings,
  joinErrors,
  type LabelMatcher,
  type RequirementOperator,
} from './label-requirement.ts';
import { selectorFromSet } from './label-selector.ts';
import type { Labels } from './meta.ts';
import type { Node } from './node.ts';
import type { PodSpec } from './pod.ts';

/** One condition of a node selector (v1 NodeSelectorRequirement). */
export interface NodeSelectorRequirement {
  readonly key: string;
  /** `In`, `NotIn`, `Exists`, `DoesNotExist`, `Gt` or `Lt`. */
  readonly operator: string;
  readonly values?: readonly string[] | undefined;
}

/** A term matches when all its requirements do; a term without any matches no node. */
export interface NodeSelectorTerm {
  readonly matchExpressions?: readonly NodeSelectorRequirement[] | undefined;
  /** Requirements on fields, of which only `metadata.name` exists. */
  readonly matchFields?: readonly NodeSelectorRequirement[] | undefined;
}

/** A node selector matches when one of its terms does. */
export interface NodeSelector {
  readonly nodeSelectorTerms?: readonly NodeSelectorTerm[] | undefined;
}

/** Nodes that a pod prefers, with a weight (v1 PreferredSchedulingTerm). */
export interface PreferredSchedulingTerm {
  readonly weight: number;
  readonly preference: NodeSelectorTerm;
}

/** The nodes that a pod requires and prefers (v1 NodeAffinity). */
export interface NodeAffinity {
  readonly requiredDuringSchedulingIgnoredDuringExecution?: NodeSelector | undefined;
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly PreferredSchedulingTerm[] | undefined;
}

export interface RequiredNodeAffinity {
  match(node: Node): boolean;
  /** Like `match`, but throws the errors of malformed terms if no other term matches. */
  matchStrictly(node: Node): boolean;
}

export interface PreferredNodeAffinity {
  /** The sum of the weights of the terms that match the node. */
  score(node: Node): number;
}

type FieldMatcher = (nodeName: string) => boolean;
type TermMatcher = (labels: Labels, nodeName: string) => boolean;
type Compiled<Matcher> = Matcher | { readonly errors: readonly string[] };

const NO_LABELS: Labels = {};

const OPERATORS: readonly RequirementOperator[] = ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt'];

/**
 * `spec.nodeSelector` and the required node affinity together. A malformed term matches nothing; the others still
 * count.
 */
export function compileRequiredNodeAffinity(spec: PodSpec | undefined): RequiredNodeAffinity {
  const selector = selectorFromSet(spec?.nodeSelector);
  const required = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  if (!required) {
    const match = ({ metadata }: Node): boolean => selector.matches(metadata?.labels);
    return { match, matchStrictly: match };
  }

  const terms: TermMatcher[] = [];
  const errors: string[] = [];
  for (const [index, term] of (required.nodeSelectorTerms ?? []).entries()) {
    if (isEmptyTerm(term)) continue;
    const compiled = compileTerm(term, `nodeSelectorTerms[${index}]`);
    if (typeof compiled === 'function') terms.push(compiled);
    else errors.push(...compiled.errors);
  }
  const match = ({ metadata }: Node): boolean => {
    const labels = metadata?.labels ?? NO_LABELS;
    if (!selector.matches(labels)) return false;
    const name = metadata?.name ?? '';
    return terms.some((matches) => matches(labels, name));
  };
  const matchStrictly = (node: Node): boolean => {
    if (match(node)) return true;
    if (errors.length > 0 && selector.matches(node.metadata?.labels)) throw new Error(joinErrors(errors));
    return false;
  };
  return { match, matchStrictly };
}

/**
 * Compiles preferred terms. Empty terms and terms of weight 0 are skipped unread. One malformed term fails all of them,
 * with upstream's message.
 */
export function compilePreferredNodeAffinity(
  terms: readonly PreferredSchedulingTerm[] | undefined,
): PreferredNodeAffinity | { readonly error: string } {
  const weighted: { weight: number; matches: TermMatcher }[] = [];
  const errors: string[] = [];
  for (const [index, { weight, preference }] of (terms ?? []).entries()) {
    if (!weight || isEmptyTerm(preference)) continue;
    const compiled = compileTerm(preference, `[${index}]`);
    if (typeof compiled === 'function') weighted.push({ weight, matches: compiled });
    else errors.push(...compiled.errors);
  }
  if (errors.length > 0) return { error: joinErrors(errors) };
  return {
    score(node) {
      const labels = node.metadata?.labels ?? NO_LABELS;
      const name = node.metadata?.name ?? '';
      let score = 0;
      for (const { weight, matches } of weighted) if (matches(labels, name)) score += weight;
      return score;
    },
  };
}

function isEmptyTerm(term: NodeSelectorTerm | undefined): boolean {
  return !term?.matchExpressions?.length && !term?.matchFields?.length;
}

function compileTerm(term: NodeSelectorTerm, path: string): Compiled<TermMatcher> {
  const labelMatchers: LabelMatcher[] = [];
  const fieldMatchers: FieldMatcher[] = [];
  const errors: string[] = [];
  for (const [index, requirement] of (term.matchExpressions ?? []).entries()) {
    const compiled = compileExpression(requirement, `${childPath(path, 'matchExpressions')}[${index}]`);
    if (typeof compiled === 'function') labelMatchers.push(compiled);
    else errors.push(...compiled.errors);
  }
  for (const [index, requirement] of (term.matchFields ?? []).entries()) {
    const compiled = compileField(requirement, `${childPath(path, 'matchFields')}[${index}]`);
    if (typeof compiled === 'function') fieldMatchers.push(compiled);
    else errors.push(...compiled.errors);
  }
  if (errors.length > 0) return { errors };
  return (labels, nodeName) => {
    for (const matches of labelMatchers) if (!matches(labels)) return false;
    // A node without a name has no fields, and then field requirements are ignored.
    if (nodeName !== '') for (const matches of fieldMatchers) if (!matches(nodeName)) return false;
    return true;
  };
}

function compileExpression({ key, operator, values }: NodeSelectorRequirement, path: string): Compiled<LabelMatcher> {
  const known = OPERATORS.find((each) => each === operator);
  if (known === undefined) return { errors: [unsupportedOperator(path, operator, OPERATORS)] };
  return compileRequirement(key, known, values ?? [], path);
}

function compileField(requirement: NodeSelectorRequirement, path: string): Compiled<FieldMatcher> {
  const { key, operator } = requirement;
  const values = requirement.values ?? [];
  if (operator !== 'In' && operator !== 'NotIn') {
    return { errors: [unsupportedOperator(path, operator, ['In', 'NotIn'])] };
  }
  if (values.length !== 1) {
    return { errors: [`${path}.values: Invalid value: ${formatStrings(values)}: must have one element`] };
  }
  const [wanted] = values;
  const isName = key === 'metadata.name';
  const accept = operator === 'In';
  // An unknown field reads as the empty string.
  return (nodeName) => ((isName ? nodeName : '') === wanted) === accept;
}

function unsupportedOperator(path: string, operator: string, supported: readonly string[]): string {
  const quoted = supported.map((name) => JSON.stringify(name)).join(', ');
  return `${path}.operator: Unsupported value: ${JSON.stringify(operator)}: supported values: ${quoted}`;
}
