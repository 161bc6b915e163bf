import type { ObjectMeta } from './meta.ts';

/** `namespace/name`, unique among the pods of a cluster; a missing namespace is `default`. */
export function podKey(pod: { readonly metadata?: ObjectMeta | undefined }): string {
  return `${pod.metadata?.namespace || 'default'}/${pod.metadata?.name ?? ''}`;
}
