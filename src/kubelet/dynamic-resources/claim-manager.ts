import { claimNames, isReservedFor, ownerOf } from '../../api/claims-of-pod.ts';
import type { Pod } from '../../api/pod.ts';
import { podGroupNameOf } from '../../api/pod-group.ts';
import type { ResourceClaim } from '../../api/resource-claims.ts';
import type { EventLoop } from '../../lib/event-loop.ts';
import { getOrMake } from '../../lib/get-or-make.ts';
import { SmallMap } from '../../lib/small-map.ts';
import { ApiError } from '../../store/objects/api-error.ts';
import type { StoreClient } from '../../store/objects/store-client.ts';
import type { Operation } from '../containers/container-runtime.ts';

/** The faults of the drivers of a node; an absent member stands for no fault. */
export interface DriverFaults {
  /** The message with which preparing a claim fails. */
  readonly prepareError?: string | undefined;
  /** The time that preparing a claim takes. */
  readonly prepareMillis?: number | undefined;
}

export interface ClaimManagerModules {
  readonly client: Pick<StoreClient, 'get'>;
  readonly loop: EventLoop;
  readonly faults: () => DriverFaults;
}

/** Called once; with the reason if it failed. */
export type OnClaims = (failure?: string) => void;

/** A claim that pods of the node use. */
export interface NodeClaim {
  readonly uid: string;
  /** namespace/name */
  readonly name: string;
  /** The devices that nobody else may have, as driver/pool/device. */
  readonly devices: readonly string[];
  /** The uids of the pods that use it. */
  readonly pods: ReadonlySet<string>;
  readonly isPrepared: boolean;
}

interface KnownClaim extends NodeClaim {
  readonly pods: Set<string>;
  isPrepared: boolean;
  /** Whether the drivers are at work on it. */
  isBusy: boolean;
  waiting: OnClaims[];
}

/** What stands in the way of a pod's claims. */
class ClaimProblem extends Error {}

const NOTHING: Operation = { cancel: () => {} };

/**
 * The claims of the pods of one node: drivers prepare them before the pod's containers start, and undo that after they
 * have ended. It outlives the kubelet as a checkpoint does, and is empty after the node was down.
 *
 *   pod starts ──▶ allocated, and reserved for the pod? ──▶ preparing ──▶ prepared ──▶ last pod has ended ──▶ (none)
 *                       │ no                                   │ failed
 *                       └───────── the pod is tried again ◀────┘
 *
 * The drivers are simulated. They refuse a device that is still prepared for another claim, as it is when a pod was
 * deleted from the API before its containers had ended.
 *
 * Upstream: pkg/kubelet/cm/dra/manager.go.
 */
export class ClaimManager {
  readonly #modules: ClaimManagerModules;
  readonly #claims = new SmallMap<string, KnownClaim>();

  constructor(modules: ClaimManagerModules) {
    this.#modules = modules;
  }

  get claims(): Iterable<NodeClaim> {
    return this.#claims.values();
  }

  get isEmpty(): boolean {
    return this.#claims.size === 0;
  }

  /** Prepares all claims of the pod, one after the other. */
  prepare(pod: Pod, onDone: OnClaims): Operation {
    if (pod.spec?.resourceClaims === undefined && pod.status?.extendedResourceClaimStatus === undefined) {
      onDone();
      return NOTHING;
    }
    let isCancelled = false;
    const work = this.#begun(pod);
    const next = (failure?: string): void => {
      if (isCancelled) return;
      const claim = typeof work === 'string' ? undefined : work.shift();
      if (claim === undefined || failure !== undefined) onDone(typeof work === 'string' ? work : failure);
      else this.#prepareClaim(claim, next);
    };
    next();
    return {
      cancel: () => {
        isCancelled = true;
      },
    };
  }

  /** Undoes what was prepared for the pod alone; nothing of it runs any more. */
  unprepare(podUid: string, onDone: () => void): void {
    if (this.#claims.size === 0) {
      onDone();
      return;
    }
    const own = [...this.#claims.values()].filter(({ pods }) => pods.has(podUid));
    const next = (): void => {
      const claim = own.shift();
      if (claim === undefined) onDone();
      else if (claim.isBusy) claim.waiting.push(() => this.#leave(claim, podUid, next));
      else this.#leave(claim, podUid, next);
    };
    next();
  }

  /** Undoes what was prepared for pods that nobody wants to run here. */
  retain(isWanted: (podUid: string) => boolean): void {
    if (this.#claims.size === 0) return;
    const uids = new Set([...this.#claims.values()].flatMap(({ pods }) => [...pods]));
    for (const uid of uids) if (!isWanted(uid)) this.unprepare(uid, () => {});
  }

  /** The node was down: nothing is prepared. */
  reset(): void {
    this.#claims.clear();
  }

  #leave(claim: KnownClaim, podUid: string, onDone: () => void): void {
    claim.pods.delete(podUid);
    if (claim.pods.size === 0 && this.#claims.get(claim.uid) === claim) this.#claims.delete(claim.uid);
    onDone();
  }

  /** Returns the claims, which the pod uses from now on, or why it cannot use one of them. */
  #begun(pod: Pod): KnownClaim[] | string {
    try {
      const claims = claimNames(pod).map((name) => this.#usable(pod, name));
      const uid = pod.metadata?.uid ?? '';
      return claims.map((claim) => {
        const known = getOrMake(this.#claims, claim.metadata?.uid ?? '', () => newClaim(claim));
        known.pods.add(uid);
        return known;
      });
    } catch (error) {
      if (error instanceof ClaimProblem) return error.message;
      throw error;
    }
  }

  /** The claim, if it is allocated and reserved for the pod. */
  #usable(pod: Pod, name: string): ResourceClaim {
    const { namespace = '', name: podName = '', uid = '' } = pod.metadata ?? {};
    const claim = this.#fetch(pod, name);
    const owner = ownerOf(claim);
    if (owner !== undefined && owner.uid !== uid) {
      const who = `pod ${namespace}/${podName} (pod is not owner)`;
      throw new ClaimProblem(`ResourceClaim ${namespace}/${name} was not created for ${who}`);
    }
    if (claim.status?.allocation === undefined) throw new ClaimProblem(`claim ${namespace}/${name}: not allocated`);
    if (!isReservedFor(claim, { uid, name: podName }, podGroupNameOf(pod))) {
      const what = `resource claim ${name}(${claim.metadata?.uid})`;
      throw new ClaimProblem(`pod ${podName}(${uid}) is not allowed to use ${what}`);
    }
    return claim;
  }

  #fetch({ metadata }: Pod, name: string): ResourceClaim {
    try {
      return this.#modules.client.get('resourceclaims', metadata?.namespace ?? '', name);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const what = `ResourceClaim ${name} referenced by pod ${metadata?.name}`;
      throw new ClaimProblem(`failed to fetch ${what}: ${error.message}`);
    }
  }

  #prepareClaim(claim: KnownClaim, onDone: OnClaims): void {
    if (claim.isPrepared) {
      onDone();
      return;
    }
    claim.waiting.push(onDone);
    if (claim.isBusy) return;
    claim.isBusy = true;
    const { prepareError, prepareMillis = 0 } = this.#modules.faults();
    const settle = (): void => {
      const failure = prepareError ?? this.#conflictOf(claim);
      claim.isBusy = false;
      claim.isPrepared = failure === undefined;
      const waiting = claim.waiting;
      claim.waiting = [];
      for (const each of waiting) each(failure);
    };
    if (prepareMillis > 0) this.#modules.loop.after(prepareMillis, settle);
    else settle();
  }

  #conflictOf({ uid, devices }: KnownClaim): string | undefined {
    for (const other of this.#claims.values()) {
      if (!other.isPrepared || other.uid === uid) continue;
      const device = devices.find((each) => other.devices.includes(each));
      if (device !== undefined) return `device ${device} is prepared for claim ${other.name}`;
    }
    return undefined;
  }
}

function newClaim({ metadata, status }: ResourceClaim): KnownClaim {
  const results = status?.allocation?.devices?.results ?? [];
  const own = results.filter(({ adminAccess, shareID }) => adminAccess !== true && shareID === undefined);
  return {
    uid: metadata?.uid ?? '',
    name: `${metadata?.namespace}/${metadata?.name}`,
    devices: own.map(({ driver, pool, device }) => `${driver}/${pool}/${device}`),
    pods: new Set(),
    isPrepared: false,
    isBusy: false,
    waiting: [],
  };
}
