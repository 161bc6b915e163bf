import { compileLabelSelector, type LabelSelector, type Selector } from '../../api/label-selector.ts';
import type { KubernetesObject } from '../../api/meta.ts';
import type { Pod } from '../../api/pod.ts';
import type { PodTemplate } from '../../api/pod-template.ts';
import { semanticallyEqual } from '../../api/semantic-equality.ts';
import { Expectations, UidExpectations } from '../../client/expectations.ts';
import { stateHandler } from '../../client/informer/event-handler.ts';
import type { Lister } from '../../client/informer/lister.ts';
import type { SharedInformer } from '../../client/informer/shared-informer.ts';
import { objectKey, splitKey } from '../../client/object-key.ts';
import { isApiError } from '../../store/objects/api-error.ts';
import type { Resource } from '../../store/objects/resources.ts';
import { BY_CONTROLLER, controllerKeys, controllerOf, controlling } from '../job/pod-indexes.ts';
import { isActive } from '../job/pod-state.ts';
import { type ControllerModules, QueuedController, type RecordingModules } from '../queued-controller.ts';
import { adopt, claimed, type Owner, release } from './claim.ts';
import { BY_SELECTOR, ownersSelecting, selectorKeys } from './selecting.ts';

export type PodOwnerModules = ControllerModules & RecordingModules;

/** An object that keeps pods. */
export interface PodOwner extends KubernetesObject {
  readonly spec?:
    | {
        readonly selector?: LabelSelector | undefined;
        readonly template?: PodTemplate | undefined;
        readonly minReadySeconds?: number | undefined;
      }
    | undefined;
}

/** The kind of the owners, and how it is written. */
export interface OwnerKind {
  readonly resource: Resource;
  readonly apiVersion: string;
  readonly kind: string;
  /** The kind in messages, such as `replica set`. */
  readonly title: string;
}

/**
 * A controller of objects that keep pods: a change of an object or of one of its pods queues the object.
 *
 *   owner and pod events ──▶ queue ──▶ workers ──▶ claim pods ──▶ create or delete ──▶ status
 */
export abstract class PodOwnerController<T extends PodOwner> extends QueuedController {
  protected readonly modules: PodOwnerModules;
  protected readonly owners: Lister<T>;
  protected readonly pods: Lister<Pod>;
  protected readonly creations: Expectations;
  protected readonly deletions = new UidExpectations();
  readonly #kind: OwnerKind;

  constructor(modules: PodOwnerModules, kind: OwnerKind, owners: SharedInformer<T>) {
    super(modules, kind.title);
    this.modules = modules;
    this.#kind = kind;
    this.creations = new Expectations(modules.loop);
    const pods = modules.informers.of('pods');
    this.owners = owners.lister;
    this.pods = pods.lister;
    // The index of the Job controller is reused, since another index would cost time for every pod.
    pods.addIndex(BY_CONTROLLER, controllerKeys);
    owners.addIndex(BY_CONTROLLER, controllerKeys);
    owners.addIndex(BY_SELECTOR, selectorKeys);
    const enqueue = (owner: T): void => this.queue.add(objectKey(owner));
    const ownerHandler = stateHandler(enqueue, (owner: T) => {
      this.#forget(objectKey(owner));
      enqueue(owner);
    });
    const podHandler = {
      onAdd: (pod: Pod) => this.#podAdded(pod),
      onUpdate: (before: Pod, pod: Pod) => this.#podUpdated(before, pod),
      onDelete: (pod: Pod) => this.#podDeleted(pod),
    };
    this.handle(owners, ownerHandler, `${kind.title} controller, ${kind.title}s`);
    this.handle(pods, podHandler, `${kind.title} controller, pods`);
  }

  #podAdded(pod: Pod): void {
    if (pod.metadata?.deletionTimestamp !== undefined) {
      this.#podDeleted(pod);
      return;
    }
    const owner = this.#ownerOf(pod);
    if (owner !== undefined) {
      this.creations.creationObserved(objectKey(owner));
      this.queue.add(objectKey(owner));
    } else if (controllerOf(pod) === undefined) this.#offer(pod);
  }

  #podUpdated(before: Pod, pod: Pod): void {
    if (before.metadata?.ownerReferences === pod.metadata?.ownerReferences && this.#isOfOthers(pod)) return;
    // A pod that is being deleted counts as gone.
    if (pod.metadata?.deletionTimestamp !== undefined) {
      this.#podDeleted(pod);
      return;
    }
    const ownerBefore = this.#ownerOf(before);
    const owner = this.#ownerOf(pod);
    if (ownerBefore !== undefined && ownerBefore !== owner) this.queue.add(objectKey(ownerBefore));
    if (owner !== undefined) {
      if (isNews(before, pod)) this.queue.add(objectKey(owner));
      const { minReadySeconds = 0 } = owner.spec ?? {};
      if (minReadySeconds > 0) this.queue.addAfter(objectKey(owner), (minReadySeconds + 1) * 1000);
    } else if (controllerOf(pod) === undefined && !semanticallyEqual(before.metadata?.labels, pod.metadata?.labels)) {
      this.#offer(pod);
    }
  }

  /** Whether the pod's controller is of another kind, so that nothing about the pod matters here. */
  #isOfOthers(pod: Pod): boolean {
    const controller = controllerOf(pod);
    return controller !== undefined && controller.kind !== this.#kind.kind;
  }

  #podDeleted(pod: Pod): void {
    const owner = this.#ownerOf(pod);
    if (owner === undefined) return;
    this.deletions.observed(objectKey(owner), pod.metadata?.uid ?? '');
    this.queue.add(objectKey(owner));
  }

  #forget(key: string): void {
    this.creations.delete(key);
    this.deletions.delete(key);
  }

  /** Queues the owners that may adopt the pod. */
  #offer(pod: Pod): void {
    for (const owner of ownersSelecting(this.owners, pod)) this.queue.add(objectKey(owner));
  }

  #ownerOf(pod: Pod): T | undefined {
    const controller = controllerOf(pod);
    return controller && controlling(this.owners, this.#kind.kind, pod, controller);
  }

  protected override sync(key: string): void {
    const { namespace, name } = splitKey(key);
    const owner = this.owners.get(namespace, name);
    if (owner === undefined) {
      this.#forget(key);
      return;
    }
    // An object that consists only of a selector is input for scheduling, so it gets no pods.
    const selector = compileLabelSelector(owner.spec?.selector);
    if (owner.spec?.template?.spec === undefined || 'error' in selector) return;
    this.syncOwner(key, owner, selector);
  }

  protected abstract syncOwner(key: string, owner: T, selector: Selector): void;

  /** Whether the cache shows all that was created and deleted before. */
  protected mayManage(key: string): boolean {
    return this.creations.areSatisfied(key) && this.deletions.get(key).size === 0;
  }

  /** Adopts and releases pods. Returns those that belong to the owner and that `isMember` accepts. @throws ApiError */
  protected claim(owner: T, selector: Selector, isMember: (pod: Pod) => boolean = () => true): readonly Pod[] {
    const { client } = this.modules;
    const as = this.asOwner(owner);
    const { owned, orphans, strangers } = claimed(this.pods, as, selector, isActive);
    for (const pod of strangers) release(client, 'pods', as, pod);
    return [...owned, ...orphans.filter((pod) => isMember(pod) && adopt(client, 'pods', as, pod))].filter(isMember);
  }

  protected asOwner(object: T): Owner {
    return { apiVersion: this.#kind.apiVersion, kind: this.#kind.kind, object };
  }

  /** Writes the status, if it is another one. After a conflict the object is synced again. @throws ApiError */
  protected writeStatus(key: string, owner: T, before: unknown, status: object): void {
    if (semanticallyEqual(status, before)) return;
    try {
      this.modules.client.updateStatus(this.#kind.resource, { ...owner, status } as never);
    } catch (error) {
      if (isApiError(error, 'NotFound')) return;
      if (!isApiError(error, 'Conflict')) throw error;
      this.queue.addRateLimited(key);
    }
  }
}

/** Whether the change of the pod changes its owner's counts. */
function isNews(before: Pod, after: Pod): boolean {
  return (
    before.status?.phase !== after.status?.phase ||
    before.status?.conditions !== after.status?.conditions ||
    before.metadata?.labels !== after.metadata?.labels ||
    before.metadata?.ownerReferences !== after.metadata?.ownerReferences
  );
}
