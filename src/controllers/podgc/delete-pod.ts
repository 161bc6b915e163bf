import type { Pod, PodCondition } from '../../api/pod.ts';
import { isPodFinished, withPodCondition } from '../../api/pod-conditions.ts';
import { podStatusPatch } from '../../api/pod-status-patch.ts';
import type { PodGcApi } from './pod-gc-api.ts';

/** Why the pod is deleted, told in its status. */
export type DisruptionCondition = Pick<PodCondition, 'type' | 'status' | 'reason' | 'message'>;

/**
 * Deletes a pod that nobody else will delete. One that has not ended is made to fail first, with the condition, if any:
 * who counts the pod's success or failure must not find it running for ever. When that is refused the pod stays, until
 * the next pass.
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
