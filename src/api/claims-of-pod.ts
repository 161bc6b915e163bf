import type { Pod } from './pod.ts';
import type { ResourceClaim } from './resource-claims.ts';

/** The names of the claims that the pod uses, as far as they are known. */
export function claimNames({ spec, status }: Pod): string[] {
  const references = spec?.resourceClaims ?? [];
  const names = references.map(
    ({ name, resourceClaimName }) =>
      resourceClaimName ?? status?.resourceClaimStatuses?.find((each) => each.name === name)?.resourceClaimName,
  );
  return [...names, status?.extendedResourceClaimStatus?.resourceClaimName].filter((name) => name !== undefined);
}

/** The UID of the pod that controls the claim. */
export function ownerOf({ metadata }: ResourceClaim): { readonly name: string; readonly uid: string } | undefined {
  const owner = metadata?.ownerReferences?.find(({ controller, kind }) => controller === true && kind === 'Pod');
  return owner === undefined ? undefined : { name: owner.name, uid: owner.uid };
}
