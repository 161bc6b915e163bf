import { isDeviceResourceName } from '../../../api/resources.ts';
import type { ClusterState } from '../../../framework/cluster/cluster-state.ts';
import { generatedNames } from '../claims/claim-api.ts';
import { claimMadeFor, generateNameOf } from './extended-claim.ts';

/**
 * Removes the pod from a cluster without an API, and the claim that was made for its extended resources: no controller
 * gives the devices back there. @throws SchedulerError NotFound
 */
export function removePodWithClaims({ pods, objects }: ClusterState, namespace: string, name: string): void {
  const pod = pods.get(namespace, name);
  pods.remove(namespace, name);
  if (pod === undefined || objects.isEmpty('ResourceClaim')) return;
  if (![...pod.requirements.requests.scalar.keys()].some(isDeviceResourceName)) return;
  for (const claimName of generatedNames(namespace, generateNameOf(name), pod.uid)) {
    const claim = objects.get('ResourceClaim', claimName, namespace);
    if (claim === undefined) return;
    if (claimMadeFor(pod, [claim]) !== undefined) objects.remove('ResourceClaim', claimName, namespace);
  }
}
