import { compileLabelSelector, type LabelSelector } from '../api/label-selector.ts';
import type { Labels } from '../api/meta.ts';
import type { Pod } from '../api/pod.ts';

/** Labels as keys of queueing hints (`HintKeys`): a selector needs one label, and a pod has some. */

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
  for (const [name, value] of Object.entries(selector?.matchLabels ?? {})) consider(keyOf(name, value));
  for (const { key, operator, values } of selector?.matchExpressions ?? []) {
    if (operator === 'In' && values?.length === 1) consider(keyOf(key, values[0] as string));
  }
  return longest;
}

/** The labels of the pod as keys; none for a missing pod. */
export function labelKeysOf(pod: Pod | undefined): string[] {
  const labels: Labels = pod?.metadata?.labels ?? {};
  return Object.entries(labels).map(([name, value]) => keyOf(name, value));
}

/** The keys, each once; null if one is missing. */
export function everyKey(keys: readonly (string | null)[]): readonly string[] | null {
  return keys.includes(null) ? null : [...new Set(keys as readonly string[])];
}

function keyOf(name: string, value: string): string {
  return `${name}=${value}`;
}
