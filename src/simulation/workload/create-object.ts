import type { KubernetesObject } from '../../api/meta.ts';
import type { Store } from '../../store/store.ts';
import type { SubmittedObject } from './submitted-object.ts';

/** Creates an object. Of a namespace that every API has from the beginning, labels and annotations are taken. */
export function createObject(store: Store, { resource, object }: SubmittedObject): KubernetesObject {
  const { name = '', labels = {}, annotations = {} } = object.metadata ?? {};
  const isThere =
    resource === 'namespaces' && store.list('namespaces').items.some((known) => known.metadata?.name === name);
  if (!isThere) return store.create(resource, object);
  return store.patch('namespaces', '', name, { type: 'merge', body: { metadata: { labels, annotations } } });
}
