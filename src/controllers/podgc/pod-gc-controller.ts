import type { Node } from '../../api/node.ts';
import type { Pod } from '../../api/pod.ts';
import type { Lister } from '../../client/informer/lister.ts';
import { whenSynced } from '../../client/informer/when-synced.ts';
import { DelayedWorkQueue, type DelayingQueue } from '../../client/queue/work-queues.ts';
import type { ReportError } from '../../client/report-error.ts';
import { afterPeriod, type EventLoop, type Timer } from '../../lib/event-loop.ts';
import type { IdleTick } from '../../lib/task-heap.ts';
import type { BasicModules } from '../queued-controller.ts';
import { OrphanedPods } from './orphaned-pods.ts';
import { type DisruptionCondition, failAndDeletePod, type PodGcApi, podGcApi } from './pod-gc-api.ts';
import { CountedPodNews, type PodNews } from './pod-news.ts';
import { PodSurvey } from './pod-survey.ts';
import { terminatedPodsOver, terminatingPodsOutOfService, terminatingPodsUnscheduled } from './pods-to-delete.ts';

/** Why the collector deleted a pod. */
export type PodGcReason = 'terminated' | 'out-of-service' | 'orphaned' | 'unscheduled';

/** How many pods PodGC has deleted for a reason. */
export interface PodGcCount {
  /** The number of pods that were to be deleted. */
  total: number;
  /** The number of pods among them that could not be set to `Failed`, or not be deleted. */
  errors: number;
}

/** The metrics of the collector. Upstream: pkg/controller/podgc/metrics. */
export type PodGcMetrics = Readonly<Record<PodGcReason, PodGcCount>>;

/** @internal */
export function zeroPodGcMetrics(): PodGcMetrics {
  const zero = (): PodGcCount => ({ total: 0, errors: 0 });
  return { terminated: zero(), 'out-of-service': zero(), orphaned: zero(), unscheduled: zero() };
}

/** What PodGC is made of. */
export interface PodGcControllerOptions {
  readonly api: PodGcApi;
  readonly pods: Lister<Pod>;
  readonly nodes: Lister<Node>;
  /** Whether the two caches hold their first lists. */
  readonly hasSynced: () => boolean;
  readonly loop: EventLoop;
  readonly reportError: ReportError;
  /** How many terminated pods are kept; 0 or less: all. */
  readonly terminatedPodThreshold?: number;
  readonly gcCheckPeriodMillis?: number;
  readonly quarantineMillis?: number;
  /** The queue of the names of missing nodes. */
  readonly quarantine?: DelayingQueue<string>;
  /** What changes of the two caches say; absent: each pass surveys all pods. @internal */
  readonly news?: PodNews;
}

/** What a pass has seen: lists, which caches return again while nothing has changed, or how often that was. */
interface SeenObjects {
  readonly pods: readonly Pod[] | number;
  readonly nodes: readonly Node[] | number;
}

const DEFAULTS = { terminatedPodThreshold: 12_500, gcCheckPeriodMillis: 20_000, quarantineMillis: 40_000 };

const NODE_GONE: DisruptionCondition = {
  type: 'DisruptionTarget',
  status: 'True',
  reason: 'DeletionByPodGC',
  message: 'PodGC: node no longer exists',
};

/**
 * Deletes pods that nothing else will delete, in passes over all pods, step by step (upstream:
 * pkg/controller/podgc/gc_controller.go).
 */
export class PodGcController {
  readonly #options: Required<Omit<PodGcControllerOptions, 'news'>>;
  readonly #news: PodNews | undefined;
  readonly #orphanedPods: OrphanedPods;
  readonly #survey = new PodSurvey();
  #nextPass: Timer | undefined;
  /** The time until which a name may be in quarantine. */
  #quarantineEndMillis = 0;
  /** What the last pass has seen, if another pass over the same would find nothing. */
  #idleOver: SeenObjects | undefined;
  /** The names of the nodes of a list, kept since nodes change less often than pods. */
  #named: { readonly nodes: readonly Node[]; readonly names: ReadonlySet<string> } = { nodes: [], names: new Set() };
  readonly metrics: PodGcMetrics = zeroPodGcMetrics();
  /** How many pods were to be deleted so far. */
  #attempts = 0;
  readonly #idlePass: IdleTick;

  constructor(options: PodGcControllerOptions) {
    const { news, ...others } = options;
    const quarantine = options.quarantine ?? new DelayedWorkQueue<string>(options.loop);
    this.#options = { ...DEFAULTS, quarantine, ...others };
    this.#news = news;
    this.#orphanedPods = new OrphanedPods(this.#options);
    this.#idlePass = { periodMillis: this.#options.gcCheckPeriodMillis, isIdle: () => this.#isIdleOver(this.#see()) };
  }

  /** Starts with a pass as soon as the caches have synced; then there is one every period. */
  start(): void {
    this.#nextPass ??= whenSynced(this.#options.loop, this.#options.hasSynced, () => this.#pass());
  }

  stop(): void {
    this.#nextPass?.cancel();
    this.#nextPass = undefined;
  }

  /**
   * Runs one pass. All rules see the same pods, so one rule may try to delete a pod that another has just deleted,
   * which counts as an error.
   */
  gc(): void {
    const nodeNames = this.#namesOf(this.#options.nodes.list());
    const { terminatedPodThreshold } = this.#options;
    if (this.#news?.mayConcern(terminatedPodThreshold) === false) {
      // Nodes in quarantine are looked up nevertheless.
      this.#orphanedPods.find([], nodeNames);
      return;
    }
    const pods = this.#options.pods.list();
    const { terminatedCount, terminating, stray } = this.#survey.of(pods, nodeNames);
    this.#news?.surveyed(stray.length > 0);
    if (terminatedCount > terminatedPodThreshold) {
      this.#deletePods(terminatedPodsOver(terminatedPodThreshold, pods), 'terminated');
    }
    this.#deletePods(terminatingPodsOutOfService(terminating, this.#options.nodes), 'out-of-service');
    this.#deletePods(this.#orphanedPods.find(stray, nodeNames), 'orphaned', NODE_GONE);
    this.#deletePods(terminatingPodsUnscheduled(terminating), 'unscheduled');
  }

  #pass(): void {
    this.#nextPass = afterPeriod(this.#options.loop, () => this.#pass(), this.#idlePass);
    const seen = this.#see();
    if (this.#isIdleOver(seen)) return;
    const attemptsBefore = this.#attempts;
    this.gc();
    const nowMillis = this.#options.loop.nowMillis();
    const { sawMissingNode } = this.#orphanedPods;
    if (sawMissingNode) this.#quarantineEndMillis = nowMillis + this.#options.quarantineMillis;
    const isIdle = this.#attempts === attemptsBefore && !sawMissingNode && nowMillis > this.#quarantineEndMillis;
    this.#idleOver = isIdle ? seen : undefined;
  }

  /** Whether the last pass has seen the same, and would find nothing in it again. */
  #isIdleOver({ pods, nodes }: SeenObjects): boolean {
    return pods === this.#idleOver?.pods && nodes === this.#idleOver.nodes;
  }

  #see(): SeenObjects {
    if (this.#news !== undefined) return { pods: this.#news.version, nodes: 0 };
    return { pods: this.#options.pods.list(), nodes: this.#options.nodes.list() };
  }

  #namesOf(nodes: readonly Node[]): ReadonlySet<string> {
    if (this.#named.nodes !== nodes) {
      this.#named = { nodes, names: new Set(nodes.map(({ metadata }) => metadata?.name ?? '')) };
    }
    return this.#named.names;
  }

  #deletePods(pods: readonly Pod[], reason: PodGcReason, condition?: DisruptionCondition): void {
    const count = this.metrics[reason];
    for (const pod of pods) {
      count.total++;
      this.#attempts++;
      try {
        failAndDeletePod(this.#options.api, pod, this.#options.loop.nowMillis(), condition);
      } catch (error) {
        count.errors++;
        this.#options.reportError(error, `delete ${reason} pod ${pod.metadata?.namespace}/${pod.metadata?.name}`);
      }
    }
  }
}

/** The parts of a cluster that PodGC uses. */
export type PodGcControllerModules = Omit<PodGcControllerOptions, 'api' | 'pods' | 'nodes' | 'hasSynced'> &
  BasicModules;

/** A pod garbage collector that uses the caches of these informers, and waits for them when it is started. */
export function newPodGcController({ client, informers, ...modules }: PodGcControllerModules): PodGcController {
  const [pods, nodes] = [informers.of('pods'), informers.of('nodes')];
  const news = new CountedPodNews(pods, nodes);
  return new PodGcController({
    ...modules,
    api: podGcApi(client),
    pods: pods.lister,
    nodes: nodes.lister,
    hasSynced: news.hasSynced,
    news,
  });
}
