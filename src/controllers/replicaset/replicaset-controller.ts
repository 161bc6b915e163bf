import type { Selector } from '../../api/label-selector.ts';
import type { Pod } from '../../api/pod.ts';
import { isPodFinished } from '../../api/pod-conditions.ts';
import type { ReplicaSet } from '../../api/workloads.ts';
import { BY_CONTROLLER, controllerOf } from '../job/pod-indexes.ts';
import { PodOwnerController, type PodOwnerModules } from '../owned-pods/pod-owner-controller.ts';
import { createPods, deletePods, type Outcome, podOfTemplate } from '../owned-pods/pod-writes.ts';
import { podsToDelete } from './rank-pods.ts';
import { observeReplicas, type ReplicaSync } from './replica-status.ts';

/** The most pods that are created or deleted in one sync. Upstream: BurstReplicas. */
const BURST_REPLICAS = 500;

const KIND = { resource: 'replicasets', apiVersion: 'apps/v1', kind: 'ReplicaSet', title: 'replica set' } as const;

/** Keeps each ReplicaSet at its wanted number of pods. Upstream: pkg/controller/replicaset/replica_set.go. */
export class ReplicaSetController extends PodOwnerController<ReplicaSet> {
  constructor(modules: PodOwnerModules) {
    super(modules, KIND, modules.informers.of('replicasets'));
  }

  protected override syncOwner(key: string, set: ReplicaSet, selector: Selector): void {
    const mayManage = this.mayManage(key);
    const unfinished = this.claim(set, selector).filter((pod) => !isPodFinished(pod));
    const active = unfinished.filter(({ metadata }) => metadata?.deletionTimestamp === undefined);
    let failure: Outcome;
    if (mayManage && set.metadata?.deletionTimestamp === undefined) failure = this.#manage(key, set, active);
    const nowMillis = this.modules.loop.nowMillis();
    this.#writeStatus(key, set, { active, terminatingCount: unfinished.length - active.length, failure, nowMillis });
    if (failure !== undefined) throw failure.error;
  }

  /** Creates or deletes pods. Upstream: manageReplicas. */
  #manage(key: string, set: ReplicaSet, present: readonly Pod[]): Outcome {
    const difference = present.length - (set.spec?.replicas ?? 1);
    if (difference === 0) return undefined;
    const count = Math.min(Math.abs(difference), BURST_REPLICAS);
    const { creations, deletions } = this;
    const writing = { ...this.modules, creations, deletions, key, owner: set };
    if (difference > 0) {
      return deletePods(writing, podsToDelete(present, count, this.#related(set), this.modules.loop.nowMillis()));
    }
    const pod = podOfTemplate(this.asOwner(set), set.spec?.template ?? {});
    return createPods(writing, count, () => pod);
  }

  /** The pods of all sets that have the controller of this one. Upstream: getIndirectlyRelatedPods. */
  #related(set: ReplicaSet): readonly Pod[] {
    const controller = controllerOf(set);
    if (controller === undefined) return [];
    const { namespace } = set.metadata ?? {};
    const sets = this.owners.byIndex(BY_CONTROLLER, controller.uid);
    return sets.flatMap(({ metadata }) =>
      metadata?.namespace === namespace ? this.pods.byIndex(BY_CONTROLLER, metadata?.uid ?? '') : [],
    );
  }

  #writeStatus(key: string, set: ReplicaSet, sync: ReplicaSync): void {
    const { status, nextAvailableMillis } = observeReplicas(set, sync);
    if (nextAvailableMillis !== undefined) this.queue.addAfter(key, nextAvailableMillis - sync.nowMillis);
    this.writeStatus(key, set, set.status, status);
  }
}
