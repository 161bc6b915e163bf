import { type Deployment, type DeploymentStatus, isRolling, REVISION_KEY } from '../../api/deployment.ts';
import type { Pod } from '../../api/pod.ts';
import { isPodFinished } from '../../api/pod-conditions.ts';
import { semanticallyEqual } from '../../api/semantic-equality.ts';
import type { ReplicaSet } from '../../api/workloads.ts';
import type { EventRecorder } from '../../client/events/event-recorder.ts';
import { isApiError } from '../../store/objects/api-error.ts';
import type { StoreClient } from '../../store/objects/store-client.ts';
import { messageOf, SyncError } from '../job/sync-error.ts';
import { isNamespaceTerminating } from '../pod-creation.ts';
import {
  conditionOf,
  deadlineMillis,
  hasDeadline,
  isComplete,
  observedStatus,
  withCondition,
  withFailure,
  withProgress,
} from './deployment-status.ts';
import { newSetOf } from './new-set.ts';
import { scaledSets } from './proportional-scaling.ts';
import {
  desiredReplicasOf,
  hasSizeOf,
  newestSetOf,
  replicasOf,
  revisionOf,
  setAnnotations,
  sizeAnnotations,
  sum,
} from './replica-sets.ts';
import { growNewSet, type Resize, shrinkOldSets } from './rolling-update.ts';

export interface DeploymentSyncModules {
  readonly client: StoreClient;
  readonly recorder: EventRecorder;
  readonly nowMillis: number;
  /** The pods of a ReplicaSet. */
  readonly podsOf: (set: ReplicaSet) => readonly Pod[];
}

/**
 * One sync of a Deployment: decide what it is about (pause, scaling or update), do one step, write the status.
 *
 * Upstream: syncDeployment in pkg/controller/deployment/deployment_controller.go.
 */
export class DeploymentSync {
  readonly #modules: DeploymentSyncModules;
  readonly #sets: readonly ReplicaSet[];
  #deployment: Deployment;
  #newSet: ReplicaSet | undefined;

  constructor(modules: DeploymentSyncModules, deployment: Deployment, sets: readonly ReplicaSet[]) {
    this.#modules = modules;
    this.#deployment = deployment;
    this.#sets = sets;
    this.#newSet = newestSetOf(deployment, sets);
  }

  /** Returns when the Deployment must be looked at again; undefined if only a change matters. @throws ApiError */
  run(): number | undefined {
    const { metadata, spec } = this.#deployment;
    if (metadata?.deletionTimestamp !== undefined) return this.#writeStatus();
    this.#notePause();
    if (spec?.paused === true || this.#isScaled()) {
      this.#updateNewSet();
      for (const resize of scaledSets(this.#deployment, this.#newSet, this.#oldSets)) this.#resize(resize);
      if (spec?.paused === true) this.#cleanUp();
      return this.#writeStatus();
    }
    const isDone = isRolling(this.#deployment) ? this.#roll() : this.#recreate();
    if (isDone && isComplete(this.#deployment, this.#deployment.status ?? {})) this.#cleanUp();
    const { nowMillis } = this.#modules;
    return this.#writeStatus((status) => {
      const progress = withProgress(this.#deployment, status, this.#newSet, nowMillis);
      return withFailure(progress, this.#allSets, this.#newSet);
    });
  }

  get #oldSets(): readonly ReplicaSet[] {
    return this.#sets.filter(({ metadata }) => metadata?.uid !== this.#newSet?.metadata?.uid);
  }

  get #allSets(): readonly ReplicaSet[] {
    return this.#newSet === undefined ? this.#oldSets : [...this.#oldSets, this.#newSet];
  }

  /** Whether the wanted number has changed since the ReplicaSets were scaled. Upstream: isScalingEvent. */
  #isScaled(): boolean {
    const { replicas = 1 } = this.#deployment.spec ?? {};
    return this.#allSets.some((set) => {
      const desired = replicasOf(set) > 0 ? desiredReplicasOf(set) : undefined;
      return desired !== undefined && desired !== replicas;
    });
  }

  /** One step of a rolling update. Returns whether there was nothing to do. */
  #roll(): boolean {
    this.#updateNewSet();
    const newSet = this.#newSet ?? this.#createNewSet();
    if (newSet === undefined) return false;
    const growth = growNewSet(this.#deployment, newSet, this.#oldSets);
    if (growth !== undefined) {
      this.#resize(growth);
      return false;
    }
    const shrunk = shrinkOldSets(this.#deployment, newSet, this.#oldSets);
    for (const resize of shrunk) this.#resize(resize);
    return shrunk.length === 0;
  }

  /** All old pods go before the first new one comes. Upstream: pkg/controller/deployment/recreate.go. */
  #recreate(): boolean {
    this.#updateNewSet();
    const active = this.#oldSets.filter((set) => replicasOf(set) > 0);
    for (const set of active) this.#resize({ set, replicas: 0 });
    if (active.length > 0 || this.#hasOldPods()) return false;
    const newSet = this.#newSet ?? this.#createNewSet();
    const { replicas = 1 } = this.#deployment.spec ?? {};
    if (newSet === undefined || replicasOf(newSet) === replicas) return true;
    this.#resize({ set: newSet, replicas });
    return false;
  }

  #hasOldPods(): boolean {
    return (
      sum(this.#oldSets, ({ status }) => status?.replicas) > 0 ||
      this.#oldSets.some((set) => this.#modules.podsOf(set).some((pod) => !isPodFinished(pod)))
    );
  }

  /** Gives the new ReplicaSet its revision and the Deployment's annotations. Upstream: getNewReplicaSet. */
  #updateNewSet(): void {
    const set = this.#newSet;
    if (set === undefined) return;
    const { minReadySeconds = 0 } = this.#deployment.spec ?? {};
    const annotations = setAnnotations(this.#deployment, set, this.#nextRevision());
    const isReadyEqual = (set.spec?.minReadySeconds ?? 0) === minReadySeconds;
    if (!isReadyEqual || !semanticallyEqual(annotations, set.metadata?.annotations)) {
      const { client } = this.#modules;
      const next = { ...set, metadata: { ...set.metadata, annotations }, spec: { ...set.spec, minReadySeconds } };
      this.#newSet = client.update('replicasets', next);
    }
    this.#setRevision(annotations[REVISION_KEY] ?? '');
    if (conditionOf(this.#deployment.status ?? {}, 'Progressing') !== undefined) return;
    this.#note('True', 'FoundNewReplicaSet', `Found new replica set "${set.metadata?.name}"`);
  }

  #nextRevision(): number {
    return Math.max(0, ...this.#oldSets.map(revisionOf)) + 1;
  }

  /** Creates the ReplicaSet of the present template, as large as there is room for. */
  #createNewSet(): ReplicaSet | undefined {
    const { client, recorder } = this.#modules;
    const planned = newSetOf(this.#deployment, this.#sets, this.#nextRevision());
    const { name = '', namespace = '' } = planned.metadata ?? {};
    let isCreated = false;
    try {
      this.#newSet = client.create('replicasets', planned);
      isCreated = true;
      const size = replicasOf(this.#newSet);
      if (size > 0) this.#recordScaling(name, 0, size);
    } catch (error) {
      if (isNamespaceTerminating(error)) return undefined;
      if (!isApiError(error, 'AlreadyExists')) {
        const message = `Failed to create new replica set "${name}": ${messageOf(error)}`;
        recorder.event(this.#deployment, 'Warning', 'ReplicaSetCreateError', message);
        this.#note('False', 'ReplicaSetCreateError', message);
        throw error;
      }
      this.#newSet = this.#ownSetNamed(namespace, name);
    }
    this.#setRevision(String(this.#nextRevision()));
    // A set that the cache does not show yet was noted when it was created; a second note would undo later ones.
    if (isCreated) this.#note('True', 'NewReplicaSetCreated', `Created new replica set "${name}"`);
    return this.#newSet;
  }

  /** The ReplicaSet of that name if it is ours, which the cache does not show yet. Otherwise another hash is tried. */
  #ownSetNamed(namespace: string, name: string): ReplicaSet {
    const { client } = this.#modules;
    const found = client.get('replicasets', namespace, name);
    const isOurs = found.metadata?.ownerReferences?.some(({ uid }) => uid === this.#deployment.metadata?.uid);
    if (isOurs && newestSetOf(this.#deployment, [found]) !== undefined) return found;
    const { status } = this.#deployment;
    const collisionCount = (status?.collisionCount ?? 0) + 1;
    client.updateStatus('deployments', { ...this.#deployment, status: { ...status, collisionCount } });
    throw new SyncError(`the name of the new replica set "${name}" is taken`);
  }

  #resize({ set, replicas }: Resize): void {
    const { client } = this.#modules;
    const before = replicasOf(set);
    if (before === replicas && hasSizeOf(this.#deployment, set)) return;
    const annotations = { ...set.metadata?.annotations, ...sizeAnnotations(this.#deployment) };
    const next = { ...set, metadata: { ...set.metadata, annotations }, spec: { ...set.spec, replicas } };
    client.update('replicasets', next);
    if (before !== replicas) this.#recordScaling(set.metadata?.name ?? '', before, replicas);
  }

  #recordScaling(name: string, from: number, to: number): void {
    const direction = from < to ? 'up' : 'down';
    const message = `Scaled ${direction} replica set ${name} from ${from} to ${to}`;
    this.#modules.recorder.event(this.#deployment, 'Normal', 'ScalingReplicaSet', message);
  }

  /** Deletes old ReplicaSets without pods beyond the limit, those of the lowest revision first. */
  #cleanUp(): void {
    const { revisionHistoryLimit } = this.#deployment.spec ?? {};
    if (revisionHistoryLimit === undefined) return;
    const old = this.#oldSets.filter(({ metadata }) => metadata?.deletionTimestamp === undefined);
    const surplusCount = Math.max(0, old.length - revisionHistoryLimit);
    const surplus = old.toSorted((a, b) => revisionOf(a) - revisionOf(b)).slice(0, surplusCount);
    for (const set of surplus) {
      const { metadata: { namespace = '', name = '', generation = 0 } = {}, status } = set;
      if (replicasOf(set) > 0 || (status?.replicas ?? 0) > 0 || generation > (status?.observedGeneration ?? 0))
        continue;
      try {
        this.#modules.client.delete('replicasets', namespace, name);
      } catch (error) {
        if (!isApiError(error, 'NotFound')) throw error;
      }
    }
  }

  #setRevision(revision: string): void {
    const { metadata } = this.#deployment;
    if (metadata?.annotations?.[REVISION_KEY] === revision) return;
    const { namespace = '', name = '' } = metadata ?? {};
    const body = { metadata: { annotations: { [REVISION_KEY]: revision } } };
    this.#deployment = this.#modules.client.patch('deployments', namespace, name, { type: 'merge', body });
  }

  /** Upstream: checkPausedConditions. */
  #notePause(): void {
    const { spec, status = {} } = this.#deployment;
    const present = conditionOf(status, 'Progressing');
    if (present?.reason === 'ProgressDeadlineExceeded') return;
    const isPaused = spec?.paused === true;
    if (isPaused === (present?.reason === 'DeploymentPaused')) return;
    const state = isPaused ? 'Paused' : 'Resumed';
    this.#note('Unknown', `Deployment${state}`, `Deployment is ${state.toLowerCase()}`);
  }

  /** Notes whether there is progress, from which a deadline counts. */
  #note(value: string, reason: string, message: string): void {
    if (!hasDeadline(this.#deployment)) return;
    const { status: before = {} } = this.#deployment;
    const { client, nowMillis } = this.#modules;
    const status = withCondition(before, { type: 'Progressing', status: value, reason, message }, nowMillis);
    if (status !== before) this.#deployment = client.updateStatus('deployments', { ...this.#deployment, status });
  }

  #writeStatus(complete = (status: DeploymentStatus): DeploymentStatus => status): number | undefined {
    const { client, nowMillis } = this.#modules;
    const deployment = this.#deployment;
    const status = complete(observedStatus(deployment, this.#allSets, this.#newSet, nowMillis));
    if (!semanticallyEqual(status, deployment.status)) client.updateStatus('deployments', { ...deployment, status });
    return deadlineMillis(deployment, status);
  }
}
