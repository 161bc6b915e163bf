import { claimNames, ownerOf } from '../../api/claims-of-pod.ts';
import type { Pod, PodResourceClaim, PodResourceClaimStatus } from '../../api/pod.ts';
import type { PodGroup } from '../../api/pod-group.ts';
import type {
  ResourceClaim,
  ResourceClaimConsumerReference,
  ResourceClaimTemplate,
} from '../../api/resource-claims.ts';
import { stateHandler } from '../../client/informer/event-handler.ts';
import type { Lister } from '../../client/informer/lister.ts';
import { keyOf, objectKey, splitKey } from '../../client/object-key.ts';
import { LruMap } from '../../lib/lru-map.ts';
import { ifFound, isApiError, unlessRefused } from '../../store/objects/api-error.ts';
import { type ControllerModules, QueuedController, type RecordingModules } from '../queued-controller.ts';
import {
  claimFromTemplate,
  DELETE_PROTECTION,
  missingClaims,
  OF_POD,
  referenceOf,
  usesClaims,
} from './claims-of-pods.ts';
import { GroupClaims } from './group-claims.ts';

export interface ResourceClaimControllerModules extends ControllerModules, RecordingModules {
  /** Whether pods share claims with their groups (feature gate DRAWorkloadResourceClaims); absent: no. */
  readonly groupsOwnClaims?: boolean | undefined;
}

/** Upstream: maxUIDCacheEntries. */
const GONE_PODS_MAX = 500;
const POD_PREFIX = 'pod ';
const CLAIM_PREFIX = 'claim ';
const GROUP_PREFIX = 'group ';
const BY_OWNER = 'pod that controls the claim';

/**
 * Makes the claims that pods want from templates, and takes devices back when nobody uses a claim any more.
 *
 *   pod without its claims ──▶ claim from the template ──▶ its name in the pod's status
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
  /** Undefined where groups own no claims. */
  readonly #groups: GroupClaims | undefined;
  /** The UIDs of pods that were deleted lately, of which the API need not be asked. */
  readonly #gonePods = new LruMap<string, true>(GONE_PODS_MAX);

  constructor(modules: ResourceClaimControllerModules) {
    super(modules, 'resource claim');
    this.#modules = modules;
    const { informers } = modules;
    const [pods, claims] = [informers.of('pods'), informers.of('resourceclaims')];
    const templates = informers.of('resourceclaimtemplates');
    this.#pods = pods.lister;
    this.#claims = claims.lister;
    this.#templates = templates.lister;
    claims.addIndex(BY_OWNER, (claim) => [ownerOf(claim)?.uid ?? ''].filter((uid) => uid !== ''));
    const forget = (pod: Pod): void => {
      this.#gonePods.set(pod.metadata?.uid ?? '', true);
      this.#enqueueClaims(pod, claimNames(pod));
    };
    const podSeen = (pod: Pod): void => this.#podSeen(pod);
    this.handle(pods, stateHandler(podSeen, forget), 'resource claim controller, pods');
    const claimSeen = (claim: ResourceClaim): void => {
      const { reservedFor = [], allocation } = claim.status ?? {};
      const isIdle = allocation === undefined && claim.metadata?.deletionTimestamp === undefined;
      if (reservedFor.length > 0 || !isIdle || ownerOf(claim) !== undefined) {
        this.queue.add(CLAIM_PREFIX + objectKey(claim));
      }
    };
    this.handle(claims, stateHandler(claimSeen), 'resource claim controller, claims');
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
    else if (missingClaims(pod).length > 0) this.queue.add(POD_PREFIX + objectKey(pod));
  }

  #enqueueClaims({ metadata }: Pod | PodGroup, names: readonly string[]): void {
    for (const name of names) this.queue.add(CLAIM_PREFIX + keyOf(metadata?.namespace ?? '', name));
  }

  protected override sync(key: string): void {
    try {
      if (key.startsWith(POD_PREFIX)) this.#syncPod(key.slice(POD_PREFIX.length));
      else if (key.startsWith(GROUP_PREFIX)) this.#groups?.sync(key.slice(GROUP_PREFIX.length));
      else this.#syncClaim(key.slice(CLAIM_PREFIX.length));
    } catch (error) {
      if (!isApiError(error, 'Conflict') && !isApiError(error, 'NotFound')) throw error;
      this.queue.addRateLimited(key);
    }
  }

  /** Makes the claims that the pod lacks, and names them in its status. */
  #syncPod(key: string): void {
    const { namespace, name } = splitKey(key);
    const pod = this.#pods.get(namespace, name);
    if (pod === undefined || pod.metadata?.deletionTimestamp !== undefined) return;
    const made: PodResourceClaimStatus[] = [];
    for (const reference of missingClaims(pod)) {
      const resourceClaimName = this.#claimFor(pod, reference);
      if (resourceClaimName !== undefined) made.push({ name: reference.name, resourceClaimName });
    }
    if (made.length === 0) return;
    const body = { metadata: { uid: pod.metadata?.uid }, status: { resourceClaimStatuses: made } };
    this.#modules.client.patch('pods', namespace, name, { type: 'strategic', body }, 'status');
  }

  /** Returns the name of the claim; undefined if nothing can make it yet. */
  #claimFor(pod: Pod, podClaim: PodResourceClaim): string | undefined {
    const shared = this.#groups === undefined ? null : this.#groups.sharedClaim(pod, podClaim);
    if (shared !== null) return shared;
    const { name: reference, resourceClaimTemplateName = '' } = podClaim;
    const { namespace = '', uid = '' } = pod.metadata ?? {};
    const known = this.#claims.byIndex(BY_OWNER, uid).find((claim) => referenceOf(claim, OF_POD) === reference);
    if (known !== undefined) return known.metadata?.name;
    const template = this.#templates.get(namespace, resourceClaimTemplateName);
    if (template !== undefined) {
      const claim = claimFromTemplate(OF_POD, pod, reference, template);
      return this.#modules.client.create('resourceclaims', claim).metadata?.name;
    }
    const problem = `resource claim template "${resourceClaimTemplateName}": not found`;
    const note = `PodResourceClaim ${reference}: ${problem}`;
    this.#modules.recorder.event(pod, 'Warning', 'FailedResourceClaimCreation', note);
    return undefined;
  }

  /** Takes the claim from pods that are gone or have ended, and its devices when nobody is left. */
  #syncClaim(key: string): void {
    const { namespace, name } = splitKey(key);
    const claim = this.#claims.get(namespace, name);
    if (claim === undefined) return;
    const { reservedFor = [] } = claim.status ?? {};
    const users = reservedFor.filter((user) => this.#isUsedBy(namespace, user));
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
    const { allocation, devices, reservedFor = [], ...others } = claim.status ?? {};
    const kept = {
      ...others,
      ...(users.length > 0 && { reservedFor: users, allocation, devices }),
    };
    const isFree = allocation === undefined && reservedFor.length === 0;
    const released = isFree ? claim : client.updateStatus('resourceclaims', { ...claim, status: kept });
    const finalizers = released.metadata?.finalizers ?? [];
    if (users.length > 0 || !finalizers.includes(DELETE_PROTECTION)) return released;
    const left = finalizers.filter((finalizer) => finalizer !== DELETE_PROTECTION);
    return client.update('resourceclaims', { ...released, metadata: { ...released.metadata, finalizers: left } });
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

/**
 * Whether a claim that nobody uses must lose what protects it, since it is being deleted. Its devices may be gone
 * already, by a write before the one that should have taken the finalizer.
 */
function mustEnd({ metadata }: ResourceClaim, users: readonly ResourceClaimConsumerReference[]): boolean {
  const { deletionTimestamp, finalizers = [] } = metadata ?? {};
  return users.length === 0 && deletionTimestamp !== undefined && finalizers.includes(DELETE_PROTECTION);
}
