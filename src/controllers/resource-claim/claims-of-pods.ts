import type { Pod, PodResourceClaim } from '../../api/pod.ts';
import { isPodFinished } from '../../api/pod-conditions.ts';
import type { ResourceClaim, ResourceClaimTemplate } from '../../api/resource-claims.ts';
import { controllerReference } from '../pod-creation.ts';

/** The annotation with the name by which the pod refers to a claim that was made for it. */
const POD_CLAIM_NAME = 'resource.kubernetes.io/pod-claim-name';

/** Keeps an allocated claim until its devices are given back. */
export const DELETE_PROTECTION = 'resource.kubernetes.io/delete-protection';

/** The references of the pod to templates for which its status names no claim yet. */
export function missingClaims({ spec, status }: Pod): readonly PodResourceClaim[] {
  const references = spec?.resourceClaims;
  if (references === undefined) return [];
  const known = status?.resourceClaimStatuses ?? [];
  return references.filter(
    ({ name, resourceClaimTemplateName }) =>
      resourceClaimTemplateName !== undefined && !known.some((each) => each.name === name),
  );
}

/** The claim that is to be made for a reference of the pod. */
export function claimFromTemplate(pod: Pod, reference: string, { spec }: ResourceClaimTemplate): ResourceClaim {
  const { namespace, name } = pod.metadata ?? {};
  const { labels, annotations } = spec?.metadata ?? {};
  return {
    metadata: {
      generateName: `${name}-${reference}-`,
      ...(namespace !== undefined && { namespace }),
      ...(labels !== undefined && { labels }),
      annotations: { ...annotations, [POD_CLAIM_NAME]: reference },
      ownerReferences: [controllerReference('v1', 'Pod', pod)],
    },
    spec: spec?.spec ?? {},
  };
}

/** The name by which the pod refers to the claim; undefined for a claim that was not made from a template. */
export function referenceOf({ metadata }: ResourceClaim): string | undefined {
  return metadata?.annotations?.[POD_CLAIM_NAME];
}

/** Whether the pod may still use its claims: it exists, and has not ended. */
export function usesClaims(pod: Pod | undefined, uid: string): boolean {
  return pod !== undefined && pod.metadata?.uid === uid && !isPodFinished(pod);
}
