import { memoized } from '../lib/memoized.ts';
import {
  compileRequirement,
  joinErrors,
  type LabelMatcher,
  labelEquals,
  type RequirementOperator,
} from './label-requirement.ts';
import type { Labels } from './meta.ts';

/** One condition of a label selector (meta/v1 LabelSelectorRequirement). */
export interface LabelSelectorRequirement {
  readonly key: string;
  /** `In`, `NotIn`, `Exists` or `DoesNotExist`. */
  readonly operator: string;
  readonly values?: readonly string[] | undefined;
}

/** A metav1.LabelSelector: all parts must hold. */
export interface LabelSelector {
  readonly matchLabels?: Labels | undefined;
  readonly matchExpressions?: readonly LabelSelectorRequirement[] | undefined;
}

/** A compiled label selector. */
export interface Selector {
  matches(labels: Labels | undefined): boolean;
  /** A label that all matching sets have, with one of these values; absent if none is known. */
  readonly requires?: RequiredLabel | undefined;
}

/** A label that a selector requires, with the values that it allows. */
export interface RequiredLabel {
  readonly key: string;
  readonly values: readonly string[];
}

export const SELECT_NOTHING: Selector = { matches: () => false };
export const SELECT_EVERYTHING: Selector = { matches: () => true };

const NO_LABELS: Labels = {};

const OPERATORS: readonly RequirementOperator[] = ['In', 'NotIn', 'Exists', 'DoesNotExist'];

/**
 * Compiles a selector. Upstream: metav1.LabelSelectorAsSelector. An absent selector (undefined or null) matches
 * nothing, an empty one everything. A malformed one is returned as an error in upstream's words, since it only fails
 * the pod that contains it.
 */
export function compileLabelSelector(
  selector: LabelSelector | null | undefined,
): Selector | { readonly error: string } {
  if (selector === undefined || selector === null) return SELECT_NOTHING;
  const matchers: LabelMatcher[] = [];
  for (const [key, value] of Object.entries(selector.matchLabels ?? {})) {
    const compiled = compileRequirement(key, 'Equals', [value], '');
    if (typeof compiled !== 'function') return { error: joinErrors(compiled.errors) };
    matchers.push(compiled);
  }
  for (const { key, operator, values } of selector.matchExpressions ?? []) {
    const known = OPERATORS.find((each) => each === operator);
    if (known === undefined) return { error: `${JSON.stringify(operator)} is not a valid label selector operator` };
    const compiled = compileRequirement(key, known, values ?? [], '');
    if (typeof compiled !== 'function') return { error: joinErrors(compiled.errors) };
    matchers.push(compiled);
  }
  return allOf(matchers, requiredLabel(selector));
}

/** The most distinctive label that the selector requires: long values are names rather than classes. */
function requiredLabel({ matchLabels = {}, matchExpressions = [] }: LabelSelector): RequiredLabel | undefined {
  const required: RequiredLabel[] = Object.entries(matchLabels ?? {}).map(([key, value]) => ({ key, values: [value] }));
  for (const { key, operator, values } of matchExpressions ?? []) {
    if (operator === 'In' && values) required.push({ key, values });
  }
  return mostDistinctive(required);
}

function mostDistinctive(required: readonly RequiredLabel[]): RequiredLabel | undefined {
  const weightOf = ({ values }: RequiredLabel): number =>
    Math.min(...values.map(({ length }) => length)) / values.length;
  return required.reduce<RequiredLabel | undefined>(
    (best, each) => (best === undefined || weightOf(each) > weightOf(best) ? each : best),
    undefined,
  );
}

const compiledOnce = memoized(compileLabelSelector);

/** Whether the selector matches; a malformed one matches nothing. One that is frozen never changes. */
export function selects(selector: LabelSelector | undefined, labels: Labels | undefined): boolean {
  const compiled = selector && Object.isFrozen(selector) ? compiledOnce(selector) : compileLabelSelector(selector);
  return 'matches' in compiled && compiled.matches(labels);
}

/**
 * A selector for equality with every label of the set, unchecked (labels.SelectorFromSet); an empty set matches
 * everything.
 */
export function selectorFromSet(labels: Labels | undefined): Selector {
  const all: { readonly key: string; readonly values: readonly string[] }[] = [];
  const matchers: LabelMatcher[] = [];
  for (const key in labels) {
    const value = labels[key] as string;
    all.push({ key, values: [value] });
    matchers.push(labelEquals(key, value));
  }
  return allOf(matchers, mostDistinctive(all));
}

/** A selector for everything that all matchers accept. */
export function allOf(matchers: readonly LabelMatcher[], requires?: RequiredLabel): Selector {
  if (matchers.length === 0) return SELECT_EVERYTHING;
  return { requires, matches: (labels) => matchers.every((matcher) => matcher(labels ?? NO_LABELS)) };
}
