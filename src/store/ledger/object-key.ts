import type { KubernetesObject } from '../../api/meta.ts';

/** The place of an object; cluster-wide objects have the namespace ''. */
export interface ObjectKey {
  readonly namespace: string;
  readonly name: string;
}

/** The key that sorts before all others. */
export const FIRST_KEY: ObjectKey = { namespace: '', name: '' };

export function isBelow(a: ObjectKey, b: ObjectKey): boolean {
  return a.namespace < b.namespace || (a.namespace === b.namespace && a.name < b.name);
}

export function keyOf({ metadata }: KubernetesObject): ObjectKey {
  return { namespace: metadata?.namespace ?? '', name: metadata?.name ?? '' };
}

/** The key as one text. */
export function textOf({ namespace, name }: ObjectKey): string {
  return `${namespace}/${name}`;
}
