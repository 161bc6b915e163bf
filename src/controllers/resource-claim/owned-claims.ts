import type { KubernetesObject } from '../../api/meta.ts';
import type { PodResourceClaim } from '../../api/pod.ts';
import type { ResourceClaim, ResourceClaimTemplate } from '../../api/resource-claims.ts';
import type { Lister } from '../../client/informer/lister.ts';
import type { SharedInformer } from '../../client/informer/shared-informer.ts';
import type { Clock } from '../../lib/clock.ts';
import type { StoreClient } from '../../store/objects/store-client.ts';
import { claimFromTemplate, type OwnerKind, referenceOf } from './claims-of-pods.ts';

/** Upstream: the time to live in the controller's claimCache. */
const MADE_MILLIS = 60_000;

const NO_OWNER: readonly string[] = [];

interface MadeClaim {
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
  /** By owner and reference, in the order of their times. */
  readonly #made = new Map<string, MadeClaim>();

  /** The informer must not have been started yet. */
  constructor(claims: SharedInformer<ResourceClaim>, kind: OwnerKind, clock: Clock) {
    this.#kind = kind;
    this.#clock = clock;
    this.#index = `${kind.kind} that controls the claim`;
    this.#claims = claims.lister;
    claims.addIndex(this.#index, (claim) => {
      const uid = kind.ownerOf(claim)?.uid;
      return uid ? [uid] : NO_OWNER;
    });
  }

  /** The name of the claim that was made for this reference of the owner; undefined if none was. */
  nameOf(ownerUid: string, reference: string): string | undefined {
    const own = this.#claims.byIndex(this.#index, ownerUid);
    const shown = own.find((claim) => referenceOf(claim, this.#kind) === reference);
    if (shown !== undefined) return shown.metadata?.name;
    const made = this.#made.get(keyOf(ownerUid, reference));
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
    for (const [key, { untilMillis }] of this.#made) {
      if (nowMillis < untilMillis) break;
      this.#made.delete(key);
    }
    this.#made.set(keyOf(owner.metadata?.uid ?? '', reference), { name, untilMillis: nowMillis + MADE_MILLIS });
    return name;
  }

  /** Records that the claim is gone. */
  forget(claim: ResourceClaim): void {
    const key = keyOf(this.#kind.ownerOf(claim)?.uid ?? '', referenceOf(claim, this.#kind) ?? '');
    if (this.#made.get(key)?.name === claim.metadata?.name) this.#made.delete(key);
  }
}

function keyOf(ownerUid: string, reference: string): string {
  return `${ownerUid} ${reference}`;
}
