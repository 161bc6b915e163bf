import { ApiError } from '../../store/objects/api-error.ts';
import type { StoreClient } from '../../store/objects/store-client.ts';

/** The API calls that a node agent makes. */
export type AgentClient = Pick<StoreClient, 'get' | 'create' | 'update' | 'updateStatus' | 'delete'>;

/** A client that fails while the agent cannot reach the API. */
export function reachableClient(client: StoreClient, isReachable: () => boolean): AgentClient {
  const reached = (): StoreClient => {
    if (isReachable()) return client;
    throw new ApiError('ServiceUnavailable', 'the API cannot be reached from this node');
  };
  return {
    get: (resource, namespace, name) => reached().get(resource, namespace, name),
    create: (resource, object) => reached().create(resource, object),
    update: (resource, object) => reached().update(resource, object),
    updateStatus: (resource, object) => reached().updateStatus(resource, object),
    delete: (resource, namespace, name, options) => reached().delete(resource, namespace, name, options),
  };
}
