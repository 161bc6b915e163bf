import type { Pod } from '../../api/pod.ts';
import { keyOfPodGroup, type PodGroup, podGroupKeyOf, podGroupNameOf } from '../../api/pod-group.ts';
import {
  ActionType,
  type ClusterEventWithHint,
  eventWithHint,
  type GateKeys,
  type HintKeys,
} from '../../framework/events.ts';
import type { Handle } from '../../framework/handle.ts';
import type { PermitPlugin, PermitWait, PreEnqueuePlugin, Snapshot } from '../../framework/plugin.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { errorStatus, type Status, unresolvable } from '../../framework/status.ts';
import { deepFrozen } from '../../lib/deep-frozen.ts';

export const GANG_SCHEDULING = 'GangScheduling';

/** How long a pod of a gang keeps its node while others look for theirs (upstream's permitTimeoutDuration). */
const PERMIT_TIMEOUT_MILLIS = 5 * 60_000;

const WAIT_FOR_OTHERS: PermitWait = deepFrozen({
  code: 'Wait',
  reasons: ['waiting for minCount pods from a gang to be scheduled'],
  plugin: GANG_SCHEDULING,
  timeoutMillis: PERMIT_TIMEOUT_MILLIS,
});

const PODS_ARE_MISSING: Status = deepFrozen(
  unresolvable(GANG_SCHEDULING, 'waiting for minCount pods from a gang to appear in scheduling queue'),
);

type Cluster = Pick<Snapshot, 'objects' | 'podGroupState'>;

const NO_KEYS: readonly string[] = [];

/** Members of a group are found by its key, namespace/name. */
const GROUP_OBJECT_KEYS: HintKeys = {
  ofPod: ({ pod }) => [podGroupKeyOf(pod)],
  ofEvent: (_before, after) => (after === undefined ? null : [keyOfGroup(after as PodGroup)]),
};

/**
 * Schedules gangs all or nothing (upstream's gangscheduling.go): a pod enters the queue when its group is known and has
 * as many pods as the gang needs, and is bound when as many of them have a node.
 */
export class GangScheduling implements PreEnqueuePlugin, PermitPlugin {
  readonly name = GANG_SCHEDULING;
  readonly #cluster: Cluster;
  readonly #handle: Handle;

  constructor(cluster: Cluster, handle: Handle) {
    this.#cluster = cluster;
    this.#handle = handle;
  }

  eventsToRegister(): readonly ClusterEventWithHint[] {
    const isOfGroup = ({ pod }: PodInfo, _before: unknown, after: Pod): boolean => {
      return podGroupKeyOf(pod) === podGroupKeyOf(after);
    };
    const isGroup = ({ pod }: PodInfo, _before: unknown, after: PodGroup): boolean => {
      return podGroupKeyOf(pod) === keyOfGroup(after);
    };
    const keys: HintKeys = {
      ofPod: GROUP_OBJECT_KEYS.ofPod,
      ofEvent: (_before, after) => this.#keysOfAddedPod(after as Pod | undefined),
    };
    return [
      eventWithHint('Pod', ActionType.Add, isOfGroup, { reads: 'pod', keys }),
      eventWithHint('scheduling.k8s.io/PodGroup', ActionType.Add, isGroup, { reads: 'pod', keys: GROUP_OBJECT_KEYS }),
    ];
  }

  readonly gateKeys: GateKeys = {
    ofPod: GROUP_OBJECT_KEYS.ofPod,
    ofEvent: ({ resource }, before, after) =>
      resource === 'scheduling.k8s.io/PodGroup'
        ? GROUP_OBJECT_KEYS.ofEvent(before, after)
        : this.#keysOfAddedPod(after as Pod | undefined),
  };

  /** While pods are missing, one more helps nobody. */
  #keysOfAddedPod(pod: Pod | undefined): readonly string[] | null {
    if (pod === undefined) return null;
    return this.#lacksPods(pod) ? NO_KEYS : [podGroupKeyOf(pod)];
  }

  gates(pod: Pod): boolean {
    return podGroupNameOf(pod) !== '';
  }

  preEnqueue({ pod, namespace }: PodInfo): Status | null {
    const name = podGroupNameOf(pod);
    if (name === '') return null;
    const group = this.#group(namespace, name);
    if (group === undefined) {
      return unresolvable(this.name, `waiting for pods's pod group "${name}" to appear in scheduling queue`);
    }
    if (!this.#lacksPods(pod)) return null;
    return PODS_ARE_MISSING;
  }

  permits({ pod }: PodInfo): boolean {
    return podGroupNameOf(pod) !== '';
  }

  permit(_state: unknown, { pod, namespace }: PodInfo): Status | PermitWait | null {
    const name = podGroupNameOf(pod);
    if (name === '') return null;
    const group = this.#group(namespace, name);
    if (group === undefined) return errorStatus(this.name, `podgroup.scheduling.k8s.io "${name}" not found`);
    const minCount = minCountOf(group);
    if (minCount === 0) return null;
    const state = this.#cluster.podGroupState(namespace, name);
    if (state.scheduledCount < minCount) {
      return WAIT_FOR_OTHERS;
    }
    const key = podGroupKeyOf(pod);
    for (const waiting of this.#handle.waitingPods()) {
      if (podGroupKeyOf(waiting.pod.pod) === key) waiting.allow(this.name);
    }
    return null;
  }

  /** Whether fewer pods of the pod's gang are known than it needs. */
  #lacksPods(pod: Pod): boolean {
    const [namespace, name] = [pod.metadata?.namespace || 'default', podGroupNameOf(pod)];
    const group = this.#group(namespace, name);
    return group !== undefined && this.#cluster.podGroupState(namespace, name).podCount < minCountOf(group);
  }

  #group(namespace: string, name: string): PodGroup | undefined {
    return this.#cluster.objects.get('PodGroup', name, namespace);
  }
}

/** The number of pods that the group needs; 0 for a group that is no gang. */
function minCountOf({ spec }: PodGroup): number {
  return spec?.schedulingPolicy?.gang?.minCount ?? 0;
}

function keyOfGroup({ metadata }: PodGroup): string {
  return keyOfPodGroup(metadata?.namespace || 'default', metadata?.name ?? '');
}
