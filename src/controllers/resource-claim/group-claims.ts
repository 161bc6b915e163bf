import { owningGroupOf } from '../../api/claims-of-pod.ts';
import type { Pod, PodResourceClaim, PodResourceClaimStatus } from '../../api/pod.ts';
import { type PodGroup, podGroupKeyOf, podGroupNameOf, sharesClaim } from '../../api/pod-group.ts';
import type { ResourceClaim, ResourceClaimTemplate } from '../../api/resource-claims.ts';
import type { EventRecorder } from '../../client/events/event-recorder.ts';
import type { Informers } from '../../client/informer/informers.ts';
import type { Lister } from '../../client/informer/lister.ts';
import { splitKey } from '../../client/object-key.ts';
import { LruMap } from '../../lib/lru-map.ts';
import { ifFound } from '../../store/objects/api-error.ts';
import type { StoreClient } from '../../store/objects/store-client.ts';
import { claimFromTemplate, missingClaims, OF_GROUP, referenceOf } from './claims-of-pods.ts';

export interface GroupClaimsModules {
  readonly client: StoreClient;
  readonly informers: Informers;
  readonly recorder: EventRecorder;
}

/** Upstream: maxUIDCacheEntries. */
const GONE_GROUPS_MAX = 500;
const BY_GROUP = 'group whose claims the pod may share';
const BY_OWNING_GROUP = 'group of pods that controls the claim';

/**
 * The claims that pods share with their group (feature gate DRAWorkloadResourceClaims): one is made for the group, and
 * named in its status, then in that of each pod that names it as the group does.
 *
 *   group ──▶ claim from the template ──▶ its name in the group's status ──▶ in the status of its pods
 *   group gone ──▶ not reserved for it ──▶ nobody left: no allocation; the garbage collector deletes the claim
 */
export class GroupClaims {
  readonly #modules: GroupClaimsModules;
  readonly #groups: Lister<PodGroup>;
  readonly #pods: Lister<Pod>;
  readonly #claims: Lister<ResourceClaim>;
  readonly #templates: Lister<ResourceClaimTemplate>;
  /** The UIDs of groups that were deleted lately, of which the API need not be asked. */
  readonly #goneGroups = new LruMap<string, true>(GONE_GROUPS_MAX);

  /** The informers must not have been started yet. */
  constructor(modules: GroupClaimsModules) {
    this.#modules = modules;
    const { informers } = modules;
    const [pods, claims] = [informers.of('pods'), informers.of('resourceclaims')];
    this.#groups = informers.of('podgroups').lister;
    this.#pods = pods.lister;
    this.#claims = claims.lister;
    this.#templates = informers.of('resourceclaimtemplates').lister;
    pods.addIndex(BY_GROUP, (pod) => {
      const key = pod.spec?.resourceClaims === undefined ? '' : podGroupKeyOf(pod);
      return key === '' ? [] : [key];
    });
    claims.addIndex(BY_OWNING_GROUP, (claim) => [owningGroupOf(claim)?.uid ?? ''].filter((uid) => uid !== ''));
  }

  /** The groups of a namespace that lack claims. */
  lackingIn(namespace: string): readonly PodGroup[] {
    return this.#groups
      .inNamespace(namespace)
      .list()
      .filter((group) => missingClaims(group).length > 0);
  }

  /** The pods of the group that lack claims. */
  lackingPods({ metadata }: PodGroup): readonly Pod[] {
    const key = `${metadata?.namespace}/${metadata?.name}`;
    return this.#pods.byIndex(BY_GROUP, key).filter((pod) => missingClaims(pod).length > 0);
  }

  /** The names of the claims that a group which is gone has used. */
  forget({ metadata, spec, status }: PodGroup): readonly string[] {
    this.#goneGroups.set(metadata?.uid ?? '', true);
    const references = [...(spec?.resourceClaims ?? []), ...(status?.resourceClaimStatuses ?? [])];
    return references.flatMap(({ resourceClaimName }) => resourceClaimName ?? []);
  }

  /**
   * The name of the claim that the pod shares with its group: undefined as long as there is none, or the group is not
   * known; null if the claim is the pod's own.
   */
  sharedClaim(pod: Pod, reference: PodResourceClaim): string | undefined | null {
    const name = podGroupNameOf(pod);
    if (name === '') return null;
    const group = this.#groups.get(pod.metadata?.namespace ?? '', name);
    if (group === undefined) return undefined;
    if (!sharesClaim(group, reference)) return null;
    return group.status?.resourceClaimStatuses?.find((each) => each.name === reference.name)?.resourceClaimName;
  }

  /** Whether a claim that is reserved for the group stays so. The cache may not know the group yet. */
  isUsedBy(namespace: string, name: string, uid: string): boolean {
    if (this.#groups.get(namespace, name)?.metadata?.uid === uid) return true;
    if (this.#goneGroups.get(uid) !== undefined) return false;
    return ifFound(() => this.#modules.client.get('podgroups', namespace, name))?.metadata?.uid === uid;
  }

  /** Makes the claims that the group lacks, and names them in its status. */
  sync(key: string): void {
    const { namespace, name } = splitKey(key);
    const group = this.#groups.get(namespace, name);
    if (group === undefined || group.metadata?.deletionTimestamp !== undefined) return;
    const made: PodResourceClaimStatus[] = [];
    for (const reference of missingClaims(group)) {
      const resourceClaimName = this.#claimFor(group, reference);
      if (resourceClaimName !== undefined) made.push({ name: reference.name, resourceClaimName });
    }
    if (made.length === 0) return;
    const body = { metadata: { uid: group.metadata?.uid }, status: { resourceClaimStatuses: made } };
    this.#modules.client.patch('podgroups', namespace, name, { type: 'strategic', body }, 'status');
  }

  /** Returns the name of the claim; undefined if there is no template to make it from. */
  #claimFor(group: PodGroup, { name: reference, resourceClaimTemplateName = '' }: PodResourceClaim) {
    const { namespace = '', uid = '' } = group.metadata ?? {};
    const own = this.#claims.byIndex(BY_OWNING_GROUP, uid);
    const known = own.find((claim) => referenceOf(claim, OF_GROUP) === reference);
    if (known !== undefined) return known.metadata?.name;
    const template = this.#templates.get(namespace, resourceClaimTemplateName);
    if (template !== undefined) {
      const claim = claimFromTemplate(OF_GROUP, group, reference, template);
      return this.#modules.client.create('resourceclaims', claim).metadata?.name;
    }
    const problem = `resource claim template "${resourceClaimTemplateName}": not found`;
    const note = `PodGroupResourceClaim ${reference}: ${problem}`;
    this.#modules.recorder.event(group, 'Warning', 'FailedResourceClaimCreation', note);
    return undefined;
  }
}
