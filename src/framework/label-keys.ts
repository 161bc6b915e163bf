import { compileLabelSelector, type LabelSelector } from '../api/label-selector.ts';
import type { KubernetesObject, Labels } from '../api/meta.ts';

/** Labels as keys of queueing hints (`HintKeys`): a selector needs one label, and a pod or node has some. */

/**
 * Returns a label that everything has that the selector matches; null if there is none, or the selector is malformed.
 * If there are several such labels, the longest is returned, because it most likely belongs to the fewest pods.
 */
export function labelKeyOfSelector(selector: LabelSelector | null | undefined): string | null {
  if ('error' in compileLabelSelector(selector)) return null;
  let longest: string | null = null;
  const consider = (key: string): void => {
    if (longest === null || key.length > longest.length) longest = key;
  };
  for (const [name, value] of Object.entries(selector?.matchLabels ?? {})) consider(labelKeyOf(name, value));
  for (const { key, operator, values } of selector?.matchExpressions ?? []) {
    if (operator === 'In' && values?.length === 1) consider(labelKeyOf(key, values[0] as string));
  }
  return longest;
}

/** The labels of the object as keys; none for a missing object. */
export function labelKeysOf(object: KubernetesObject | undefined): string[] {
  const labels: Labels = object?.metadata?.labels ?? {};
  return Object.entries(labels).map(([name, value]) => labelKeyOf(name, value));
}

/** The names of labels that differ, as keys of a node that has changed; null for one that has come or gone. */
export function changedLabels(
  before: KubernetesObject | undefined,
  after: KubernetesObject | undefined,
): string[] | null {
  if (before === undefined || after === undefined) return null;
  const [old, now]: [Labels, Labels] = [before.metadata?.labels ?? {}, after.metadata?.labels ?? {}];
  return Object.keys({ ...old, ...now }).filter((name) => old[name] !== now[name]);
}

/** The keys, each once; null if one is missing. */
export function everyKey(keys: readonly (string | null)[]): readonly string[] | null {
  return keys.includes(null) ? null : [...new Set(keys as readonly string[])];
}

export function labelKeyOf(name: string, value: string): string {
  return `${name}=${value}`;
}
