import type { KubernetesObject } from '../../api/meta.ts';
import { millisOrZero } from '../../api/time.ts';

/** Older objects come before younger ones, and those of one age in the order of their names. */
export function byAge(a: KubernetesObject, b: KubernetesObject): number {
  return millisOrZero(a.metadata?.creationTimestamp) - millisOrZero(b.metadata?.creationTimestamp) || byName(a, b);
}

export function byName({ metadata: a }: KubernetesObject, { metadata: b }: KubernetesObject): number {
  return (a?.name ?? '') < (b?.name ?? '') ? -1 : 1;
}
