import type { KubernetesObject } from '../../api/meta.ts';
import type { PodResourceClaim } from '../../api/pod.ts';
import type { ResourceClaim, ResourceClaimTemplate } from '../../api/resource-claims.ts';
import { readingParts } from '../../client/informer/index-buckets.ts';
import type { Lister } from '../../client/informer/lister.ts';
import type { SharedInformer } from '../../client/informer/shared-informer.ts';
import type { Clock } from '../../lib/clock.ts';
import type { StoreClient } from '../../store/objects/store-client.ts';
import { claimFromTemplate, type OwnerKind, referenceOf } from './claims-of-pods.ts';

/** Upstream: the time to live in the controller's claimCache. */
const MADE_MILLIS = 60_000;

const NO_OWNER: readonly string[] = [];

interface MadeClaim {
  readonly reference: string;
  readonly name: string;
  readonly untilMillis: number;
}

/**
 * The claims that were made from templates for pods, or for groups: those that the informer shows, and those that were
 * made a moment ago, so that none is made twice while a watch is late.
 *
 * Upstream: claimCache in pkg/controller/resourceclaim/controller.go.
 */
export class OwnedClaims {
  readonly #kind: OwnerKind;
  readonly #clock: Clock;
  readonly #index: string;
  readonly #claims: Lister<ResourceClaim>;
  /** By owner. */
  readonly #made = new Map<string, MadeClaim[]>();
  /** When claims are dropped that were made long ago. */
  #sweepMillis = Number.NEGATIVE_INFINITY;

  /** The informer must not have been started yet. */
  constructor(claims: SharedInformer<ResourceClaim>, kind: OwnerKind, clock: Clock) {
    this.#kind = kind;
    this.#clock = clock;
    this.#index = `${kind.kind} that controls the claim`;
    this.#claims = claims.lister;
    const ownersOf = (claim: ResourceClaim): readonly string[] => {
      const uid = kind.ownerOf(claim)?.uid;
      return uid ? [uid] : NO_OWNER;
    };
    claims.addIndex(this.#index, readingParts(ownersOf, haveSameOwners));
  }

  /** The name of the claim that was made for this reference of the owner; undefined if none was. */
  nameOf(ownerUid: string, reference: string): string | undefined {
    const own = this.#claims.byIndex(this.#index, ownerUid);
    const shown = own.find((claim) => referenceOf(claim, this.#kind) === reference);
    if (shown !== undefined) return shown.metadata?.name;
    const made = this.#made.get(ownerUid)?.find((each) => each.reference === reference);
    return made !== undefined && this.#clock.nowMillis() < made.untilMillis ? made.name : undefined;
  }

  /** Makes the claim for this reference of the owner. @throws ApiError */
  make(
    client: StoreClient,
    owner: KubernetesObject,
    { name: reference }: PodResourceClaim,
    template: ResourceClaimTemplate,
  ): string {
    const claim = client.create('resourceclaims', claimFromTemplate(this.#kind, owner, reference, template));
    const { name = '' } = claim.metadata ?? {};
    const nowMillis = this.#clock.nowMillis();
    if (nowMillis >= this.#sweepMillis) this.#sweep(nowMillis);
    const uid = owner.metadata?.uid ?? '';
    const made = { reference, name, untilMillis: nowMillis + MADE_MILLIS };
    const others = this.#made.get(uid)?.filter((each) => each.reference !== reference);
    this.#made.set(uid, others === undefined ? [made] : [...others, made]);
    return name;
  }

  #sweep(nowMillis: number): void {
    for (const [uid, claims] of this.#made) {
      if (claims.every(({ untilMillis }) => untilMillis <= nowMillis)) this.#made.delete(uid);
    }
    this.#sweepMillis = nowMillis + MADE_MILLIS;
  }

  /** Records that the claim is gone. */
  forget(claim: ResourceClaim): void {
    const uid = this.#kind.ownerOf(claim)?.uid ?? '';
    const made = this.#made.get(uid);
    if (made === undefined) return;
    const others = made.filter(({ reference, name }) => {
      return name !== claim.metadata?.name || reference !== referenceOf(claim, this.#kind);
    });
    if (others.length > 0) this.#made.set(uid, others);
    else this.#made.delete(uid);
  }
}

function haveSameOwners(a: ResourceClaim, b: ResourceClaim): boolean {
  return a.metadata?.ownerReferences === b.metadata?.ownerReferences;
}
