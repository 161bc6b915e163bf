import type { Node } from '../../api/node.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '../../api/storage.ts';
import { SELECTED_NODE_ANNOTATION } from '../../api/volume-claims.ts';
import type { ClusterObjects } from '../../framework/cluster-objects.ts';
import { combined } from '../../lib/combined.ts';
import type { AssumeCache } from './assume-cache.ts';
import { asOnNode } from './csi-migration.ts';
import type { PodVolumeClaims } from './pod-volume-claims.ts';
import { checkProvisioning } from './provisioning.ts';
import { bySize, findMatchingVolume, type UnboundClaim } from './volume-matching.ts';
import { isReachable } from './volume-topology.ts';

const NODE_CONFLICT = "node(s) didn't match PersistentVolume's node affinity";
const VOLUME_NOT_EXIST = 'node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)';

/** The bindings of the pod's claims on one node (upstream's PodVolumes). */
export interface PodVolumes {
  /** The reasons that reject the node; empty if the pod can go there. */
  readonly reasons: readonly string[];
  /** The claims that get an existing volume. */
  readonly staticBindings: readonly StaticBinding[];
  /** The claims for which a volume is to be created. */
  readonly dynamicProvisions: readonly PersistentVolumeClaim[];
}

export interface StaticBinding {
  readonly claim: PersistentVolumeClaim;
  readonly volume: PersistentVolume;
}

const NONE: readonly [] = [];
const NONE_TAKEN: ReadonlySet<PersistentVolume> = new Set();
const NO_VOLUMES: PodVolumes = { reasons: NONE, staticBindings: NONE, dynamicProvisions: NONE };
const BIND_CONFLICT: PodVolumes = {
  ...NO_VOLUMES,
  reasons: ["node(s) didn't find available persistent volumes to bind"],
};
const NOT_ENOUGH_SPACE: PodVolumes = { ...NO_VOLUMES, reasons: ['node(s) did not have enough free storage'] };

/** Finds a volume for every claim of the pod on one node (upstream's FindPodVolumes). */
export function findPodVolumes(
  claims: PodVolumeClaims,
  node: Node,
  objects: ClusterObjects,
  assumed: AssumeCache,
): PodVolumes | { readonly error: string } {
  const boundReason = checkBoundClaims(claims.bound, node, objects, assumed);
  if (typeof boundReason === 'object' && boundReason !== null) return boundReason;
  const unbound = findForUnbound(claims.unboundDelayed, node, objects);
  if ('error' in unbound || boundReason === null) return unbound;
  const reasons = boundReason === NODE_CONFLICT ? [boundReason, ...unbound.reasons] : [...unbound.reasons, boundReason];
  return combined(unbound, { reasons });
}

/** Returns the reason of the first bound claim whose volume is missing or cannot be reached. */
function checkBoundClaims(
  claims: readonly PersistentVolumeClaim[],
  node: Node,
  objects: ClusterObjects,
  assumed: AssumeCache,
): string | null | { readonly error: string } {
  for (const claim of claims) {
    const known = assumed.volume(claim.spec?.volumeName ?? '');
    if (known === undefined) return VOLUME_NOT_EXIST;
    const volume = asOnNode(known, node, objects);
    if ('error' in volume) return volume;
    if (!isReachable(volume, node)) return NODE_CONFLICT;
  }
  return null;
}

function findForUnbound(
  claims: readonly UnboundClaim[],
  node: Node,
  objects: ClusterObjects,
): PodVolumes | { readonly error: string } {
  const [first] = claims;
  if (first === undefined) return NO_VOLUMES;
  if (claims.length === 1) return findForOne(first, node, objects);
  const toProvision: PersistentVolumeClaim[] = [];
  const toMatch: UnboundClaim[] = [];
  for (const unbound of claims) {
    const selectedNode = selectedNodeOf(unbound);
    if (selectedNode === undefined) toMatch.push(unbound);
    else if (selectedNode !== (node.metadata?.name ?? '')) return BIND_CONFLICT;
    else toProvision.push(unbound.claim);
  }

  const staticBindings: StaticBinding[] = [];
  const taken = new Set<PersistentVolume>();
  for (const unbound of toMatch.sort(bySize)) {
    if (unbound.error !== null) return { error: unbound.error };
    const volume = findMatchingVolume(unbound, node, taken);
    if (volume === null) {
      toProvision.push(unbound.claim);
      continue;
    }
    taken.add(volume);
    staticBindings.push({ claim: unbound.claim, volume });
  }

  for (const claim of toProvision) {
    const refused = refusal(claim, node, objects);
    if (refused !== null) return refused;
  }
  return { reasons: NONE, staticBindings, dynamicProvisions: toProvision };
}

/** As `findForUnbound`, for the only claim: most pods have no more, and thousands of nodes may be asked about. */
function findForOne(unbound: UnboundClaim, node: Node, objects: ClusterObjects): PodVolumes | { error: string } {
  const { claim, error } = unbound;
  const selectedNode = selectedNodeOf(unbound);
  if (selectedNode === undefined) {
    if (error !== null) return { error };
    const volume = findMatchingVolume(unbound, node, NONE_TAKEN);
    if (volume !== null) return { ...NO_VOLUMES, staticBindings: [{ claim, volume }] };
  } else if (selectedNode !== (node.metadata?.name ?? '')) return BIND_CONFLICT;
  return refusal(claim, node, objects) ?? { ...NO_VOLUMES, dynamicProvisions: [claim] };
}

/** The node for which the provisioner creates the claim's volume, and for no other. */
function selectedNodeOf({ claim }: UnboundClaim): string | undefined {
  return claim.metadata?.annotations?.[SELECTED_NODE_ANNOTATION];
}

/** Why no volume can be created for the claim; null if one can. */
function refusal(
  claim: PersistentVolumeClaim,
  node: Node,
  objects: ClusterObjects,
): PodVolumes | { readonly error: string } | null {
  const outcome = checkProvisioning(claim, node, objects);
  if (typeof outcome === 'object') return outcome;
  if (outcome === 'impossible') return BIND_CONFLICT;
  return outcome === 'no space' ? NOT_ENOUGH_SPACE : null;
}
