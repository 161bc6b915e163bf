import type { OwnerReference } from '../../api/meta.ts';
import type { Pod } from '../../api/pod.ts';
import { semanticallyEqual } from '../../api/semantic-equality.ts';
import type { StatefulSet } from '../../api/stateful-set.ts';
import type { PersistentVolumeClaim } from '../../api/storage.ts';
import type { EventRecorder } from '../../client/events/event-recorder.ts';
import type { Lister } from '../../client/informer/lister.ts';
import { ifFound } from '../../store/objects/api-error.ts';
import type { StoreClient } from '../../store/objects/store-client.ts';
import { controllerReference } from '../pod-creation.ts';
import { claimsOf, isInRange, ordinalOf } from './stateful-pod.ts';

export interface PodClaimsModules {
  readonly client: StoreClient;
  readonly recorder: EventRecorder;
  readonly claims: Lister<PersistentVolumeClaim>;
}

/** The volume claims of a StatefulSet's pods. Upstream: pkg/controller/statefulset/stateful_pod_control.go. */
export class PodClaims {
  readonly #modules: PodClaimsModules;

  constructor(modules: PodClaimsModules) {
    this.#modules = modules;
  }

  /** Whether a claim of the pod still belongs to a pod that is gone, and is deleted with it. */
  areStale(set: StatefulSet, ordinal: number, podUid: string | undefined): boolean {
    return this.#present(set, ordinal).some(({ metadata }) =>
      metadata?.ownerReferences?.some(({ kind, name, uid }) => {
        return kind === 'Pod' && name === `${set.metadata?.name}-${ordinal}` && uid !== podUid;
      }),
    );
  }

  /** Creates the claims that are missing. @throws ApiError */
  createMissing(set: StatefulSet, ordinal: number): void {
    const { client, claims, recorder } = this.#modules;
    for (const claim of claimsOf(set, ordinal)) {
      const { namespace = '', name = '' } = claim.metadata ?? {};
      if (claims.get(namespace, name) !== undefined) continue;
      const ownerReferences = ownersOf(set, undefined, []);
      const owned = ownerReferences.length === 0 ? {} : { ownerReferences };
      client.create('persistentvolumeclaims', { ...claim, metadata: { ...claim.metadata, ...owned } });
      const setName = set.metadata?.name;
      const message = `create Claim ${name} Pod ${setName}-${ordinal} in StatefulSet ${setName} success`;
      recorder.event(set, 'Normal', 'SuccessfulCreate', message);
    }
  }

  /** Gives the pod's claims the owners with which they are to be deleted. @throws ApiError */
  retain(set: StatefulSet, pod: Pod): void {
    for (const claim of this.#present(set, ordinalOf(pod))) {
      const present = claim.metadata?.ownerReferences ?? [];
      const isForeign = ({ controller, uid }: OwnerReference) =>
        controller === true && uid !== set.metadata?.uid && uid !== pod.metadata?.uid;
      if (present.some(isForeign)) continue;
      const ownerReferences = ownersOf(set, pod, present);
      if (semanticallyEqual(present, ownerReferences)) continue;
      const next = { ...claim, metadata: { ...claim.metadata, ownerReferences } };
      ifFound(() => this.#modules.client.update('persistentvolumeclaims', next));
    }
  }

  #present(set: StatefulSet, ordinal: number): readonly PersistentVolumeClaim[] {
    const { claims } = this.#modules;
    return claimsOf(set, ordinal).flatMap(({ metadata }) => {
      const claim = claims.get(metadata?.namespace ?? '', metadata?.name ?? '');
      return claim === undefined || claim.metadata?.deletionTimestamp !== undefined ? [] : [claim];
    });
  }
}

/**
 * The owners of a claim: the set if claims go with it, and the pod if it is one too many and claims go then. Upstream:
 * updateClaimOwnerRefForSetAndPod.
 */
function ownersOf(set: StatefulSet, pod: Pod | undefined, present: readonly OwnerReference[]): OwnerReference[] {
  const { whenDeleted, whenScaled } = set.spec?.persistentVolumeClaimRetentionPolicy ?? {};
  const isCondemned = pod !== undefined && whenScaled === 'Delete' && !isInRange(set, ordinalOf(pod));
  const isOfSet = whenDeleted === 'Delete' && !isCondemned;
  const uids = [set.metadata?.uid, pod?.metadata?.uid];
  return [
    ...present.filter(({ uid }) => !uids.includes(uid)),
    ...(isOfSet ? [controllerReference('apps/v1', 'StatefulSet', set)] : []),
    ...(isCondemned ? [controllerReference('v1', 'Pod', pod)] : []),
  ];
}
