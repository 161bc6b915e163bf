import { compileLabelSelector, selects } from '../../api/label-selector.ts';
import type { Pod } from '../../api/pod.ts';
import { isPodFinished } from '../../api/pod-conditions.ts';
import type { PodDisruptionBudget } from '../../api/pod-disruption-budget.ts';
import { semanticallyEqual } from '../../api/semantic-equality.ts';
import type { ReplicaSet } from '../../api/workloads.ts';
import { stateHandler } from '../../client/informer/event-handler.ts';
import type { Lister } from '../../client/informer/lister.ts';
import { objectKey, splitKey } from '../../client/object-key.ts';
import type { EventLoop } from '../../lib/event-loop.ts';
import { ifFound } from '../../store/objects/api-error.ts';
import type { StoreClient } from '../../store/objects/store-client.ts';
import { controllerOf } from '../job/pod-indexes.ts';
import { type ControllerModules, QueuedController } from '../queued-controller.ts';
import { countsPresentPods, failSafe, observeBudget } from './budget-status.ts';

/**
 * Computes how many pods each PodDisruptionBudget allows to disrupt. Of the owners of pods, only ReplicaSets are known
 * to state their number of replicas.
 *
 * Upstream: pkg/controller/disruption/disruption.go.
 */
export class DisruptionController extends QueuedController {
  readonly #client: StoreClient;
  readonly #loop: EventLoop;
  readonly #budgets: Lister<PodDisruptionBudget>;
  readonly #pods: Lister<Pod>;
  readonly #sets: Lister<ReplicaSet>;

  constructor(modules: ControllerModules) {
    super({ ...modules, workers: 1 }, 'disruption budget');
    const { client, informers, loop } = modules;
    this.#client = client;
    this.#loop = loop;
    const budgets = informers.of('poddisruptionbudgets');
    const pods = informers.of('pods');
    const sets = informers.of('replicasets');
    this.#budgets = budgets.lister;
    this.#pods = pods.lister;
    this.#sets = sets.lister;
    const enqueue = (budget: PodDisruptionBudget): void => this.queue.add(objectKey(budget));
    const see = (pod: Pod): void => this.#podChanged(pod);
    this.awaitCache(sets);
    this.handle(budgets, stateHandler(enqueue), 'disruption controller, budgets');
    this.handle(pods, stateHandler(see, see), 'disruption controller, pods');
  }

  #podChanged({ metadata }: Pod): void {
    if (this.#budgets.list().length === 0) return;
    for (const budget of this.#budgets.inNamespace(metadata?.namespace ?? '').list()) {
      if (selects(budget.spec?.selector, metadata?.labels)) this.queue.add(objectKey(budget));
    }
  }

  protected override sync(key: string): void {
    const { namespace, name } = splitKey(key);
    const budget = this.#budgets.get(namespace, name);
    if (budget === undefined) return;
    const nowMillis = this.#loop.nowMillis();
    const selector = compileLabelSelector(budget.spec?.selector);
    const pods = 'matches' in selector ? this.#pods.inNamespace(namespace).list(selector) : [];
    const living = pods.filter((pod) => !isPodFinished(pod));
    const expected = countsPresentPods(budget) ? living.length : this.#expectedPods(living);
    if (typeof expected === 'string') {
      this.#write(budget, failSafe(budget, expected, nowMillis));
      return;
    }
    const { status, recheckMillis } = observeBudget(budget, living, expected, nowMillis);
    if (recheckMillis !== undefined) this.queue.addAfter(key, recheckMillis - nowMillis + 1);
    this.#write(budget, status);
  }

  /**
   * The number of pods that the owners of these pods want in total, or an error message if one of them does not say.
   * Pods without an owner do not count.
   */
  #expectedPods(pods: readonly Pod[]): number | string {
    const owners = new Map<string, number>();
    for (const pod of pods) {
      const controller = controllerOf(pod);
      if (controller === undefined || owners.has(controller.uid)) continue;
      const { namespace = '', name: podName } = pod.metadata ?? {};
      const set = controller.kind === 'ReplicaSet' ? this.#sets.get(namespace, controller.name) : undefined;
      if (set?.metadata?.uid !== controller.uid) {
        return `${controller.kind} ${controller.name}, owner of pod ${podName}, does not say how many pods it wants`;
      }
      owners.set(controller.uid, set.spec?.replicas ?? 1);
    }
    return [...owners.values()].reduce((sum, replicas) => sum + replicas, 0);
  }

  /** Writes the status; a budget that is gone is ignored. @throws ApiError */
  #write(budget: PodDisruptionBudget, status: PodDisruptionBudget['status']): void {
    if (semanticallyEqual(status, budget.status)) return;
    ifFound(() => this.#client.updateStatus('poddisruptionbudgets', { ...budget, status }));
  }
}
