import type { OwnerReference } from '../../../api/meta.ts';
import type { ContainerExtendedResourceRequest } from '../../../api/pod.ts';
import type { ResourceClaim } from '../../../api/resource-claims.ts';
import type { NodeInfo } from '../../../framework/node-info.ts';
import type { PodInfo } from '../../../framework/pod-info.ts';
import type { ExtendedAsk } from './extended-ask.ts';
import type { ResourceClasses } from './resource-classes.ts';

/** The annotation of a claim that the scheduler has made for extended resources. */
const ANNOTATION = 'resource.kubernetes.io/extended-resource-claim';
const ANNOTATIONS = { [ANNOTATION]: 'true' };

/** No name that an object can have: the claim is in memory alone. */
const NAME_IN_MEMORY = '<extended-resources>';

/** The claim as one node would serve it, and the containers that get its devices. */
export interface NodeClaim {
  /** The resources that the node leaves to devices, as a key. */
  readonly resources: string;
  readonly claim: ResourceClaim;
  readonly mappings: readonly ContainerExtendedResourceRequest[];
}

/** Why a node cannot serve the extended resources. */
export type ExtendedRefusal = 'cannot schedule extended resource claim' | 'cannot fit resource';

/**
 * The claim for a pod's extended resources that devices back, in one attempt (upstream's extendeddynamicresources.go).
 * It is in memory until the pod is bound. A claim that an earlier attempt has written is of no use: no node is accepted
 * until it is deleted.
 */
export class ExtendedClaim {
  readonly isLeftOver: boolean;
  readonly #pod: PodInfo;
  readonly #ask: ExtendedAsk;
  readonly #hasOtherClaims: boolean;
  #claim: ResourceClaim | null;
  /** The claims by the resources that nodes leave to devices; most attempts meet one kind of node. */
  readonly #nodeClaims: NodeClaim[] = [];

  /**
   * `leftOver`: the claim that an earlier attempt has made for the pod. `hasOtherClaims`: whether the pod names claims
   * beside its extended resources.
   */
  constructor(pod: PodInfo, classes: ResourceClasses, leftOver: ResourceClaim | undefined, hasOtherClaims: boolean) {
    this.#pod = pod;
    this.#ask = classes.askOf(pod);
    this.#hasOtherClaims = hasOtherClaims;
    this.isLeftOver = leftOver !== undefined;
    this.#claim = leftOver ?? null;
  }

  /** The claim without requests, or the one that was written earlier. */
  get claim(): ResourceClaim {
    this.#claim ??= newClaim(this.#pod);
    return this.#claim;
  }

  /** All of the pod on which `on` depends beside the classes. */
  get key(): string {
    return this.#hasOtherClaims ? `${this.#ask.key} beside claims` : this.#ask.key;
  }

  /** The claim for what the node leaves to devices; null if that is nothing; or why the node is rejected. */
  on({ allocatable }: NodeInfo): NodeClaim | ExtendedRefusal | null {
    if (this.isLeftOver) return 'cannot schedule extended resource claim';
    const resources = this.#ask.leftToDevices(allocatable);
    if (resources === null) return 'cannot fit resource';
    if (resources === '' && !this.#hasOtherClaims) return null;
    for (const known of this.#nodeClaims) if (known.resources === resources) return known;
    const { spec, mappings } = this.#ask.requestsFor(resources, allocatable);
    const made = { resources, claim: { metadata: this.claim.metadata, spec }, mappings };
    this.#nodeClaims.push(made);
    return made;
  }
}

/** The claim as it is created: the API server gives it a name. */
export function claimToCreate({ metadata, spec }: ResourceClaim): ResourceClaim {
  const { namespace, generateName, annotations, ownerReferences } = metadata ?? {};
  return { metadata: { namespace, generateName, annotations, ownerReferences }, spec };
}

/** The prefix of the claim's name. */
export function generateNameOf(podName: string): string {
  return `${podName}-extended-resources-`;
}

/** The UID of the pod's claim while it is in memory. */
export function uidInMemory({ namespace, name, uid }: PodInfo): string {
  return `extended-resources-of-${namespace}/${name}/${uid}`;
}

function newClaim(pod: PodInfo): ResourceClaim {
  const { namespace, name, uid } = pod;
  const owner = { apiVersion: 'v1', kind: 'Pod', name, uid, controller: true };
  return {
    metadata: {
      name: NAME_IN_MEMORY,
      namespace,
      uid: uidInMemory(pod),
      generateName: generateNameOf(name),
      annotations: ANNOTATIONS,
      ownerReferences: [owner],
    },
    spec: {},
  };
}

/** The claim that was made for the pod's extended resources. */
export function claimMadeFor({ name, uid }: PodInfo, claims: Iterable<ResourceClaim>): ResourceClaim | undefined {
  for (const claim of claims) {
    if (extendedClaimOwners(claim).some((owner) => owner.name === name && owner.uid === uid)) return claim;
  }
  return undefined;
}

/** The pods for whose extended resources the claim was made. */
export function extendedClaimOwners({ metadata }: ResourceClaim): readonly OwnerReference[] {
  const { annotations, ownerReferences } = metadata ?? {};
  if (annotations?.[ANNOTATION] !== 'true' || ownerReferences === undefined) return NO_OWNERS;
  const [first] = ownerReferences;
  if (ownerReferences.length === 1 && first?.controller === true) return ownerReferences;
  return ownerReferences.filter((owner) => owner.controller === true);
}

const NO_OWNERS: readonly OwnerReference[] = [];
