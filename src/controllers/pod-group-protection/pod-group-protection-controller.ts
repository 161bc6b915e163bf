import type { Pod } from '../../api/pod.ts';
import { isFinalPhase } from '../../api/pod-conditions.ts';
import { POD_GROUP_PROTECTION, type PodGroup, podGroupKeyOf } from '../../api/pod-group.ts';
import { stateHandler } from '../../client/informer/event-handler.ts';
import type { Lister } from '../../client/informer/lister.ts';
import { objectKey, splitKey } from '../../client/object-key.ts';
import { isApiError } from '../../store/objects/api-error.ts';
import type { StoreClient } from '../../store/objects/store-client.ts';
import { type ControllerModules, QueuedController } from '../queued-controller.ts';

const BY_GROUP = 'group of a pod that has not ended';

/**
 * Lets a group that is being deleted go when all of its pods have ended: until then the API keeps it for its finalizer.
 *
 * Upstream: pkg/controller/scheduling/podgroupprotection.
 */
export class PodGroupProtectionController extends QueuedController {
  readonly #client: StoreClient;
  readonly #pods: Lister<Pod>;
  readonly #groups: Lister<PodGroup>;

  constructor(modules: ControllerModules) {
    super(modules, 'pod group');
    const { client, informers } = modules;
    const [pods, groups] = [informers.of('pods'), informers.of('podgroups')];
    this.#client = client;
    this.#pods = pods.lister;
    this.#groups = groups.lister;
    pods.addIndex(BY_GROUP, (pod) => [isFinalPhase(pod.status?.phase) ? '' : podGroupKeyOf(pod)].filter((key) => key));
    const gone = (pod: Pod): void => {
      const key = podGroupKeyOf(pod);
      if (key !== '') this.queue.add(key);
    };
    const podSeen = (pod: Pod): void => {
      if (isFinalPhase(pod.status?.phase)) gone(pod);
    };
    this.handle(pods, stateHandler(podSeen, gone), 'pod group protection controller, pods');
    const groupSeen = (group: PodGroup): void => {
      if (isToGo(group)) this.queue.add(objectKey(group));
    };
    this.handle(groups, stateHandler(groupSeen), 'pod group protection controller, groups');
  }

  protected override sync(key: string): void {
    const { namespace, name } = splitKey(key);
    const group = this.#groups.get(namespace, name);
    if (group === undefined || !isToGo(group) || this.#pods.byIndex(BY_GROUP, key).length > 0) return;
    const finalizers = (group.metadata?.finalizers ?? []).filter((finalizer) => finalizer !== POD_GROUP_PROTECTION);
    try {
      this.#client.update('podgroups', { ...group, metadata: { ...group.metadata, finalizers } });
    } catch (error) {
      if (!isApiError(error, 'Conflict') && !isApiError(error, 'NotFound')) throw error;
      this.queue.addRateLimited(key);
    }
  }
}

/** Whether the group is being deleted and held for its pods. */
function isToGo({ metadata }: PodGroup): boolean {
  return metadata?.deletionTimestamp !== undefined && (metadata.finalizers ?? []).includes(POD_GROUP_PROTECTION);
}
