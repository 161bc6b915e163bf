import type { KubernetesObject } from '../api/meta.ts';

/** `namespace/name`, or the name alone for kinds without namespaces: what caches and work queues know an object by. */
export function objectKey(object: KubernetesObject): string {
  return keyOf(object.metadata?.namespace ?? '', object.metadata?.name ?? '');
}

export function keyOf(namespace: string, name: string): string {
  return namespace === '' ? name : `${namespace}/${name}`;
}

/** What `objectKey` put together; the namespace is '' where there is none. */
export function splitKey(key: string): { readonly namespace: string; readonly name: string } {
  const slash = key.indexOf('/');
  return { namespace: key.slice(0, Math.max(slash, 0)), name: key.slice(slash + 1) };
}
