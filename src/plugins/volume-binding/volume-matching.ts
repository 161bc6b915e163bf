import { compileLabelSelector, SELECT_NOTHING } from '../../api/label-selector.ts';
import type { Node } from '../../api/node.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '../../api/storage.ts';
import { claimClassName, isVolumeBoundToClaim } from '../../api/volume-claims.ts';
import type { CandidateVolumes } from './candidate-volumes.ts';
import { type MatchingVolumes, suits } from './free-volumes.ts';
import { nanoOf } from './placed-volume.ts';
import { isReachable } from './volume-topology.ts';

/** A claim without a volume, with the existing volumes that match on any node. */
export interface UnboundClaim {
  readonly claim: PersistentVolumeClaim;
  readonly requestNano: bigint;
  /** The volumes that name the claim already, in the order in which they became known. */
  readonly prebound: readonly PersistentVolume[];
  /** The free volumes that match, as they are now. */
  readonly free: MatchingVolumes;
  /** Upstream's error for a claim with a malformed selector; null if there is none. */
  readonly error: string | null;
}

/**
 * The part of FindMatchingVolume that does not depend on the node (component-helpers' pv_helpers.go).
 *
 * @throws CodedError `InvalidQuantity`
 */
export function unboundClaim(claim: PersistentVolumeClaim, volumes: CandidateVolumes): UnboundClaim {
  const requestNano = nanoOf(claim.spec?.resources?.requests?.['storage']);
  const className = claimClassName(claim);
  const selector = claim.spec?.selector ? compileLabelSelector(claim.spec.selector) : null;
  if (selector !== null && 'error' in selector) {
    const { namespace, name } = claim.metadata ?? {};
    const error = `error creating internal label selector for claim: ${namespace}/${name}: ${selector.error}`;
    const free = volumes.freeOf(className).matching(claim, requestNano, SELECT_NOTHING);
    return { claim, requestNano, prebound: [], free, error };
  }
  const prebound = volumes
    .keptFor(className, claim)
    .filter((kept) => suits(kept, claim, requestNano) && isVolumeBoundToClaim(kept.volume, claim))
    .map(({ volume }) => volume);
  return {
    claim,
    requestNano,
    prebound,
    free: volumes.freeOf(className).matching(claim, requestNano, selector),
    error: null,
  };
}

/**
 * The volume of the claim if the pod goes to the node: the prebound one, or else the smallest; null if there is none.
 * `taken` holds the volumes of the pod's other claims.
 */
export function findMatchingVolume(
  { prebound, free }: UnboundClaim,
  node: Node,
  taken: ReadonlySet<PersistentVolume>,
): PersistentVolume | null {
  const kept = prebound.find((volume) => !taken.has(volume));
  // No other volume may take the place of a prebound one that cannot be reached.
  if (kept !== undefined) return isReachable(kept, node) ? kept : null;
  const found = free.reachable.find(
    node.metadata?.labels ?? {},
    ({ volume }) => !taken.has(volume) && isReachable(volume, node),
  );
  return found?.volume ?? null;
}

/** Sorts the smallest request first, so that large volumes remain for large claims. */
export function bySize(a: UnboundClaim, b: UnboundClaim): number {
  return a.requestNano < b.requestNano ? -1 : a.requestNano > b.requestNano ? 1 : 0;
}
