import type { Node } from '../../api/node.ts';
import type { PersistentVolume, PersistentVolumeClaim, StorageClass } from '../../api/storage.ts';
import {
  BIND_COMPLETED_ANNOTATION,
  BOUND_BY_CONTROLLER_ANNOTATION,
  claimClassName,
  isFullyBound,
  isProvisioned,
  isVolumeBoundToClaim,
  SELECTED_NODE_ANNOTATION,
  volumeClassName,
  waitsForPod,
} from '../../api/volume-claims.ts';
import { stateHandler } from '../../client/informer/event-handler.ts';
import type { Lister } from '../../client/informer/lister.ts';
import { objectKey, splitKey } from '../../client/object-key.ts';
import { isApiError } from '../../store/objects/api-error.ts';
import { type ControllerModules, QueuedController, type RecordingModules } from '../queued-controller.ts';
import { bestVolume, PROVISIONED_BY, provisionedVolume } from './volumes-for-claims.ts';

export type VolumeControllerModules = ControllerModules & RecordingModules;

const CLAIM_PREFIX = 'claim ';
const VOLUME_PREFIX = 'volume ';
const CLASS_PREFIX = 'class ';
/** Claims without a volume by the volume that they name, or by their class. */
const BY_WANT = 'want';
/** Volumes by the claim that they name, or by their class. */
const BY_USE = 'use';

/**
 * Binds claims to volumes, and creates volumes for claims whose class has a provisioner: it stands for the volume
 * controller (pkg/controller/volume/persistentvolume) and, in a simple form, for provisioners of all drivers.
 *
 *   claim, volume, class events ──▶ queue ──▶ workers ──▶ bind to the reserved, the best or a new volume
 */
export class VolumeController extends QueuedController {
  readonly #modules: VolumeControllerModules;
  readonly #claims: Lister<PersistentVolumeClaim>;
  readonly #volumes: Lister<PersistentVolume>;
  readonly #classes: Lister<StorageClass>;
  readonly #nodes: Lister<Node>;

  constructor(modules: VolumeControllerModules) {
    super(modules, 'volume');
    const { informers } = modules;
    this.#modules = modules;
    const [claims, volumes] = [informers.of('persistentvolumeclaims'), informers.of('persistentvolumes')];
    const [classes, nodes] = [informers.of('storageclasses'), informers.of('nodes')];
    this.#claims = claims.lister;
    this.#volumes = volumes.lister;
    this.#classes = classes.lister;
    this.#nodes = nodes.lister;
    claims.addIndex(BY_WANT, wantOf);
    volumes.addIndex(BY_USE, useOf);
    const enqueueVolume = (volume: PersistentVolume): void => this.queue.add(VOLUME_PREFIX + objectKey(volume));
    const claimGone = (claim: PersistentVolumeClaim): void => {
      const volume = this.#volumes.get('', claim.spec?.volumeName ?? '');
      if (volume !== undefined) enqueueVolume(volume);
    };
    this.handle(claims, stateHandler(this.#enqueueClaim, claimGone), 'volume controller, claims');
    const volumeHandler = stateHandler<PersistentVolume>((volume) => {
      enqueueVolume(volume);
      if (volume.spec?.claimRef) return;
      // A volume without a claim may be what some claim waits for. A class is looked at once for many volumes.
      this.#claims.byIndex(BY_WANT, VOLUME_PREFIX + objectKey(volume)).forEach(this.#enqueueClaim);
      this.queue.add(CLASS_PREFIX + volumeClassName(volume));
    });
    this.handle(volumes, volumeHandler, 'volume controller, volumes');
    const classHandler = stateHandler<StorageClass>(({ metadata }) => this.queue.add(CLASS_PREFIX + metadata?.name));
    this.handle(classes, classHandler, 'volume controller, classes');
    this.awaitCache(nodes);
  }

  readonly #enqueueClaim = (claim: PersistentVolumeClaim): void => this.queue.add(CLAIM_PREFIX + objectKey(claim));

  protected override sync(key: string): void {
    try {
      if (key.startsWith(CLAIM_PREFIX)) this.#syncClaim(key.slice(CLAIM_PREFIX.length));
      else if (key.startsWith(CLASS_PREFIX)) this.#claims.byIndex(BY_WANT, key).forEach(this.#enqueueClaim);
      else this.#syncVolume(key.slice(VOLUME_PREFIX.length));
    } catch (error) {
      if (!isApiError(error, 'Conflict') && !isApiError(error, 'NotFound')) throw error;
      this.queue.addRateLimited(key);
    }
  }

  #syncClaim(key: string): void {
    const { namespace, name } = splitKey(key);
    const claim = this.#claims.get(namespace, name);
    if (claim === undefined || claim.metadata?.deletionTimestamp !== undefined) return;
    if (isFullyBound(claim) && claim.status?.phase === 'Bound') return;
    const { volumeName } = claim.spec ?? {};
    if (volumeName) {
      const volume = this.#volumes.get('', volumeName);
      if (volume !== undefined && isFreeFor(volume, claim)) this.#bind(claim, volume);
      return;
    }
    const named = this.#volumes.byIndex(BY_USE, CLAIM_PREFIX + key);
    const reserved = named.find((volume) => isVolumeBoundToClaim(volume, claim));
    if (reserved !== undefined) {
      this.#bind(claim, reserved);
      return;
    }
    const className = claimClassName(claim);
    const storageClass = this.#classes.get('', className);
    const selected = claim.metadata?.annotations?.[SELECTED_NODE_ANNOTATION];
    // The scheduler decides about claims of such a class, since it knows which nodes their pods fit on.
    const isWaiting = waitsForPod(storageClass);
    if (isWaiting && selected === undefined) return;
    const best = isWaiting ? undefined : bestVolume(this.#volumes.byIndex(BY_USE, CLASS_PREFIX + className), claim);
    if (best !== undefined) this.#bind(claim, best);
    else if (storageClass !== undefined && isProvisioned(storageClass)) this.#provision(claim, storageClass, selected);
  }

  #provision(claim: PersistentVolumeClaim, storageClass: StorageClass, selected: string | undefined): void {
    const { client, recorder } = this.#modules;
    const node = selected === undefined ? undefined : this.#nodes.get('', selected);
    const planned = provisionedVolume(claim, storageClass, node);
    let volume: PersistentVolume;
    try {
      volume = client.create('persistentvolumes', planned);
    } catch (error) {
      if (!isApiError(error, 'AlreadyExists')) throw error;
      volume = client.get('persistentvolumes', '', planned.metadata?.name ?? '');
    }
    const message = `Successfully provisioned volume ${volume.metadata?.name}`;
    recorder.event(claim, 'Normal', 'ProvisioningSucceeded', message);
    this.#bind(claim, volume);
  }

  /** Makes volume and claim refer to each other. */
  #bind(claim: PersistentVolumeClaim, volume: PersistentVolume): void {
    const { client } = this.#modules;
    const { namespace, name, uid } = claim.metadata ?? {};
    let bound = volume;
    if (volume.spec?.claimRef?.uid !== uid) {
      const claimRef = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace, name, uid };
      const isReserved = volume.spec?.claimRef !== undefined && volume.spec.claimRef !== null;
      const annotations = isReserved ? {} : { [BOUND_BY_CONTROLLER_ANNOTATION]: 'yes' };
      bound = client.update('persistentvolumes', {
        ...volume,
        metadata: { ...volume.metadata, annotations: { ...volume.metadata?.annotations, ...annotations } },
        spec: { ...volume.spec, claimRef },
      });
    }
    if (bound.status?.phase !== 'Bound') client.updateStatus('persistentvolumes', withPhase(bound, 'Bound'));
    let updated = claim;
    if (!isFullyBound(claim)) {
      const annotations = { ...claim.metadata?.annotations, [BIND_COMPLETED_ANNOTATION]: 'yes' };
      updated = client.update('persistentvolumeclaims', {
        ...claim,
        metadata: { ...claim.metadata, annotations },
        spec: { ...claim.spec, volumeName: volume.metadata?.name },
      });
    }
    if (updated.status?.phase !== 'Bound') client.updateStatus('persistentvolumeclaims', withPhase(updated, 'Bound'));
  }

  /** Gives a volume its phase, and deletes a provisioned one whose claim is gone. */
  #syncVolume(key: string): void {
    const { client } = this.#modules;
    const volume = this.#volumes.get('', key);
    if (volume === undefined || volume.metadata?.deletionTimestamp !== undefined) return;
    const { claimRef, storageClassName = '' } = volume.spec ?? {};
    const claim = this.#claims.get(claimRef?.namespace ?? '', claimRef?.name ?? '');
    if (!claimRef?.uid) {
      if (!volume.status?.phase || volume.status.phase === 'Pending') {
        client.updateStatus('persistentvolumes', withPhase(volume, 'Available'));
      }
      if (claim !== undefined) this.queue.add(CLAIM_PREFIX + objectKey(claim));
    } else if (claim?.metadata?.uid === claimRef.uid) {
      if (!isFullyBound(claim)) this.queue.add(CLAIM_PREFIX + objectKey(claim));
    } else {
      const isOurs = volume.metadata?.annotations?.[PROVISIONED_BY] !== undefined;
      const isRetained = this.#classes.get('', storageClassName)?.reclaimPolicy === 'Retain';
      if (isOurs && !isRetained) client.delete('persistentvolumes', '', key);
      else if (volume.status?.phase !== 'Released') {
        client.updateStatus('persistentvolumes', withPhase(volume, 'Released'));
      }
    }
  }
}

function wantOf(claim: PersistentVolumeClaim): readonly string[] {
  const volumeName = claim.spec?.volumeName;
  if (isFullyBound(claim)) return [];
  return [volumeName ? VOLUME_PREFIX + volumeName : CLASS_PREFIX + claimClassName(claim)];
}

function useOf(volume: PersistentVolume): readonly string[] {
  const reference = volume.spec?.claimRef;
  if (!reference) return [CLASS_PREFIX + volumeClassName(volume)];
  return [`${CLAIM_PREFIX}${reference.namespace || 'default'}/${reference.name}`];
}

function isFreeFor(volume: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  return !volume.spec?.claimRef || isVolumeBoundToClaim(volume, claim);
}

function withPhase<T extends PersistentVolume | PersistentVolumeClaim>(object: T, phase: string): T {
  return { ...object, status: { ...object.status, phase } };
}
