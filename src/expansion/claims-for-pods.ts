import { ownerOf } from '../api/claims-of-pod.ts';
import { podKey } from '../api/object-name.ts';
import type { Pod, PodResourceClaim } from '../api/pod.ts';
import { isPodFinished } from '../api/pod-conditions.ts';
import type { ResourceClaim, ResourceClaimTemplate } from '../api/resource-claims.ts';
import { claimFromTemplate, missingClaims, referenceOf } from '../controllers/resource-claim/claims-of-pods.ts';
import { derivedUuid } from '../lib/derived-uuid.ts';
import { GeneratedNames } from './generated-name.ts';

/** The claims that the controller of claims would make, and the pods that have them. */
export interface ClaimsForPods {
  readonly claims: readonly ResourceClaim[];
  /** The pods that got claims, by the pods without them. */
  readonly claimed: ReadonlyMap<Pod, Pod>;
  /** Pods whose template is not there, so that they have no claim. */
  readonly withoutTemplate: readonly Pod[];
}

/** Makes the claims that pods lack from their templates, as the controller of claims does. */
export function claimsForPods(
  pods: readonly Pod[],
  templates: readonly ResourceClaimTemplate[],
  present: readonly ResourceClaim[],
): ClaimsForPods {
  const byKey = new Map(templates.map((template) => [keyOf(template), template]));
  const ownNames = new Map(
    present.map((claim) => [`${ownerOf(claim)?.uid} ${referenceOf(claim)}`, claim.metadata?.name ?? '']),
  );
  const names = new GeneratedNames(present.map(keyOf));
  const claims: ResourceClaim[] = [];
  const claimed = new Map<Pod, Pod>();
  const withoutTemplate: Pod[] = [];
  const claimOf = (pod: Pod, { name, resourceClaimTemplateName = '' }: PodResourceClaim): string | undefined => {
    const own = ownNames.get(`${pod.metadata?.uid} ${name}`);
    if (own !== undefined) return own;
    const { namespace = '' } = pod.metadata ?? {};
    const template = byKey.get(`${namespace}/${resourceClaimTemplateName}`);
    if (template === undefined) return undefined;
    const { metadata, spec } = claimFromTemplate(pod, name, template);
    const { generateName = '', ...rest } = metadata ?? {};
    const claimName = names.next(namespace, generateName);
    claims.push({ metadata: { ...rest, name: claimName, namespace }, spec });
    return claimName;
  };
  for (const pod of pods) {
    const missing = missingClaims(pod);
    if (missing.length === 0 || isPodFinished(pod) || pod.metadata?.deletionTimestamp !== undefined) continue;
    const owner = withUid(pod);
    const made = missing.flatMap((reference) => {
      const resourceClaimName = claimOf(owner, reference);
      return resourceClaimName === undefined ? [] : [{ name: reference.name, resourceClaimName }];
    });
    if (made.length < missing.length) withoutTemplate.push(pod);
    const resourceClaimStatuses = [...(pod.status?.resourceClaimStatuses ?? []), ...made];
    claimed.set(pod, { ...owner, status: { ...pod.status, resourceClaimStatuses } });
  }
  return { claims, claimed, withoutTemplate };
}

/** The pod with a uid, by which claims name their owner. */
function withUid(pod: Pod): Pod {
  if (pod.metadata?.uid) return pod;
  return { ...pod, metadata: { ...pod.metadata, uid: derivedUuid(`Pod/${podKey(pod)}`) } };
}

function keyOf({ metadata }: ResourceClaim | ResourceClaimTemplate): string {
  return `${metadata?.namespace || 'default'}/${metadata?.name}`;
}
