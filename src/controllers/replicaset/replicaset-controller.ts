import type { Selector } from '../../api/label-selector.ts';
import type { Pod } from '../../api/pod.ts';
import { isPodFinished } from '../../api/pod-conditions.ts';
import type { ReplicaSet } from '../../api/workloads.ts';
import { PodOwnerController, type PodOwnerModules } from '../owned-pods/pod-owner-controller.ts';
import { createPods, deletePods, type Outcome, podOfTemplate } from '../owned-pods/pod-writes.ts';
import { podsToDelete } from './rank-pods.ts';
import { observeReplicas } from './replica-status.ts';

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
    const active = this.claim(set, selector).filter((pod) => !isPodFinished(pod));
    const present = active.filter(({ metadata }) => metadata?.deletionTimestamp === undefined);
    let failure: Outcome;
    if (mayManage && set.metadata?.deletionTimestamp === undefined) failure = this.#manage(key, set, present);
    this.#writeStatus(key, set, present);
    if (failure !== undefined) throw failure.error;
  }

  /** Creates or deletes pods. Upstream: manageReplicas. */
  #manage(key: string, set: ReplicaSet, present: readonly Pod[]): Outcome {
    const difference = present.length - (set.spec?.replicas ?? 1);
    if (difference === 0) return undefined;
    const count = Math.min(Math.abs(difference), BURST_REPLICAS);
    const { creations, deletions } = this;
    const writing = { ...this.modules, creations, deletions, key, owner: set };
    if (difference > 0) return deletePods(writing, podsToDelete(present, count));
    const pod = podOfTemplate(this.asOwner(set), set.spec?.template ?? {});
    return createPods(writing, count, () => pod);
  }

  #writeStatus(key: string, set: ReplicaSet, present: readonly Pod[]): void {
    const nowMillis = this.modules.loop.nowMillis();
    const { status, nextAvailableMillis } = observeReplicas(set, present, nowMillis);
    if (nextAvailableMillis !== undefined) this.queue.addAfter(key, nextAvailableMillis - nowMillis);
    this.writeStatus(key, set, set.status, status);
  }
}
