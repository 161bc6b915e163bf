import type { ObjectMeta } from '../../api/meta.ts';
import type { ResourceClaim, ResourceClaimStatus } from '../../api/resource-claims.ts';
import { isObject } from '../../api/validation/check.ts';
import { isChangedClaimValid, isFrozenStatusValid } from '../../api/validation/resource-claims.ts';
import { frozenCopy, isSame } from '../objects/frozen-copy.ts';
import { RESOURCES } from '../objects/resources.ts';
import { PlainStrategy } from './plain-strategy.ts';

const HEAD = { apiVersion: RESOURCES.resourceclaims.apiVersion, kind: RESOURCES.resourceclaims.kind };

/**
 * The strategy of resource claims. A claim is made like the one before it, and written again with other finalizers,
 * devices and users: then only what differs is copied and checked. All other writes take the way of other kinds.
 */
export class ClaimStrategy extends PlainStrategy<ResourceClaim> {
  /** The last new claim. */
  #lastNew: ResourceClaim | undefined;

  override create(claim: ResourceClaim, metadata: ObjectMeta): ResourceClaim {
    const last = this.#lastNew;
    if (last !== undefined && isSame(claim.spec, last.spec)) {
      const next = isPlain(claim) ? changed(last, metadata, last.status) : null;
      if (next !== null) return next;
    }
    this.#lastNew = super.create(claim, metadata);
    return this.#lastNew;
  }

  override update(claim: ResourceClaim, metadata: ObjectMeta, stored: ResourceClaim): ResourceClaim {
    const next = claim.spec === stored.spec && isPlain(claim) ? changed(stored, metadata, stored.status) : null;
    return next ?? super.update(claim, metadata, stored);
  }

  /** The status itself where it is valid, and the stored claim has no other members. */
  frozenStatus(stored: ResourceClaim, status: ResourceClaimStatus): ResourceClaimStatus | undefined {
    if (!isPlain(stored) || stored.spec === undefined) return undefined;
    if (isSame(status, stored.status)) return stored.status;
    return isFrozenStatusValid(status) ? status : undefined;
  }

  override updateStatus(claim: ResourceClaim, stored: ResourceClaim): ResourceClaim {
    if (!isObject(claim.status)) return super.updateStatus(claim, stored);
    const next = changed(stored, stored.metadata, frozenCopy(claim.status, stored.status));
    return next ?? super.updateStatus(claim, stored);
  }
}

/** The stored claim with other metadata and another status, which are frozen; null if it is not valid. */
function changed(
  stored: ResourceClaim,
  metadata: ObjectMeta | undefined,
  status: ResourceClaim['status'],
): ResourceClaim | null {
  const { apiVersion, kind, spec } = stored;
  if (spec === undefined || status === undefined || !isPlain(stored)) return null;
  if (metadata === stored.metadata && status === stored.status) return stored;
  const next = { apiVersion, kind, metadata, spec, status } as ResourceClaim;
  return isChangedClaimValid(next, stored) ? Object.freeze(next) : null;
}

/** Whether the claim has no members but those of its kind, whose name it need not say. */
function isPlain(claim: ResourceClaim): boolean {
  for (const key in claim) if (!isMember(key)) return false;
  return (claim.apiVersion ?? HEAD.apiVersion) === HEAD.apiVersion && (claim.kind ?? HEAD.kind) === HEAD.kind;
}

function isMember(key: string): boolean {
  return key === 'apiVersion' || key === 'kind' || key === 'metadata' || key === 'spec' || key === 'status';
}
