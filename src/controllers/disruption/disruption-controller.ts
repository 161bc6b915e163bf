import { compileLabelSelector } from '../../api/label-selector.ts';
import type { KubernetesObject, OwnerReference } from '../../api/meta.ts';
import type { Pod } from '../../api/pod.ts';
import type { PodDisruptionBudget } from '../../api/pod-disruption-budget.ts';
import { semanticallyEqual } from '../../api/semantic-equality.ts';
import { stateHandler } from '../../client/informer/event-handler.ts';
import type { Lister } from '../../client/informer/lister.ts';
import type { SharedInformer } from '../../client/informer/shared-informer.ts';
import { objectKey, splitKey } from '../../client/object-key.ts';
import type { EventLoop } from '../../lib/event-loop.ts';
import { ifFound } from '../../store/objects/api-error.ts';
import type { StoreClient } from '../../store/objects/store-client.ts';
import { controllerOf } from '../job/pod-indexes.ts';
import { BY_SELECTOR, selecting, selectorKeys } from '../owned-pods/selecting.ts';
import { type ControllerModules, QueuedController } from '../queued-controller.ts';
import { expectedByOwners, failSafe, observeBudget } from './budget-status.ts';
import { selectedPods } from './selected-pods.ts';

/** An owner of pods that says how many it wants: one, unless it says otherwise. */
interface ScaledOwner extends KubernetesObject {
  readonly spec?: { readonly replicas?: number | undefined } | undefined;
}

/**
 * Computes how many pods each PodDisruptionBudget allows to disrupt.
 *
 * Upstream: pkg/controller/disruption/disruption.go.
 */
export class DisruptionController extends QueuedController {
  readonly #client: StoreClient;
  readonly #loop: EventLoop;
  readonly #budgets: Lister<PodDisruptionBudget>;
  readonly #pods: SharedInformer<Pod>;
  /** The owners that have a number of replicas, by kind. */
  readonly #owners = new Map<string, Lister<ScaledOwner>>();

  constructor(modules: ControllerModules) {
    super({ ...modules, workers: 1 }, 'disruption budget');
    const { client, informers, loop } = modules;
    this.#client = client;
    this.#loop = loop;
    const budgets = informers.of('poddisruptionbudgets');
    const pods = informers.of('pods');
    this.#budgets = budgets.lister;
    budgets.addIndex(BY_SELECTOR, selectorKeys);
    this.#pods = pods;
    for (const kind of ['ReplicaSet', 'Deployment', 'StatefulSet'] as const) {
      const owners = informers.of(`${kind.toLowerCase() as Lowercase<typeof kind>}s`);
      this.#owners.set(kind, owners.lister);
      this.awaitCache(owners);
    }
    const enqueue = (budget: PodDisruptionBudget): void => this.queue.add(objectKey(budget));
    const see = (pod: Pod): void => this.#podChanged(pod);
    this.handle(budgets, stateHandler(enqueue), 'disruption controller, budgets');
    this.handle(pods, stateHandler(see, see), 'disruption controller, pods');
  }

  #podChanged(pod: Pod): void {
    for (const budget of selecting(this.#budgets, pod)) this.queue.add(objectKey(budget));
  }

  protected override sync(key: string): void {
    const { namespace, name } = splitKey(key);
    const budget = this.#budgets.get(namespace, name);
    if (budget === undefined) return;
    const nowMillis = this.#loop.nowMillis();
    const selector = compileLabelSelector(budget.spec?.selector);
    const pods = 'matches' in selector ? selectedPods(this.#pods, namespace, selector) : [];
    const present = budget.spec?.minAvailable === undefined ? 0 : pods.length;
    const expected = expectedByOwners(budget) ? this.#expectedPods(pods) : present;
    if (typeof expected === 'string') {
      this.#write(budget, failSafe(budget, expected, nowMillis));
      return;
    }
    const { status, recheckMillis } = observeBudget(budget, pods, expected, nowMillis);
    if (recheckMillis !== undefined) this.queue.addAfter(key, recheckMillis - nowMillis + 1);
    this.#write(budget, status);
  }

  /**
   * The number of pods that the owners of these pods want in total, or an error message if one of them does not say.
   * Pods without an owner do not count.
   */
  #expectedPods(pods: readonly Pod[]): number | string {
    const replicas = new Map<string, number>();
    for (const pod of pods) {
      const controller = controllerOf(pod);
      if (controller === undefined) continue;
      const { namespace = '', name } = pod.metadata ?? {};
      const owner = this.#ownerOf(controller, namespace);
      if (owner === undefined) {
        if (this.#owners.has(controller.kind)) return `found no controllers for pod "${name}"`;
        return `${resourceOf(controller)} does not implement the scale subresource`;
      }
      replicas.set(owner.metadata?.uid ?? '', owner.spec?.replicas ?? 1);
    }
    return [...replicas.values()].reduce((sum, count) => sum + count, 0);
  }

  /** The object that the reference means, or the Deployment that controls it: its sets share its number of pods. */
  #ownerOf({ kind, name, uid }: OwnerReference, namespace: string): ScaledOwner | undefined {
    const owner = this.#owners.get(kind)?.get(namespace, name);
    if (owner?.metadata?.uid !== uid) return undefined;
    const controller = owner && controllerOf(owner);
    return controller?.kind === 'Deployment' ? (this.#ownerOf(controller, namespace) ?? owner) : owner;
  }

  /** Writes the status; a budget that is gone is ignored. @throws ApiError */
  #write(budget: PodDisruptionBudget, status: PodDisruptionBudget['status']): void {
    if (semanticallyEqual(status, budget.status)) return;
    ifFound(() => this.#client.updateStatus('poddisruptionbudgets', { ...budget, status }));
  }
}

/** The resource and its group, as Go writes them: `jobs.batch`. */
function resourceOf({ apiVersion = '', kind }: OwnerReference): string {
  const [group, version] = apiVersion.split('/');
  const resource = `${kind.toLowerCase()}s`;
  return version === undefined ? resource : `${resource}.${group}`;
}
