import type { Node, Taint } from '../../api/node.ts';
import type { Pod } from '../../api/pod.ts';
import { withPodCondition } from '../../api/pod-conditions.ts';
import { toleratedMillis } from '../../api/taints.ts';
import { podsOfNode, watchPodsByNode } from '../../client/informer/informers.ts';
import type { Lister } from '../../client/informer/lister.ts';
import { objectKey } from '../../client/object-key.ts';
import type { Timer } from '../../lib/event-loop.ts';
import { isApiError } from '../../store/objects/api-error.ts';
import type { RecordingModules } from '../queued-controller.ts';

interface PlannedEviction {
  readonly uid: string;
  readonly sinceMillis: number;
  /** Whether the pod is to go at once, because it does not tolerate some taint. */
  readonly isUrgent: boolean;
  readonly timer: Timer;
}

/**
 * How long a pod at least stays that comes to a node whose taints it does not tolerate. Without a time of its own, the
 * eviction, the controller that makes the pod anew and a scheduler that does not know of the taint yet would go round
 * in a circle while no time passes. In a cluster, one turn of this circle takes requests to the API.
 */
const STAY_MILLIS = 50;
const RETRIES = 5;
const RETRY_MILLIS = 10;

const NO_TAINTS: readonly Taint[] = [];

/**
 * Deletes pods from nodes with NoExecute taints that they do not tolerate, or, after that time, tolerate only for a
 * limited time. The deletion is cancelled when the taints are removed before.
 *
 * Upstream: pkg/controller/tainteviction/taint_eviction.go.
 */
export class TaintEvictionController {
  readonly #options: RecordingModules;
  readonly #nodes: Lister<Node>;
  readonly #pods: Lister<Pod>;
  readonly #planned = new Map<string, PlannedEviction>();
  #isRunning = false;

  constructor(options: RecordingModules) {
    const { informers } = options;
    this.#options = options;
    this.#nodes = informers.of('nodes').lister;
    this.#pods = informers.of('pods').lister;
    watchPodsByNode(informers);
    const nodeHandler = {
      onAdd: (node: Node) => this.#nodeChanged(NO_TAINTS, node),
      onUpdate: (before: Node, node: Node) => this.#nodeChanged(executeTaints(before), node),
      // As upstream, pods of a node that is gone are evicted when it was planned.
      onDelete: () => {},
    };
    informers.of('nodes').addHandler(nodeHandler, { name: 'taint eviction' });
    const podHandler = {
      onAdd: (pod: Pod) => this.#consider(pod),
      onUpdate: (before: Pod, pod: Pod) => {
        if (before.spec !== pod.spec) this.#consider(pod);
      },
      onDelete: (pod: Pod) => this.#cancel(pod),
    };
    informers.of('pods').addHandler(podHandler, { name: 'taint eviction' });
  }

  start(): void {
    this.#isRunning = true;
    for (const node of this.#nodes.list()) this.#nodeChanged(NO_TAINTS, node);
  }

  stop(): void {
    this.#isRunning = false;
    for (const { timer } of this.#planned.values()) timer.cancel();
    this.#planned.clear();
  }

  #nodeChanged(before: readonly Taint[], node: Node): void {
    const taints = executeTaints(node);
    if (!this.#isRunning || (before.length === 0 && taints.length === 0)) return;
    for (const pod of podsOfNode(this.#pods, node.metadata?.name ?? '')) this.#plan(pod, taints);
  }

  #consider(pod: Pod): void {
    const nodeName = pod.spec?.nodeName;
    if (!this.#isRunning || !nodeName) return;
    const node = this.#nodes.get('', nodeName);
    const taints = node === undefined ? NO_TAINTS : executeTaints(node);
    if (taints.length > 0) this.#plan(pod, taints, STAY_MILLIS);
  }

  #plan(pod: Pod, taints: readonly Taint[], leastMillis = 0): void {
    const millis =
      taints.length === 0 ? Number.POSITIVE_INFINITY : toleratedMillis(taints, pod.spec?.tolerations ?? []);
    if (millis === Number.POSITIVE_INFINITY) {
      this.#cancel(pod);
      return;
    }
    const { loop } = this.#options;
    const { uid = '' } = pod.metadata ?? {};
    const key = objectKey(pod);
    const planned = this.#planned.get(key);
    // As upstream, another taint changes nothing, even if it is tolerated for a shorter time, unless it is not at all.
    if (planned?.uid === uid && millis > 0 && planned.sinceMillis < loop.nowMillis()) return;
    if (planned?.isUrgent) planned.timer.cancel();
    else this.#cancel(pod);
    const timer = loop.after(Math.max(millis, leastMillis), () => this.#evict(pod, 1));
    this.#planned.set(key, { uid, sinceMillis: loop.nowMillis(), isUrgent: millis === 0, timer });
  }

  /** Cancels a planned eviction. */
  #cancel(pod: Pod): void {
    const key = objectKey(pod);
    const planned = this.#planned.get(key);
    if (planned === undefined) return;
    planned.timer.cancel();
    this.#planned.delete(key);
    this.#record(pod, `Cancelling deletion of Pod ${key}`);
  }

  #evict(pod: Pod, tries: number): void {
    const key = objectKey(pod);
    try {
      if (tries === 1) this.#record(pod, `Marking for deletion Pod ${key}`);
      this.#delete(pod);
      this.#planned.delete(key);
    } catch (error) {
      if (isApiError(error, 'NotFound') || isApiError(error, 'Conflict')) return;
      this.#options.reportError(error, `evict pod ${key}`);
      if (tries < RETRIES && this.#isRunning) this.#options.loop.after(RETRY_MILLIS, () => this.#evict(pod, tries + 1));
    }
  }

  /** @throws ApiError */
  #delete({ metadata }: Pod): void {
    const { client, loop } = this.#options;
    const { namespace = '', name = '', uid } = metadata ?? {};
    const live = client.get('pods', namespace, name);
    if (live.metadata?.uid !== uid) return;
    const condition = {
      type: 'DisruptionTarget',
      status: 'True',
      reason: 'DeletionByTaintManager',
      message: 'Taint manager: deleting due to NoExecute taint',
      observedGeneration: live.metadata?.generation,
    };
    const status = withPodCondition(live.status ?? {}, condition, loop.nowMillis());
    client.updateStatus('pods', { ...live, status });
    client.delete('pods', namespace, name, { preconditions: { uid } });
  }

  #record(pod: Pod, message: string): void {
    this.#options.recorder.event(pod, 'Normal', 'TaintManagerEviction', message);
  }
}

function executeTaints({ spec }: Node): readonly Taint[] {
  return spec?.taints?.filter(({ effect }) => effect === 'NoExecute') ?? NO_TAINTS;
}
