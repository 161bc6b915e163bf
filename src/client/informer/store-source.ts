import type { Resource, Resources } from '../../store/objects/resources.ts';
import type { ListOptions, StoreClient } from '../../store/objects/store-client.ts';
import type { ListerWatcher } from './reflector.ts';

/** Which objects of a resource are read; absent for all. */
export type SourceFilter = Pick<ListOptions, 'namespace' | 'labelSelector' | 'fieldSelector'>;

/** The source of an informer: a resource of the API. */
export function storeSource<R extends Resource>(
  client: StoreClient,
  resource: R,
  filter: SourceFilter = {},
): ListerWatcher<Resources[R]> {
  return {
    name: resource,
    list: (options) => client.list(resource, { ...filter, ...options }),
    watch: (options) => client.watch(resource, { ...filter, ...options }),
  };
}
