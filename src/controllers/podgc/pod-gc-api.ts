import type { Node } from '../../api/node.ts';
import type { StoreClient } from '../../store/objects/store-client.ts';

/** The API as the pod garbage collector uses it. Every call may throw an `ApiError`. */
export interface PodGcApi {
  /** Patches a pod's status subresource by a strategic merge patch. */
  patchPodStatus(namespace: string, name: string, patch: unknown): void;
  /** Deletes a pod without a grace period. */
  deletePod(namespace: string, name: string): void;
  /** Reads the current node, past all caches. @throws ApiError NotFound */
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
