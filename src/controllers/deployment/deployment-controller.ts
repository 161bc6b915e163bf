import type { Deployment } from '../../api/deployment.ts';
import { compileLabelSelector } from '../../api/label-selector.ts';
import type { Pod } from '../../api/pod.ts';
import type { ReplicaSet } from '../../api/workloads.ts';
import { stateHandler } from '../../client/informer/event-handler.ts';
import type { Lister } from '../../client/informer/lister.ts';
import { objectKey, splitKey } from '../../client/object-key.ts';
import { isApiError } from '../../store/objects/api-error.ts';
import { BY_CONTROLLER, controllerKeys, controllerOf, controlling } from '../job/pod-indexes.ts';
import { adopt, claimed, release } from '../owned-pods/claim.ts';
import type { PodOwnerModules } from '../owned-pods/pod-owner-controller.ts';
import { BY_SELECTOR, ownersSelecting, selectorKeys } from '../owned-pods/selecting.ts';
import { QueuedController } from '../queued-controller.ts';
import { DeploymentSync } from './deployment-sync.ts';

/**
 * Keeps a ReplicaSet of the present template for each Deployment, and moves the pods from the former ones to it.
 * Upstream: pkg/controller/deployment/deployment_controller.go.
 *
 *   Deployment, ReplicaSet and pod events ──▶ queue ──▶ workers ──▶ claim ReplicaSets ──▶ one step of `DeploymentSync`
 */
export class DeploymentController extends QueuedController {
  readonly #modules: PodOwnerModules;
  readonly #deployments: Lister<Deployment>;
  readonly #sets: Lister<ReplicaSet>;
  readonly #pods: Lister<Pod>;

  constructor(modules: PodOwnerModules) {
    super(modules, 'deployment');
    const { informers } = modules;
    this.#modules = modules;
    const [deployments, sets, pods] = [informers.of('deployments'), informers.of('replicasets'), informers.of('pods')];
    this.#deployments = deployments.lister;
    this.#sets = sets.lister;
    this.#pods = pods.lister;
    pods.addIndex(BY_CONTROLLER, controllerKeys);
    deployments.addIndex(BY_SELECTOR, selectorKeys);
    sets.addIndex(BY_CONTROLLER, controllerKeys);
    const enqueue = (deployment: Deployment): void => this.queue.add(objectKey(deployment));
    this.handle(deployments, stateHandler(enqueue, enqueue), 'deployment controller, deployments');
    const setHandler = {
      onAdd: (set: ReplicaSet) => this.#setSeen(set),
      onUpdate: (before: ReplicaSet, set: ReplicaSet) => {
        const owner = this.#deploymentOf(before);
        if (owner !== undefined && controllerOf(before)?.uid !== controllerOf(set)?.uid) enqueue(owner);
        this.#setSeen(set);
      },
      onDelete: (set: ReplicaSet) => this.#enqueueOwnerOf(set),
    };
    this.handle(sets, setHandler, 'deployment controller, replica sets');
    const podHandler = { onAdd: () => {}, onUpdate: () => {}, onDelete: (pod: Pod) => this.#podDeleted(pod) };
    this.handle(pods, podHandler, 'deployment controller, pods');
  }

  #setSeen(set: ReplicaSet): void {
    if (controllerOf(set) !== undefined) this.#enqueueOwnerOf(set);
    else for (const deployment of ownersSelecting(this.#deployments, set)) this.queue.add(objectKey(deployment));
  }

  #enqueueOwnerOf(set: ReplicaSet): void {
    const deployment = this.#deploymentOf(set);
    if (deployment !== undefined) this.queue.add(objectKey(deployment));
  }

  #deploymentOf(set: ReplicaSet): Deployment | undefined {
    const controller = controllerOf(set);
    return controller && controlling(this.#deployments, 'Deployment', set, controller);
  }

  /** The end of the last old pod is what an update by `Recreate` waits for. */
  #podDeleted(pod: Pod): void {
    const controller = controllerOf(pod);
    const set = controller && controlling(this.#sets, 'ReplicaSet', pod, controller);
    const deployment = set && this.#deploymentOf(set);
    if (deployment?.spec?.strategy?.type === 'Recreate') this.queue.add(objectKey(deployment));
  }

  protected override sync(key: string): void {
    const { namespace, name } = splitKey(key);
    const deployment = this.#deployments.get(namespace, name);
    if (deployment === undefined) return;
    const selector = compileLabelSelector(deployment.spec?.selector);
    if ('error' in selector) return;
    const { client, recorder, loop } = this.#modules;
    const owner = { apiVersion: 'apps/v1', kind: 'Deployment', object: deployment };
    const { owned, orphans, strangers } = claimed(this.#sets, owner, selector);
    for (const set of strangers) release(client, 'replicasets', owner, set);
    // What was adopted is of another version now, so its watch event causes the next sync.
    const adopted = orphans.filter((set) => adopt(client, 'replicasets', owner, set));
    if (adopted.length > 0) return;
    const nowMillis = loop.nowMillis();
    const podsOf = ({ metadata }: ReplicaSet) => this.#pods.byIndex(BY_CONTROLLER, metadata?.uid ?? '');
    try {
      const againMillis = new DeploymentSync({ client, recorder, nowMillis, podsOf }, deployment, owned).run();
      if (againMillis !== undefined) this.queue.addAfter(key, Math.max(1000, againMillis - nowMillis));
    } catch (error) {
      // Another version of the Deployment or of one of its ReplicaSets is on its way.
      if (!isApiError(error, 'Conflict') && !isApiError(error, 'NotFound')) throw error;
      this.queue.addRateLimited(key);
    }
  }
}
