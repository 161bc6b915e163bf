import type { Cluster } from '../../../src/cluster/cluster.ts';
import { Scheduler } from '../../../src/core/scheduler.ts';
import { INTER_POD_AFFINITY } from '../../../src/plugins/inter-pod-affinity/plugin.ts';
import { POD_TOPOLOGY_SPREAD } from '../../../src/plugins/pod-topology-spread/plugin.ts';
import type { QueuedPodInfo } from '../../../src/scheduler/queue/queued-pod-info.ts';
import { ERRANDS } from '../errand-plugin.ts';
import { isDeleting, nameOf } from '../mirror.ts';
import type { Violated } from '../violation.ts';

const FORGOTTEN = 'a pod that fits is not left unschedulable';

/** The time between two looks: a dry run of every waiting pod is expensive. */
const LOOK_MILLIS = 10_000;
/** An event that helps moves the pod at once; what is not over after two looks was missed. */
const MISSED_MILLIS = 15_000;
/** The time after which every unschedulable pod is tried again (300 s, looked at every 30 s), with a look more. */
const TIMEOUT_MILLIS = 330_000 + LOOK_MILLIS;

/**
 * Pods that the scheduler holds to be unschedulable although there is room: some event was missed, or a plugin has
 * answered wrongly that it cannot help. Asked while the scheduler has nothing to do and knows everything.
 */
export class ForgottenPods {
  readonly #cluster: Cluster;
  readonly #violated: Violated;
  /** The time since which there is room, by the attempt that found none. */
  #fitsSince = new Map<string, number>();
  /** The state that the last look saw, and the pods that fitted then. */
  #seen = '';
  #fitting: readonly QueuedPodInfo[] = [];
  #nextLookMillis = 0;

  constructor(cluster: Cluster, violated: Violated) {
    this.#cluster = cluster;
    this.#violated = violated;
  }

  /** `writes` distinguishes states of the store, which the scheduler knows. */
  check(nowMillis: number, writes: number): void {
    if (nowMillis < this.#nextLookMillis) return;
    // What was between, while the scheduler did not know everything, nobody has seen.
    const isLate = nowMillis - this.#nextLookMillis >= LOOK_MILLIS;
    this.#nextLookMillis = nowMillis + LOOK_MILLIS;
    const waiting = this.#isIdle ? this.#unschedulable() : [];
    const seen = `${writes} ${waiting.map(attemptOf).join()}`;
    if (seen !== this.#seen) this.#fitting = waiting.length === 0 ? [] : this.#thoseThatFit(waiting);
    this.#seen = seen;
    const before = isLate ? new Map<string, number>() : this.#fitsSince;
    this.#fitsSince = new Map();
    for (const pod of this.#fitting) {
      const since = before.get(attemptOf(pod)) ?? nowMillis;
      this.#fitsSince.set(attemptOf(pod), since);
      if (nowMillis - since > this.#patienceWith(pod)) {
        const plugins = [...pod.unschedulablePlugins].join(', ');
        this.#violated(FORGOTTEN, `${nameOf(pod.podInfo.pod)}, rejected by ${plugins}, for ${nowMillis - since} ms`);
      }
    }
  }

  /** Nothing is being tried or on its way to a node, and no room is kept for anybody. */
  get #isIdle(): boolean {
    const { queue, cache, waitingPods } = this.#scheduler;
    if (waitingPods.size > 0 || cache.assumedCount > 0) return false;
    for (const { place } of queue.pendingPods()) if (place === 'active') return false;
    for (const [, node] of queue.nominations()) if (node !== '') return false;
    return this.#cluster.informers
      .of('pods')
      .lister.list()
      .every(({ metadata }) => !queue.isInFlight(metadata?.uid ?? ''));
  }

  /** Pods that filters have rejected: a dry run knows nothing of gates and of plugins behind the decision. */
  #unschedulable(): QueuedPodInfo[] {
    return [...this.#scheduler.queue.pendingPods()].filter(
      ({ place, isGated, unschedulablePlugins, podInfo }) =>
        place === 'unschedulable' && !isGated && !unschedulablePlugins.has(ERRANDS) && !isDeleting(podInfo.pod),
    );
  }

  /** The pods that fit according to a fresh scheduler, which sees what this one sees. */
  #thoseThatFit(waiting: readonly QueuedPodInfo[]): QueuedPodInfo[] {
    const fresh = new Scheduler({ engine: 'reference', preemption: false });
    const nodes = [...this.#scheduler.cache.cluster.knownNodes()];
    for (const { node } of nodes) fresh.addNode(node);
    for (const { name, pods } of nodes) {
      for (const { pod } of pods) fresh.addPod({ ...pod, spec: { ...pod.spec, nodeName: name } });
    }
    return waiting.filter(({ podInfo }) => fresh.explain(podInfo.pod).feasible.length > 0);
  }

  /**
   * Two hints of upstream have gaps, and such a pod waits for the time-out. InterPodAffinity holds that no change of a
   * node helps a pod that only the anti-affinity of others keeps away. PodTopologySpread does not count pods that are
   * being deleted, but no event reports when a pod begins to be.
   */
  #patienceWith({ unschedulablePlugins, podInfo }: QueuedPodInfo): number {
    const isKeptAway = unschedulablePlugins.has(INTER_POD_AFFINITY) && !podInfo.pod.spec?.affinity?.podAntiAffinity;
    const isOutOfBalance = unschedulablePlugins.has(POD_TOPOLOGY_SPREAD) && this.#isSomePodDeleted;
    return isKeptAway || isOutOfBalance ? TIMEOUT_MILLIS : MISSED_MILLIS;
  }

  get #isSomePodDeleted(): boolean {
    for (const { pods } of this.#scheduler.cache.cluster.knownNodes()) {
      if (pods.some(({ pod }) => isDeleting(pod))) return true;
    }
    return false;
  }

  get #scheduler() {
    return this.#cluster.scheduler as NonNullable<Cluster['scheduler']>;
  }
}

function attemptOf({ podInfo, attempts }: QueuedPodInfo): string {
  return `${podInfo.uid} ${attempts}`;
}
