import type { ObjectMeta } from './meta.ts';

/** `namespace/name`, unique among the pods of a cluster; an absent namespace is `default`. */
export function podKey(pod: { readonly metadata?: ObjectMeta | undefined }): string {
  return `${pod.metadata?.namespace || 'default'}/${pod.metadata?.name ?? ''}`;
}
