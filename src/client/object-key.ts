import type { KubernetesObject } from '../api/meta.ts';

/** `namespace/name`, or the name alone for cluster-wide kinds: the key of an object in caches and work queues. */
export function objectKey(object: KubernetesObject): string {
  return keyOf(object.metadata?.namespace ?? '', object.metadata?.name ?? '');
}

export function keyOf(namespace: string, name: string): string {
  return namespace === '' ? name : `${namespace}/${name}`;
}

/** Splits a key of `objectKey`; the namespace is '' for cluster-wide kinds. */
export function splitKey(key: string): { readonly namespace: string; readonly name: string } {
  const slash = key.indexOf('/');
  return { namespace: key.slice(0, Math.max(slash, 0)), name: key.slice(slash + 1) };
}
