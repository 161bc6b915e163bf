import type { Pod, PodResourceClaim, PodResourceClaimStatus } from '../../api/pod.ts';
import { type PodGroup, podGroupKeyOf, podGroupNameOf, sharesClaim } from '../../api/pod-group.ts';
import type { ResourceClaim, ResourceClaimTemplate } from '../../api/resource-claims.ts';
import type { EventRecorder } from '../../client/events/event-recorder.ts';
import type { Informers } from '../../client/informer/informers.ts';
import type { Lister } from '../../client/informer/lister.ts';
import { splitKey } from '../../client/object-key.ts';
import type { Clock } from '../../lib/clock.ts';
import { LruMap } from '../../lib/lru-map.ts';
import { ifFound } from '../../store/objects/api-error.ts';
import type { StoreClient } from '../../store/objects/store-client.ts';
import { missingClaims, OF_GROUP } from './claims-of-pods.ts';
import { OwnedClaims } from './owned-claims.ts';

export interface GroupClaimsModules {
  readonly client: StoreClient;
  readonly informers: Informers;
  readonly recorder: EventRecorder;
  readonly loop: Clock;
}

/** Upstream: maxUIDCacheEntries. */
const GONE_GROUPS_MAX = 500;
const BY_GROUP = 'group whose claims the pod may share';

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
  readonly #claims: OwnedClaims;
  readonly #templates: Lister<ResourceClaimTemplate>;
  /** The UIDs of groups that were deleted lately, of which the API need not be asked. */
  readonly #goneGroups = new LruMap<string, true>(GONE_GROUPS_MAX);

  /** The informers must not have been started yet. */
  constructor(modules: GroupClaimsModules) {
    this.#modules = modules;
    const { informers, loop } = modules;
    const pods = informers.of('pods');
    this.#groups = informers.of('podgroups').lister;
    this.#pods = pods.lister;
    this.#claims = new OwnedClaims(informers.of('resourceclaims'), OF_GROUP, loop);
    this.#templates = informers.of('resourceclaimtemplates').lister;
    pods.addIndex(BY_GROUP, (pod) => {
      const key = pod.spec?.resourceClaims === undefined ? '' : podGroupKeyOf(pod);
      return key === '' ? [] : [key];
    });
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

  /** Records that the claim is gone. */
  claimGone(claim: ResourceClaim): void {
    this.#claims.forget(claim);
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
  #claimFor(group: PodGroup, podClaim: PodResourceClaim): string | undefined {
    const { name: reference, resourceClaimTemplateName = '' } = podClaim;
    const { namespace = '', uid = '' } = group.metadata ?? {};
    const known = this.#claims.nameOf(uid, reference);
    if (known !== undefined) return known;
    const template = this.#templates.get(namespace, resourceClaimTemplateName);
    if (template !== undefined) return this.#claims.make(this.#modules.client, group, podClaim, template);
    const problem = `resource claim template "${resourceClaimTemplateName}": not found`;
    const note = `PodGroupResourceClaim ${reference}: ${problem}`;
    this.#modules.recorder.event(group, 'Warning', 'FailedResourceClaimCreation', note);
    return undefined;
  }
}
