import { compileLabelSelector, type LabelSelector, SELECT_NOTHING, selects } from '../../api/label-selector.ts';
import type { KubernetesObject } from '../../api/meta.ts';
import { type IndexFunction, readingParts } from '../../client/informer/index-buckets.ts';
import type { Lister } from '../../client/informer/lister.ts';

/** What selects pods. */
export interface Selecting extends KubernetesObject {
  readonly spec?: { readonly selector?: LabelSelector | undefined } | undefined;
}

/** What selects, by namespace and a label that the selector requires; by namespace alone if it requires none. */
export const BY_SELECTOR = 'selector';

export const selectorKeys: IndexFunction<Selecting> = readingParts(
  ({ metadata, spec }) => {
    const selector = compileLabelSelector(spec?.selector);
    if ('error' in selector || selector === SELECT_NOTHING) return [];
    const { namespace = '' } = metadata ?? {};
    const { requires } = selector;
    if (requires === undefined) return [namespace];
    return [...new Set(requires.values.map((value) => labelKey(namespace, requires.key, value)))];
  },
  (before, after) => before.spec?.selector === after.spec?.selector,
);

/** Objects whose selector matches this one's labels, of a cache with the index `BY_SELECTOR`. */
export function selecting<T extends Selecting>(objects: Lister<T>, { metadata }: KubernetesObject): readonly T[] {
  const { namespace = '', labels } = metadata ?? {};
  const found = [...objects.byIndex(BY_SELECTOR, namespace)];
  for (const key in labels) found.push(...objects.byIndex(BY_SELECTOR, labelKey(namespace, key, labels[key] ?? '')));
  return found.filter(({ spec }) => selects(spec?.selector, labels));
}

/** As `selecting`, but an object without labels has no owner. */
export function ownersSelecting<T extends Selecting>(owners: Lister<T>, object: KubernetesObject): readonly T[] {
  return Object.keys(object.metadata?.labels ?? {}).length === 0 ? [] : selecting(owners, object);
}

/** Names a label within a namespace. */
export function labelKey(namespace: string, key: string, value: string): string {
  return `${namespace} ${key}=${value}`;
}
