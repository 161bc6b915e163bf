import type { PodInfo } from '../../framework/pod-info.ts';

const keys = new WeakMap<object, string>();

/** What selectors and affinity terms can see of a pod: equal keys, equal counters. */
export function traitKey({ pod, namespace }: PodInfo): string {
  const { labels, deletionTimestamp } = pod.metadata ?? {};
  const affinity = pod.spec?.affinity;
  return `${namespace}\n${deletionTimestamp ? 'terminating' : ''}\n${jsonOf(labels)}\n${jsonOf(affinity)}`;
}

/** Kept by object: pods of one template often share their parts. */
export function jsonOf(part: object | undefined | null): string {
  if (!part) return '';
  let key = keys.get(part);
  if (key === undefined) {
    key = JSON.stringify(part);
    keys.set(part, key);
  }
  return key;
}
