import { claimNames, isReservedFor, madeClaim, ownerOf, withUsers } from '../../api/claims-of-pod.ts';
import type { Pod, PodResourceClaim, PodResourceClaimStatus } from '../../api/pod.ts';
import { isPodFinished } from '../../api/pod-conditions.ts';
import type { PodGroup } from '../../api/pod-group.ts';
import type {
  ResourceClaim,
  ResourceClaimConsumerReference,
  ResourceClaimTemplate,
} from '../../api/resource-claims.ts';
import { stateHandler } from '../../client/informer/event-handler.ts';
import { readingParts } from '../../client/informer/index-buckets.ts';
import type { Lister } from '../../client/informer/lister.ts';
import { objectKey, splitKey } from '../../client/object-key.ts';
import { deepFrozen } from '../../lib/deep-frozen.ts';
import { RecentMap } from '../../lib/recent-map.ts';
import { ifFound, isApiError, unlessRefused } from '../../store/objects/api-error.ts';
import type { StatusOutcome } from '../../store/objects/store-client.ts';
import { type ControllerModules, QueuedController, type RecordingModules } from '../queued-controller.ts';
import { ClaimKeys } from './claim-keys.ts';
import { DELETE_PROTECTION, isMissing, missingClaims, OF_POD, outcomeOf, usesClaims } from './claims-of-pods.ts';
import { GroupClaims } from './group-claims.ts';
import { OwnedClaims } from './owned-claims.ts';

export interface ResourceClaimControllerModules extends ControllerModules, RecordingModules {
  /** Whether pods share claims with their groups (feature gate DRAWorkloadResourceClaims); absent: no. */
  readonly groupsOwnClaims?: boolean | undefined;
}

/** Upstream: maxUIDCacheEntries. */
const GONE_PODS_MAX = 500;
const POD_PREFIX = 'pod ';
const GROUP_PREFIX = 'group ';
const BY_CLAIM = 'claim that the pod uses';
/** How many may use a claim. Upstream: ResourceClaimReservedForMaxSize. */
const USERS_MAX = 256;

/**
 * Makes the claims that pods want from templates, and takes devices back when nobody uses a claim any more.
 *
 *   pod without its claims ──▶ claim from the template ──▶ its name in the pod's status
 *   pod on a node, claim with devices ──▶ reserved for the pod, unless the scheduler has done so
 *   pod gone or ended ──▶ not reserved for it ──▶ nobody left: no allocation ──▶ made for the pod: deleted
 *
 * Claims that pods share with their group are made by `GroupClaims`.
 *
 * Upstream: pkg/controller/resourceclaim/controller.go.
 */
export class ResourceClaimController extends QueuedController {
  readonly #modules: ResourceClaimControllerModules;
  readonly #pods: Lister<Pod>;
  readonly #claims: Lister<ResourceClaim>;
  readonly #templates: Lister<ResourceClaimTemplate>;
  readonly #owned: OwnedClaims;
  readonly #keys = new ClaimKeys();
  /** Undefined where groups own no claims. */
  readonly #groups: GroupClaims | undefined;
  /** The UIDs of pods that were deleted lately, of which the API need not be asked. */
  readonly #gonePods = new RecentMap<string, true>(GONE_PODS_MAX);

  constructor(modules: ResourceClaimControllerModules) {
    super(modules, 'resource claim');
    this.#modules = modules;
    const { informers, loop } = modules;
    const [pods, claims] = [informers.of('pods'), informers.of('resourceclaims')];
    const templates = informers.of('resourceclaimtemplates');
    this.#pods = pods.lister;
    this.#claims = claims.lister;
    this.#templates = templates.lister;
    this.#owned = new OwnedClaims(claims, OF_POD, loop);
    pods.addIndex(
      BY_CLAIM,
      readingParts((pod) => this.#keysOfClaims(pod), nameSameClaims),
    );
    const forget = (pod: Pod): void => {
      this.#gonePods.set(pod.metadata?.uid ?? '', true);
      this.#enqueueClaims(pod, claimNames(pod));
    };
    const podSeen = (pod: Pod): void => this.#podSeen(pod);
    this.handle(pods, stateHandler(podSeen, forget), 'resource claim controller, pods');
    const claimSeen = (claim: ResourceClaim): void => {
      const { reservedFor = [], allocation } = claim.status ?? {};
      const isIdle = allocation === undefined && claim.metadata?.deletionTimestamp === undefined;
      const { namespace = '', name = '' } = claim.metadata ?? {};
      if (reservedFor.length > 0 || !isIdle || ownerOf(claim) !== undefined) {
        this.queue.add(this.#keys.keep(namespace, name));
      }
      this.#seePodsOf(namespace, name);
    };
    const claimGone = (claim: ResourceClaim): void => {
      const { namespace = '', name = '' } = claim.metadata ?? {};
      this.#keys.forget(namespace, name);
      this.#owned.forget(claim);
      this.#groups?.claimGone(claim);
      this.#seePodsOf(namespace, name);
    };
    this.handle(claims, stateHandler(claimSeen, claimGone), 'resource claim controller, claims');
    const templateSeen = ({ metadata }: ResourceClaimTemplate): void => {
      const { namespace = '' } = metadata ?? {};
      for (const pod of this.#pods.inNamespace(namespace).list()) podSeen(pod);
      for (const group of this.#groups?.lackingIn(namespace) ?? []) this.queue.add(GROUP_PREFIX + objectKey(group));
    };
    this.handle(templates, stateHandler(templateSeen), 'resource claim controller, templates');
    if (modules.groupsOwnClaims) this.#groups = this.#followGroups(modules);
  }

  #followGroups(modules: ResourceClaimControllerModules): GroupClaims {
    const groups = new GroupClaims(modules);
    const seen = (group: PodGroup): void => {
      if (missingClaims(group).length > 0) this.queue.add(GROUP_PREFIX + objectKey(group));
      for (const pod of groups.lackingPods(group)) this.#podSeen(pod);
    };
    const gone = (group: PodGroup): void => this.#enqueueClaims(group, groups.forget(group));
    this.handle(modules.informers.of('podgroups'), stateHandler(seen, gone), 'resource claim controller, groups');
    return groups;
  }

  #podSeen(pod: Pod): void {
    if (pod.spec?.resourceClaims === undefined && pod.status?.extendedResourceClaimStatus === undefined) return;
    if (!usesClaims(pod, pod.metadata?.uid ?? '')) this.#enqueueClaims(pod, claimNames(pod));
    else if (this.#needsWork(pod)) this.queue.add(POD_PREFIX + objectKey(pod));
  }

  /** Looks at the pods that use the claim, most of which is one. */
  #seePodsOf(namespace: string, claimName: string): void {
    const pods = this.#pods.byIndex(BY_CLAIM, this.#keys.of(namespace, claimName));
    for (let i = 0; i < pods.length; i++) this.#podSeen(pods[i] as Pod);
  }

  #keysOfClaims(pod: Pod): readonly string[] {
    if (pod.spec?.resourceClaims === undefined) return NO_KEYS;
    return claimNames(pod).map((name) => this.#keys.of(pod.metadata?.namespace ?? '', name));
  }

  #enqueueClaims({ metadata }: Pod | PodGroup, names: readonly string[]): void {
    for (const name of names) this.queue.add(this.#keys.of(metadata?.namespace ?? '', name));
  }

  protected override sync(key: string): void {
    try {
      if (key.startsWith(POD_PREFIX)) this.#syncPod(key.slice(POD_PREFIX.length));
      else if (key.startsWith(GROUP_PREFIX)) this.#groups?.sync(key.slice(GROUP_PREFIX.length));
      else this.#syncClaim(key);
    } catch (error) {
      if (!isApiError(error, 'Conflict') && !isApiError(error, 'NotFound')) throw error;
      this.queue.addRateLimited(key);
    }
  }

  /** Makes the claims that the pod lacks, and names them in its status. */
  #syncPod(key: string): void {
    const { namespace, name } = splitKey(key);
    const pod = this.#pods.get(namespace, name);
    if (pod === undefined || pod.metadata?.deletionTimestamp !== undefined || isPodFinished(pod)) return;
    const references = pod.spec?.resourceClaims ?? [];
    const made: PodResourceClaimStatus[] = [];
    for (const reference of references) {
      if (!this.#isToBeNamed(pod, reference)) continue;
      const resourceClaimName = this.#claimFor(pod, reference);
      if (resourceClaimName === undefined || resourceClaimName === claimNameOf(pod, reference)) continue;
      made.push({ name: reference.name, resourceClaimName });
    }
    if (made.length > 0) {
      const { uid } = pod.metadata ?? {};
      const body = { metadata: { uid }, status: { resourceClaimStatuses: made } };
      const outcome = outcomeOf(pod, made);
      this.#modules.client.patch('pods', namespace, name, { type: 'strategic', body, outcome }, 'status');
    }
    for (const reference of references) {
      const claim = this.#claimToReserve(pod, reference);
      if (claim !== undefined) this.#reserve(claim, pod);
    }
  }

  /** Whether something is to be done for the pod. Upstream: podNeedsWork. */
  #needsWork(pod: Pod): boolean {
    const references = pod.spec?.resourceClaims;
    if (references === undefined || pod.metadata?.deletionTimestamp !== undefined) return false;
    for (let i = 0; i < references.length; i++) {
      const reference = references[i] as PodResourceClaim;
      if (this.#isToBeNamed(pod, reference) || this.#claimToReserve(pod, reference) !== undefined) return true;
    }
    return false;
  }

  /** Whether a claim from a template is missing: the pod's status names none, or one that is not there any more. */
  #isToBeNamed(pod: Pod, reference: PodResourceClaim): boolean {
    if (isMissing(pod, reference)) return true;
    const name = claimNameOf(pod, reference);
    if (name === undefined || reference.resourceClaimTemplateName === undefined) return false;
    return this.#claims.get(pod.metadata?.namespace ?? '', name) === undefined && !this.#isShared(pod, reference);
  }

  /**
   * The claim with devices that a pod on a node may use, and that is not reserved for it: nobody else reserves those
   * of a pod that the scheduler has not placed.
   */
  #claimToReserve(pod: Pod, reference: PodResourceClaim): ResourceClaim | undefined {
    if (!pod.spec?.nodeName) return undefined;
    const { namespace = '', name = '', uid = '' } = pod.metadata ?? {};
    const claimName = reference.resourceClaimName ?? claimNameOf(pod, reference);
    const claim = claimName === undefined ? undefined : this.#claims.get(namespace, claimName);
    if (claim?.status?.allocation === undefined || isReservedFor(claim, { uid, name })) return undefined;
    if ((claim.status.reservedFor?.length ?? 0) >= USERS_MAX || this.#isShared(pod, reference)) return undefined;
    return reference.resourceClaimTemplateName === undefined || ownerOf(claim)?.uid === uid ? claim : undefined;
  }

  #isShared(pod: Pod, reference: PodResourceClaim): boolean {
    return this.#groups !== undefined && this.#groups.sharedClaim(pod, reference) !== null;
  }

  #reserve(claim: ResourceClaim, { metadata }: Pod): void {
    const { name = '', uid = '' } = metadata ?? {};
    const reservedFor = [...(claim.status?.reservedFor ?? []), { resource: 'pods', name, uid }];
    this.#modules.client.updateStatus('resourceclaims', { ...claim, status: { ...claim.status, reservedFor } });
  }

  /** Returns the name of the claim; undefined if nothing can make it yet. */
  #claimFor(pod: Pod, podClaim: PodResourceClaim): string | undefined {
    const shared = this.#groups === undefined ? null : this.#groups.sharedClaim(pod, podClaim);
    if (shared !== null) return shared;
    const { name: reference, resourceClaimTemplateName = '' } = podClaim;
    const { namespace = '', uid = '' } = pod.metadata ?? {};
    const known = this.#owned.nameOf(uid, reference);
    if (known !== undefined) return known;
    const template = this.#templates.get(namespace, resourceClaimTemplateName);
    if (template !== undefined) return this.#owned.make(this.#modules.client, pod, podClaim, template);
    const problem = `resource claim template "${resourceClaimTemplateName}": not found`;
    const note = `PodResourceClaim ${reference}: ${problem}`;
    this.#modules.recorder.event(pod, 'Warning', 'FailedResourceClaimCreation', note);
    return undefined;
  }

  /** Takes the claim from pods that are gone or have ended, and its devices when nobody is left. */
  #syncClaim(key: string): void {
    const { namespace, name } = this.#keys.claimOf(key);
    const claim = this.#claims.get(namespace, name);
    if (claim === undefined) return;
    const { reservedFor = [] } = claim.status ?? {};
    const users = this.#usersOf(namespace, reservedFor);
    const current = users.length < reservedFor.length || mustEnd(claim, users) ? this.#release(claim, users) : claim;
    const owner = ownerOf(claim);
    if (owner === undefined || users.length > 0 || current.metadata?.deletionTimestamp !== undefined) return;
    if (usesClaims(this.#pod(namespace, owner.name, owner.uid), owner.uid)) return;
    const preconditions = { uid: claim.metadata?.uid };
    unlessRefused(['NotFound'], () =>
      this.#modules.client.delete('resourceclaims', namespace, name, { preconditions }),
    );
  }

  #release(claim: ResourceClaim, users: readonly ResourceClaimConsumerReference[]): ResourceClaim {
    const { client } = this.#modules;
    const { allocation, reservedFor = [] } = claim.status ?? {};
    const isFree = allocation === undefined && reservedFor.length === 0;
    const released = isFree ? claim : client.updateStatus('resourceclaims', ...releasedFor(claim, users));
    const finalizers = released.metadata?.finalizers ?? [];
    if (users.length > 0 || !finalizers.includes(DELETE_PROTECTION)) return released;
    const left = finalizers.filter((finalizer) => finalizer !== DELETE_PROTECTION);
    return client.update('resourceclaims', { ...released, metadata: { ...released.metadata, finalizers: left } });
  }

  /** Returns the users of the claim that are still there: the given list itself if all of them are. */
  #usersOf(
    namespace: string,
    users: readonly ResourceClaimConsumerReference[],
  ): readonly ResourceClaimConsumerReference[] {
    let left: ResourceClaimConsumerReference[] | null = null;
    for (let i = 0; i < users.length; i++) {
      const user = users[i] as ResourceClaimConsumerReference;
      if (!this.#isUsedBy(namespace, user)) left ??= users.slice(0, i);
      else if (left !== null) left.push(user);
    }
    return left ?? users;
  }

  #isUsedBy(namespace: string, { resource, name, uid }: ResourceClaimConsumerReference): boolean {
    if (resource === 'pods') return usesClaims(this.#pod(namespace, name, uid), uid);
    // It is not known when users of other kinds end.
    return resource !== 'podgroups' || (this.#groups?.isUsedBy(namespace, name, uid) ?? true);
  }

  /** The pod with this UID. The cache may not know it yet, because the scheduler was faster. */
  #pod(namespace: string, name: string, uid: string): Pod | undefined {
    const cached = this.#pods.get(namespace, name);
    if (cached?.metadata?.uid === uid) return cached;
    if (this.#gonePods.get(uid) !== undefined) return undefined;
    return ifFound(() => this.#modules.client.get('pods', namespace, name));
  }
}

/** The claim with these of its users, and its status as a store has it. */
function releasedFor(
  claim: ResourceClaim,
  users: readonly ResourceClaimConsumerReference[],
): [ResourceClaim, StatusOutcome | undefined] {
  const next = withUsers(claim, users);
  const { status: before } = claim;
  if (before === undefined || next.status === undefined || !Object.isFrozen(before)) return [next, undefined];
  return [next, { before, after: deepFrozen(next.status) }];
}

const NO_KEYS: readonly string[] = [];

/** Whether the pods, versions of one, share all by which they name claims. */
function nameSameClaims(a: Pod, b: Pod): boolean {
  return (
    a.spec?.resourceClaims === b.spec?.resourceClaims &&
    a.status?.resourceClaimStatuses === b.status?.resourceClaimStatuses &&
    a.status?.extendedResourceClaimStatus === b.status?.extendedResourceClaimStatus
  );
}

/** The name of the claim that was made for this reference, as the pod's status has it. */
function claimNameOf({ status }: Pod, { name }: PodResourceClaim): string | undefined {
  return madeClaim(status?.resourceClaimStatuses, name)?.resourceClaimName;
}

/**
 * Whether a claim that nobody uses must lose what protects it, since it is being deleted. Its devices may be gone
 * already, by a write before the one that should have taken the finalizer.
 */
function mustEnd({ metadata }: ResourceClaim, users: readonly ResourceClaimConsumerReference[]): boolean {
  const { deletionTimestamp, finalizers = [] } = metadata ?? {};
  return users.length === 0 && deletionTimestamp !== undefined && finalizers.includes(DELETE_PROTECTION);
}
