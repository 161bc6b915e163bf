import type { OwnerReference } from '../../../api/meta.ts';
import { type Container, type ContainerExtendedResourceRequest, isSidecar } from '../../../api/pod.ts';
import type { ResourceClaim } from '../../../api/resource-claims.ts';
import { isDeviceResourceName } from '../../../api/resources.ts';
import type { NodeInfo } from '../../../framework/node-info.ts';
import type { PodInfo } from '../../../framework/pod-info.ts';
import { containerRequests } from './container-requests.ts';
import type { ResourceClasses } from './resource-classes.ts';

/** The annotation of a claim that the scheduler has made for extended resources. */
const ANNOTATION = 'resource.kubernetes.io/extended-resource-claim';

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
  /** The claim without requests, or the one that was written earlier. */
  readonly claim: ResourceClaim;
  readonly isLeftOver: boolean;
  readonly #pod: PodInfo;
  readonly #classes: ResourceClasses;
  readonly #hasOtherClaims: boolean;
  /** The claims by the resources that a node leaves to devices. */
  readonly #byResources = new Map<string, NodeClaim>();

  /**
   * `leftOver`: the claim that an earlier attempt has made for the pod. `hasOtherClaims`: whether the pod names claims
   * beside its extended resources.
   */
  constructor(pod: PodInfo, classes: ResourceClasses, leftOver: ResourceClaim | undefined, hasOtherClaims: boolean) {
    this.#pod = pod;
    this.#classes = classes;
    this.#hasOtherClaims = hasOtherClaims;
    this.isLeftOver = leftOver !== undefined;
    this.claim = leftOver ?? newClaim(pod);
  }

  /** All of the pod on which `on` depends beside the classes. */
  get key(): string {
    const { spec } = this.#pod.pod;
    const resourcesOf = (containers: readonly Container[] = []) =>
      containers.map((container) => [isSidecar(container), container.resources?.requests]);
    const names = [...this.#pod.requirements.requests.scalar].flatMap(([name, amount]) => (amount === 0 ? [] : name));
    return JSON.stringify([
      this.#hasOtherClaims,
      resourcesOf(spec?.initContainers),
      resourcesOf(spec?.containers),
      names,
    ]);
  }

  /** The claim for what the node leaves to devices; null if that is nothing; or why the node is rejected. */
  on({ allocatable }: NodeInfo): NodeClaim | ExtendedRefusal | null {
    if (this.isLeftOver) return 'cannot schedule extended resource claim';
    const classes = new Map<string, string>();
    for (const [name, amount] of this.#pod.requirements.requests.scalar) {
      if (amount === 0 || !isDeviceResourceName(name)) continue;
      const deviceClass = this.#classes.of(name);
      if (deviceClass !== undefined && !allocatable.scalar.get(name))
        classes.set(name, deviceClass.metadata?.name ?? '');
      else if (!allocatable.scalar.has(name)) return 'cannot fit resource';
    }
    if (classes.size === 0 && !this.#hasOtherClaims) return null;
    const resources = [...classes.keys()].join();
    let known = this.#byResources.get(resources);
    if (known === undefined) {
      const { requests, mappings } = containerRequests(this.#pod.pod, classes);
      const devices = requests.length === 0 ? {} : { requests };
      known = { resources, claim: { ...this.claim, spec: { devices } }, mappings };
      this.#byResources.set(resources, known);
    }
    return known;
  }
}

/** The claim as it is created: the API server gives it a name. */
export function claimToCreate({ metadata, spec }: ResourceClaim): ResourceClaim {
  const { name: _name, uid: _uid, ...others } = metadata ?? {};
  return { metadata: others, ...(spec !== undefined && { spec }) };
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
      annotations: { [ANNOTATION]: 'true' },
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
  return ownerReferences.filter((owner) => owner.controller === true);
}

const NO_OWNERS: readonly OwnerReference[] = [];
