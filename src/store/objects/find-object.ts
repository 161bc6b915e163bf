import { ifFound } from './api-error.ts';
import type { Resource, Resources } from './resources.ts';
import type { StoreClient } from './store-client.ts';

/** The object; undefined if it does not exist, for which a store makes no error. @throws ApiError every other one */
export function findObject<R extends Resource>(
  client: Pick<StoreClient, 'get' | 'find'>,
  resource: R,
  namespace: string,
  name: string,
): Resources[R] | undefined {
  if (client.find !== undefined) return client.find(resource, namespace, name);
  return ifFound(() => client.get(resource, namespace, name));
}
