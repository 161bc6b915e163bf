import type { Pod } from '../../../src/api/pod.ts';
import { isPodFinished } from '../../../src/api/pod-conditions.ts';
import type { Cluster } from '../../../src/cluster/cluster.ts';
import { ClusterState } from '../../../src/framework/cluster/cluster-state.ts';
import { podRequirements } from '../../../src/framework/pod-info.ts';
import type { ErrandPlugin } from '../errand-plugin.ts';
import { isDeleting, nameOf, uidOf } from '../mirror.ts';
import type { Violated } from '../violation.ts';

const ONE_PLACE = 'one place per pod';
const REBUILT = 'scheduler cache = rebuild from the store';

/** Where the scheduler has its pods, between two tasks. */
export class SchedulerPlaces {
  readonly #cluster: Cluster;
  readonly #errands: () => ErrandPlugin | undefined;
  readonly #violated: Violated;

  constructor(cluster: Cluster, errands: () => ErrandPlugin | undefined, violated: Violated) {
    this.#cluster = cluster;
    this.#errands = errands;
    this.#violated = violated;
  }

  /** Checks that every pod of the informer is in one place, and nothing else is anywhere. */
  check(): void {
    const { queue, waitingPods, cache } = this.#scheduler;
    const { lister } = this.#cluster.informers.of('pods');
    let [queuedCount, cachedCount, isMoving] = [0, 0, waitingPods.size > 0];
    for (const pod of lister.list()) {
      const uid = uidOf(pod);
      const isQueued = queue.queuedPod(uid) !== undefined;
      const cached = cache.podOf(pod);
      const isInFlight = queue.isInFlight(uid);
      isMoving ||= isInFlight;
      if (isQueued) queuedCount++;
      if (cached !== undefined) cachedCount++;
      this.#checkPod(pod, { isQueued, isInFlight, isCached: cached !== undefined, isAssumed: cached?.isAssumed });
      if (isQueued && this.#errands()?.reserved.has(uid)) {
        this.#violated(ONE_PLACE, `pod ${nameOf(pod)} is queued, and nothing has been unreserved`);
      }
    }
    const queueLength = [...queue.pendingPods()].length;
    if (queueLength !== queuedCount) this.#violated(ONE_PLACE, `${queueLength - queuedCount} queued pods are gone`);
    if (!isMoving && (this.#errands()?.reserved.size ?? 0) === 0 && cache.podCount !== cachedCount) {
      this.#violated(ONE_PLACE, `${cache.podCount - cachedCount} pods in the cache are gone`);
    }
  }

  #checkPod(
    pod: Pod,
    at: { isQueued: boolean; isInFlight: boolean; isCached: boolean; isAssumed: boolean | undefined },
  ): void {
    const { isQueued, isInFlight, isCached, isAssumed } = at;
    const reported = (what: string): void =>
      this.#violated(ONE_PLACE, `pod ${nameOf(pod)} ${what} ${JSON.stringify(at)}`);
    if (isPodFinished(pod)) {
      if (isQueued || isCached) reported('has finished');
    } else if (pod.spec?.nodeName) {
      if (isQueued || !isCached || isAssumed) reported('is bound');
    } else {
      const places = Number(isQueued) + Number(isCached || isInFlight);
      if (isCached && !isAssumed) reported('is not bound');
      if (places > 1 || (places === 0 && !isDeleting(pod))) reported('waits for a node');
    }
  }

  /** Compares the cache with a rebuild; to be called when the scheduler has received all events. */
  checkRebuild(): void {
    const { cluster } = this.#scheduler.cache;
    const rebuilt = new ClusterState(podRequirements);
    for (const node of this.#cluster.store.list('nodes').items) rebuilt.addNode(node);
    for (const pod of this.#cluster.store.list('pods').items) {
      if (pod.spec?.nodeName && !isPodFinished(pod)) rebuilt.pods.add(pod);
    }
    for (const { name, pods } of cluster.knownNodes()) {
      for (const { pod, isAssumed } of pods) {
        if (isAssumed) rebuilt.pods.add({ ...pod, spec: { ...pod.spec, nodeName: name } });
      }
    }
    const [has, wants] = [described(cluster), described(rebuilt)];
    if (has !== wants) this.#violated(REBUILT, `it has ${has}, and not ${wants}`);
  }

  get #scheduler() {
    return this.#cluster.scheduler as NonNullable<Cluster['scheduler']>;
  }
}

function described(cluster: ClusterState): string {
  const nodes = [...cluster.knownNodes()].map(({ name, node, pods, requested, nonZeroRequested }) => [
    `${name} ${node.metadata?.resourceVersion}`,
    pods
      .map(({ pod }) => nameOf(pod))
      .sort()
      .join(' '),
    `${requested.milliCPU} ${requested.memoryBytes} ${nonZeroRequested.milliCPU} ${nonZeroRequested.memoryBytes}`,
  ]);
  return JSON.stringify(nodes.sort());
}
