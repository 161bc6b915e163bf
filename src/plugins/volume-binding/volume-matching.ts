import { compileLabelSelector, type Selector } from '../../api/label-selector.ts';
import type { Node } from '../../api/node.ts';
import { parseQuantity } from '../../api/quantity.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '../../api/storage.ts';
import { claimClassName, isVolumeBoundToClaim, volumeClassName } from '../../api/volume-claims.ts';
import { memoized } from '../../lib/memoized.ts';
import { LabelBuckets } from './label-buckets.ts';
import { isReachable, requiredLabelOfVolume } from './volume-topology.ts';

/** A claim without a volume, with the existing volumes that match on any node. */
export interface UnboundClaim {
  readonly claim: PersistentVolumeClaim;
  readonly requestNano: bigint;
  /** The volumes that name the claim already, in the order in which they became known. */
  readonly prebound: readonly PersistentVolume[];
  /** The free volumes that match, smallest first. */
  readonly available: readonly PersistentVolume[];
  /** `available` by the nodes that can reach the volumes. */
  readonly reachable: LabelBuckets<PersistentVolume>;
  /** Upstream's error for a claim with a malformed selector; null if there is none. */
  readonly error: string | null;
}

/**
 * The part of FindMatchingVolume that does not depend on the node (component-helpers' pv_helpers.go). `volumes` are
 * those of the claim's class that may match.
 *
 * @throws CodedError `InvalidQuantity`
 */
export function unboundClaim(claim: PersistentVolumeClaim, volumes: readonly PersistentVolume[]): UnboundClaim {
  const requestNano = nanoOf(claim.spec?.resources?.requests?.['storage']);
  const selector = claim.spec?.selector ? compileLabelSelector(claim.spec.selector) : null;
  if (selector !== null && 'error' in selector) {
    const { namespace, name } = claim.metadata ?? {};
    const error = `error creating internal label selector for claim: ${namespace}/${name}: ${selector.error}`;
    return { claim, requestNano, prebound: [], available: [], reachable: bucketsOf([]), error };
  }
  const prebound: PersistentVolume[] = [];
  const available: { volume: PersistentVolume; capacityNano: bigint }[] = [];
  for (const volume of volumes) {
    const capacityNano = capacityNanoOf(volume).nano;
    if (capacityNano < requestNano || modeOf(volume) !== modeOf(claim) || volume.metadata?.deletionTimestamp) continue;
    if (attributesClassOf(volume) !== attributesClassOf(claim)) continue;
    if (isVolumeBoundToClaim(volume, claim)) prebound.push(volume);
    else if (isAvailable(volume, claim, selector)) available.push({ volume, capacityNano });
  }
  available.sort((a, b) => compare(a.capacityNano, b.capacityNano));
  const volumesBySize = available.map(({ volume }) => volume);
  return { claim, requestNano, prebound, available: volumesBySize, reachable: bucketsOf(volumesBySize), error: null };
}

function bucketsOf(volumes: readonly PersistentVolume[]): LabelBuckets<PersistentVolume> {
  return new LabelBuckets(volumes, (volume) => requiredLabelOfVolume(volume).label);
}

/**
 * The volume of the claim if the pod goes to the node: the prebound one, or else the smallest; null if there is none.
 * `taken` holds the volumes of the pod's other claims.
 */
export function findMatchingVolume(
  { prebound, reachable }: UnboundClaim,
  node: Node,
  taken: ReadonlySet<PersistentVolume>,
): PersistentVolume | null {
  const kept = prebound.find((volume) => !taken.has(volume));
  // No other volume may take the place of a prebound one that cannot be reached.
  if (kept !== undefined) return isReachable(kept, node) ? kept : null;
  const labels = node.metadata?.labels ?? {};
  return reachable.find(
    labels,
    (volume) => !taken.has(volume) && (requiredLabelOfVolume(volume).isEnough || isReachable(volume, node)),
  );
}

/** Sorts the smallest request first, so that large volumes remain for large claims. */
export function bySize(a: UnboundClaim, b: UnboundClaim): number {
  return compare(a.requestNano, b.requestNano);
}

function isAvailable(volume: PersistentVolume, claim: PersistentVolumeClaim, selector: Selector | null): boolean {
  if (volume.spec?.claimRef || volume.status?.phase !== 'Available') return false;
  if (selector !== null && !selector.matches(volume.metadata?.labels)) return false;
  if (volumeClassName(volume) !== claimClassName(claim)) return false;
  const modes = volume.spec?.accessModes ?? [];
  return (claim.spec?.accessModes ?? []).every((mode) => modes.includes(mode));
}

function modeOf({ spec }: PersistentVolume | PersistentVolumeClaim): string {
  return spec?.volumeMode ?? 'Filesystem';
}

function attributesClassOf({ spec }: PersistentVolume | PersistentVolumeClaim): string {
  return spec?.volumeAttributesClassName ?? '';
}

const capacityNanoOf = memoized((volume: PersistentVolume): { readonly nano: bigint } => {
  return { nano: nanoOf(volume.spec?.capacity?.['storage']) };
});

function nanoOf(quantity: string | number | undefined): bigint {
  return quantity === undefined ? 0n : parseQuantity(quantity).nano;
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
