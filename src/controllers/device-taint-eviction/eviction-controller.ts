import { isGroupUser, isReservedFor, owningGroupOf } from '../../api/claims-of-pod.ts';
import type { Pod } from '../../api/pod.ts';
import { withPodCondition } from '../../api/pod-conditions.ts';
import { keyOfPodGroup, podGroupKeyOf, podGroupNameOf } from '../../api/pod-group.ts';
import type { ResourceClaim, ResourceSlice } from '../../api/resource-claims.ts';
import { semanticallyEqual } from '../../api/semantic-equality.ts';
import type { EventHandler } from '../../client/informer/event-handler.ts';
import type { Lister } from '../../client/informer/lister.ts';
import { keyOf, objectKey } from '../../client/object-key.ts';
import { LruMap } from '../../lib/lru-map.ts';
import { ifFound } from '../../store/objects/api-error.ts';
import { type ControllerModules, QueuedController, type RecordingModules } from '../queued-controller.ts';
import { DeviceTaints, keyOfPool, poolKey } from './device-taints.ts';
import { claimEvictionMillis } from './eviction-time.ts';

export interface DeviceTaintEvictionModules extends ControllerModules, RecordingModules {
  /** Whether pods share claims with their groups (feature gate DRAWorkloadResourceClaims); absent: no. */
  readonly groupsOwnClaims?: boolean | undefined;
}

interface AllocatedClaim {
  readonly claim: ResourceClaim;
  /** When its pods have to go; Infinity if they may stay. */
  readonly dueMillis: number;
}

interface PlannedEviction {
  readonly pod: Pod;
  readonly dueMillis: number;
}

const WORKERS = 10;
/** Upstream: maxUIDCacheEntries. */
const EVICTED_PODS_MAX = 500;
const STAYS = Number.POSITIVE_INFINITY;
const BY_GROUP = 'group that may share claims with the pod';

/**
 * Deletes the pods that use a device with a NoExecute taint which their claim does not tolerate, or no longer. The
 * deletion is cancelled when the taint is removed before.
 *
 *   slice ──▶ taints of devices ──▶ claims with these devices, and when each is due ──▶ pods that use them ──▶ queue
 *
 * As upstream, pods with extended resources that devices back stay. DeviceTaintRules are not known: with their gate,
 * which is off in v1.36, kube-scheduler v1.36.2 ends with a panic when there is a rule and a slice.
 *
 * Upstream: pkg/controller/devicetainteviction/device_taint_eviction.go.
 */
export class DeviceTaintEvictionController extends QueuedController {
  readonly #modules: DeviceTaintEvictionModules;
  readonly #pods: Lister<Pod>;
  readonly #taints = new DeviceTaints();
  readonly #claims = new Map<string, AllocatedClaim>();
  /** The keys of the allocated claims that have devices of the pool. */
  readonly #byPool = new Map<string, Set<string>>();
  /** The evictions to come, by the pod's uid and name. */
  readonly #planned = new Map<string, PlannedEviction>();
  /** The UIDs of pods that were deleted lately, which need not be tried again. */
  readonly #evicted = new LruMap<string, true>(EVICTED_PODS_MAX);

  constructor(modules: DeviceTaintEvictionModules) {
    super({ workers: WORKERS, ...modules }, 'device taint eviction');
    this.#modules = modules;
    const { informers } = modules;
    const pods = informers.of('pods');
    this.#pods = pods.lister;
    if (modules.groupsOwnClaims) pods.addIndex(BY_GROUP, groupsOf);
    this.handle(informers.of('resourceclaims'), this.#claimHandler(), 'device taint eviction, claims');
    this.handle(pods, this.#podHandler(), 'device taint eviction, pods');
    this.handle(informers.of('resourceslices'), this.#sliceHandler(), 'device taint eviction, slices');
  }

  #claimHandler(): EventHandler<ResourceClaim> {
    return {
      onAdd: (claim) => this.#claimChanged(undefined, claim),
      onUpdate: (before, claim) => this.#claimChanged(before, claim),
      onDelete: (claim) => this.#claimChanged(claim, undefined),
    };
  }

  #podHandler(): EventHandler<Pod> {
    return {
      onAdd: (pod) => this.#consider(pod),
      onUpdate: (before, pod) => {
        const isScheduled = before.spec?.nodeName !== pod.spec?.nodeName;
        const [old, now] = [before.status?.resourceClaimStatuses, pod.status?.resourceClaimStatuses];
        // A pod that has got its condition is not planned again.
        if (isScheduled || !semanticallyEqual(old, now)) this.#consider(pod);
      },
      onDelete: (pod) => this.#planned.delete(keyOfPod(pod)),
    };
  }

  #sliceHandler(): EventHandler<ResourceSlice> {
    return {
      onAdd: (slice) => this.#sliceChanged(undefined, slice),
      onUpdate: (before, slice) => {
        if (keyOfPool(before) !== keyOfPool(slice)) this.#sliceChanged(before, undefined);
        this.#sliceChanged(keyOfPool(before) === keyOfPool(slice) ? before : undefined, slice);
      },
      onDelete: (slice) => this.#sliceChanged(slice, undefined),
    };
  }

  #claimChanged(before: ResourceClaim | undefined, after: ResourceClaim | undefined): void {
    const key = objectKey((after ?? before) as ResourceClaim);
    if (before?.status?.allocation === undefined && after?.status?.allocation === undefined) return;
    this.#forgetClaim(key);
    if (after?.status?.allocation !== undefined) this.#noteClaim(key, after);
    const [old, now] = [before?.status?.reservedFor, after?.status?.reservedFor];
    if (before !== undefined && !semanticallyEqual(old, now)) this.#considerUsers(before);
    if (after !== undefined) this.#considerUsers(after);
  }

  #noteClaim(key: string, claim: ResourceClaim): void {
    const { allocation = {} } = claim.status ?? {};
    const dueMillis = claimEvictionMillis(allocation, (device) => this.#taints.of(device));
    this.#claims.set(key, { claim, dueMillis });
    for (const pool of poolsOf(claim)) {
      const claims = this.#byPool.get(pool);
      if (claims === undefined) this.#byPool.set(pool, new Set([key]));
      else claims.add(key);
    }
  }

  #forgetClaim(key: string): void {
    const known = this.#claims.get(key);
    if (known === undefined) return;
    this.#claims.delete(key);
    for (const pool of poolsOf(known.claim)) {
      const claims = this.#byPool.get(pool);
      claims?.delete(key);
      if (claims?.size === 0) this.#byPool.delete(pool);
    }
  }

  #sliceChanged(before: ResourceSlice | undefined, after: ResourceSlice | undefined): void {
    const changed = this.#taints.replace(before, after);
    if (changed.size === 0) return;
    const pool = keyOfPool((after ?? before) as ResourceSlice);
    for (const key of [...(this.#byPool.get(pool) ?? [])]) {
      const known = this.#claims.get(key);
      if (known === undefined || !devicesOf(known.claim).some(({ device }) => changed.has(device))) continue;
      this.#noteClaim(key, known.claim);
      if (this.#claims.get(key)?.dueMillis !== known.dueMillis) this.#considerUsers(known.claim);
    }
  }

  #considerUsers({ metadata, status }: ResourceClaim): void {
    const { namespace = '' } = metadata ?? {};
    for (const user of status?.reservedFor ?? []) {
      if (isGroupUser(user)) {
        if (!this.#modules.groupsOwnClaims) continue;
        for (const pod of this.#pods.byIndex(BY_GROUP, keyOfPodGroup(namespace, user.name))) this.#consider(pod);
      } else if (!user.apiGroup && user.resource === 'pods') {
        const pod = this.#pods.get(namespace, user.name);
        if (pod !== undefined && pod.metadata?.uid === user.uid) this.#consider(pod);
      }
    }
  }

  /** Plans the pod's eviction, or cancels it. */
  #consider(pod: Pod): void {
    const { loop, recorder } = this.#modules;
    const key = keyOfPod(pod);
    const dueMillis = this.#dueMillisOf(pod);
    if (dueMillis !== STAYS) {
      this.#planned.set(key, { pod, dueMillis });
      this.queue.addAfter(key, dueMillis - loop.nowMillis());
    } else if (this.#planned.delete(key)) {
      recorder.event(pod, 'Normal', 'DeviceTaintManagerEviction', 'Cancelling deletion');
    }
  }

  #dueMillisOf(pod: Pod): number {
    const { metadata, spec, status } = pod;
    if (!spec?.nodeName) return STAYS;
    const { namespace = '', name: podName = '', uid = '' } = metadata ?? {};
    const group = this.#modules.groupsOwnClaims ? podGroupNameOf(pod) : '';
    let earliest = STAYS;
    for (const { name, resourceClaimName } of spec.resourceClaims ?? []) {
      const made = status?.resourceClaimStatuses?.find((each) => each.name === name)?.resourceClaimName;
      const known = this.#claims.get(keyOf(namespace, resourceClaimName ?? made ?? ''));
      if (known === undefined || known.dueMillis >= earliest) continue;
      if (resourceClaimName === undefined && !isMadeFor(known.claim, uid, group)) continue;
      if (isReservedFor(known.claim, { uid, name: podName }, group)) earliest = known.dueMillis;
    }
    return earliest;
  }

  protected override sync(key: string): void {
    const planned = this.#planned.get(key);
    const uid = planned?.pod.metadata?.uid ?? '';
    if (planned === undefined || this.#evicted.get(uid)) return;
    const waitMillis = planned.dueMillis - this.#modules.loop.nowMillis();
    if (waitMillis > 0) {
      this.queue.addAfter(key, waitMillis);
      return;
    }
    ifFound(() => this.#evict(planned.pod));
    this.#planned.delete(key);
    this.#evicted.set(uid, true);
  }

  /** @throws ApiError */
  #evict(pod: Pod): void {
    const { client, loop, recorder } = this.#modules;
    const { namespace = '', name = '', uid } = pod.metadata ?? {};
    const live = client.get('pods', namespace, name);
    if (live.metadata?.uid !== uid || live.metadata?.deletionTimestamp !== undefined) return;
    recorder.event(pod, 'Normal', 'DeviceTaintManagerEviction', 'Marking for deletion');
    const status = withPodCondition(live.status ?? {}, CONDITION, loop.nowMillis());
    client.updateStatus('pods', { ...live, status });
    client.delete('pods', namespace, name, { preconditions: { uid } });
  }
}

const CONDITION = {
  type: 'DisruptionTarget',
  status: 'True',
  reason: 'DeletionByDeviceTaintManager',
  message: 'Device Taint manager: deleting due to NoExecute taint',
};

function keyOfPod(pod: Pod): string {
  return `${pod.metadata?.uid} ${objectKey(pod)}`;
}

function devicesOf({ status }: ResourceClaim) {
  return status?.allocation?.devices?.results ?? [];
}

function poolsOf(claim: ResourceClaim): ReadonlySet<string> {
  return new Set(devicesOf(claim).map(({ driver, pool }) => poolKey(driver, pool)));
}

/** The key of the group of a pod with claims. */
function groupsOf(pod: Pod): readonly string[] {
  const key = pod.spec?.resourceClaims === undefined ? '' : podGroupKeyOf(pod);
  return key === '' ? [] : [key];
}

/** Whether the claim was made for the pod with this uid, or for its group; `group`: '' if it shares none with it. */
function isMadeFor(claim: ResourceClaim, uid: string, group: string): boolean {
  const isOwn = claim.metadata?.ownerReferences?.some((owner) => owner.controller === true && owner.uid === uid);
  return isOwn === true || (group !== '' && owningGroupOf(claim)?.name === group);
}
