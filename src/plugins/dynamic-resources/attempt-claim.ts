import { compileRequiredNodeAffinity } from '../../api/node-selector.ts';
import type { ResourceClaim } from '../../api/resource-claims.ts';
import type { AttemptClaim } from './attempt-state.ts';

/** The claim as an attempt sees it. `isStuck`: no node can use it, because its devices do not get ready. */
export function attemptClaim(claim: ResourceClaim, isStuck: boolean): AttemptClaim {
  const allocation = claim.status?.allocation;
  if (allocation === undefined) return { claim, isUsableOn: anywhere, isUsableAnywhere: true };
  const { nodeSelector } = allocation;
  const affinity = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: nodeSelector } };
  const required = nodeSelector === undefined ? null : compileRequiredNodeAffinity({ affinity });
  return {
    claim,
    isUsableOn: (node) => !isStuck && (required === null || required.match(node)),
    isUsableAnywhere: !isStuck && required === null,
  };
}

function anywhere(): boolean {
  return true;
}
