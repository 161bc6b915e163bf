import { isReservedFor } from '../../api/claims-of-pod.ts';
import type { PostFilterContext } from '../../framework/post-filter.ts';
import { errorStatus, type Status, unschedulable } from '../../framework/status.ts';
import { ATTEMPT, isActive } from './attempt-state.ts';
import type { ClaimWriter } from './claim-writer.ts';

/** Why a node rejects a pod whose claim has devices that it cannot use. */
export const UNAVAILABLE = 'resourceclaim not available on the node';

/**
 * Gives up one claim of a pod that fits nowhere, if no node can use it as it is and nobody else uses it, or deletes the
 * claim for extended resources that an earlier attempt has left. An explanation writes nothing.
 */
export function giveUpClaim(
  plugin: string,
  { podState, pod, explain, statuses }: PostFilterContext,
  writer: ClaimWriter,
): Status {
  const attempt = podState.read(ATTEMPT);
  // As upstream, this fails if an earlier plugin has ended PreFilter, so that the plugin's state was not written.
  if (attempt === undefined) return errorStatus(plugin, 'not found');
  if (!isActive(attempt)) return unschedulable(plugin, 'no new claims to deallocate');
  if (attempt.extended?.isLeftOver) {
    const problem = explain ? null : writer.delete(attempt.extended.claim);
    if (problem !== null) return errorStatus(plugin, problem);
    return unschedulable(plugin, 'deletion of ResourceClaim completed');
  }
  const isRefusal = (status: Status | null) => status?.plugin === plugin && status.reasons.includes(UNAVAILABLE);
  const rejecting = () =>
    statuses.nodesWithCode('UnschedulableAndUnresolvable').filter(({ name }) => isRefusal(statuses.statusOf(name)));
  for (const { claim, isUsableOn, isUsableAnywhere } of attempt.claims) {
    if (isUsableAnywhere || rejecting().every(({ node }) => isUsableOn(node))) continue;
    const users = claim.status?.reservedFor ?? [];
    if (users.length > 1 || (users.length === 1 && !isReservedFor(claim, pod))) continue;
    const { allocation: _allocation, reservedFor: _users, devices: _devices, ...status } = claim.status ?? {};
    if (!explain) writer.deallocate({ ...claim, status });
    return unschedulable(plugin, 'deallocation of ResourceClaim completed');
  }
  return unschedulable(plugin, 'still not schedulable');
}
