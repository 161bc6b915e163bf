import { ownerOf, owningGroupOf } from '../api/claims-of-pod.ts';
import type { KubernetesObject } from '../api/meta.ts';
import type { Pod, PodResourceClaim } from '../api/pod.ts';
import { isPodFinished } from '../api/pod-conditions.ts';
import { type PodGroup, podGroupKeyOf, sharesClaim } from '../api/pod-group.ts';
import type { ResourceClaim, ResourceClaimTemplate } from '../api/resource-claims.ts';
import {
  claimFromTemplate,
  missingClaims,
  OF_GROUP,
  OF_POD,
  referenceOf,
} from '../controllers/resource-claim/claims-of-pods.ts';
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

/** What claims are made from. */
export interface ClaimSources {
  readonly templates: readonly ResourceClaimTemplate[];
  /** The claims that are there already. */
  readonly present: readonly ResourceClaim[];
  /** The groups with which pods share claims; absent: pods share none. */
  readonly groups?: readonly PodGroup[];
}

/** Makes the claims that pods and their groups lack from their templates, as the controller of claims does. */
export function claimsForPods(pods: readonly Pod[], sources: ClaimSources): ClaimsForPods {
  const maker = new ClaimMaker(sources);
  const claimed = new Map<Pod, Pod>();
  const withoutTemplate: Pod[] = [];
  for (const pod of pods) {
    const missing = missingClaims(pod);
    if (missing.length === 0 || isPodFinished(pod) || pod.metadata?.deletionTimestamp !== undefined) continue;
    const owner = withUid('Pod', pod);
    const made = missing.flatMap((reference) => {
      const resourceClaimName = maker.claimOf(owner, reference);
      return resourceClaimName === undefined ? [] : [{ name: reference.name, resourceClaimName }];
    });
    if (made.length < missing.length) withoutTemplate.push(pod);
    const resourceClaimStatuses = [...(pod.status?.resourceClaimStatuses ?? []), ...made];
    claimed.set(pod, { ...owner, status: { ...pod.status, resourceClaimStatuses } });
  }
  return { claims: maker.claims, claimed, withoutTemplate };
}

class ClaimMaker {
  readonly claims: ResourceClaim[] = [];
  readonly #templates: ReadonlyMap<string, ResourceClaimTemplate>;
  readonly #groups: ReadonlyMap<string, PodGroup>;
  /** The claims by owner and reference. */
  readonly #known = new Map<string, string>();
  readonly #names: GeneratedNames;

  constructor({ templates, present, groups = [] }: ClaimSources) {
    this.#templates = new Map(templates.map((template) => [keyOf(template), template]));
    this.#groups = new Map(groups.map((group) => [keyOf(group), withUid('PodGroup', group)]));
    this.#names = new GeneratedNames(present.map(keyOf));
    for (const claim of present) {
      const { name = '' } = claim.metadata ?? {};
      this.#known.set(`${ownerOf(claim)?.uid} ${referenceOf(claim, OF_POD)}`, name);
      this.#known.set(`${owningGroupOf(claim)?.uid} ${referenceOf(claim, OF_GROUP)}`, name);
    }
    for (const { metadata, status } of this.#groups.values()) {
      for (const { name, resourceClaimName = '' } of status?.resourceClaimStatuses ?? []) {
        this.#known.set(`${metadata?.uid} ${name}`, resourceClaimName);
      }
    }
  }

  /** The name of the claim of the pod, or of its group if they share it; undefined if there is no template for it. */
  claimOf(pod: Pod, reference: PodResourceClaim): string | undefined {
    const group = this.#groups.get(podGroupKeyOf(pod));
    const isShared = group !== undefined && sharesClaim(group, reference);
    const [kind, owner] = isShared ? [OF_GROUP, group] : [OF_POD, pod];
    const { name, resourceClaimTemplateName = '' } = reference;
    const own = `${owner.metadata?.uid} ${name}`;
    const known = this.#known.get(own);
    if (known !== undefined) return known;
    const { namespace = 'default' } = owner.metadata ?? {};
    const template = this.#templates.get(`${namespace}/${resourceClaimTemplateName}`);
    if (template === undefined) return undefined;
    const { metadata, spec } = claimFromTemplate(kind, owner, name, template);
    const { generateName = '', ...rest } = metadata ?? {};
    const claimName = this.#names.next(namespace, generateName);
    this.claims.push({ metadata: { ...rest, name: claimName, namespace }, spec });
    this.#known.set(own, claimName);
    return claimName;
  }
}

/** The object with a uid, by which claims name their owner. */
function withUid<T extends KubernetesObject>(kind: string, object: T): T {
  if (object.metadata?.uid) return object;
  return { ...object, metadata: { ...object.metadata, uid: derivedUuid(`${kind}/${keyOf(object)}`) } };
}

function keyOf({ metadata }: KubernetesObject): string {
  return `${metadata?.namespace || 'default'}/${metadata?.name}`;
}
