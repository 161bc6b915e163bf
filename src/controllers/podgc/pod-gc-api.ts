import type { Node } from '../../api/node.ts';
import type { StoreClient } from '../../store/objects/store-client.ts';

/** What the pod garbage collector asks of the API. Every call may throw an `ApiError`. */
export interface PodGcApi {
  /** `patch`: a strategic merge patch of the pod, for its status subresource. */
  patchPodStatus(namespace: string, name: string, patch: unknown): void;
  /** At once, without a grace period. */
  deletePod(namespace: string, name: string): void;
  /** As it is now, past every cache. @throws ApiError NotFound */
  getNode(name: string): Node;
}

export function podGcApi(client: StoreClient): PodGcApi {
  return {
    patchPodStatus: (namespace, name, body) => {
      client.patch('pods', namespace, name, { type: 'strategic', body }, 'status');
    },
    deletePod: (namespace, name) => client.delete('pods', namespace, name, { gracePeriodSeconds: 0 }),
    getNode: (name) => client.get('nodes', '', name),
  };
}
