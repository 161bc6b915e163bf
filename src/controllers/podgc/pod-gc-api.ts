import type { Node } from '../../api/node.ts';
import type { Pod, PodCondition } from '../../api/pod.ts';
import { isPodFinished, withPodCondition } from '../../api/pod-conditions.ts';
import { podStatusPatch } from '../../api/pod-status-patch.ts';
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

/** The condition that shows in the status why the pod was deleted. */
export type DisruptionCondition = Pick<PodCondition, 'type' | 'status' | 'reason' | 'message'>;

/**
 * Deletes a pod that nothing else will delete. A pod that has not ended is first set to `Failed`, with the condition,
 * if any, since a controller that counts its success or failure would otherwise find it running for ever. If that is
 * refused, the pod stays until the next pass.
 *
 * @throws ApiError
 */
export function failAndDeletePod(api: PodGcApi, pod: Pod, nowMillis: number, condition?: DisruptionCondition): void {
  const { namespace = '', name = '' } = pod.metadata ?? {};
  if (!isPodFinished(pod)) markFailed(api, pod, nowMillis, condition);
  api.deletePod(namespace, name);
}

function markFailed(api: PodGcApi, pod: Pod, nowMillis: number, condition: DisruptionCondition | undefined): void {
  const { namespace = '', name = '', uid = '', generation: observedGeneration } = pod.metadata ?? {};
  const before = pod.status ?? {};
  const failed = { ...before, phase: 'Failed', observedGeneration };
  const after =
    condition === undefined ? failed : withPodCondition(failed, { ...condition, observedGeneration }, nowMillis);
  const patch = podStatusPatch(uid, before, after);
  if (patch !== undefined) api.patchPodStatus(namespace, name, patch);
}
