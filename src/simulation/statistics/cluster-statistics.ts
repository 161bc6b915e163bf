import { type Node, readyStatus } from '../../api/node.ts';
import { allocatable } from '../../api/resources.ts';
import type { Clock } from '../../lib/clock.ts';
import { followWrites, type WriteType } from '../../store/follow-writes.ts';
import type { Resource, Resources } from '../../store/objects/resources.ts';
import type { StoreClient } from '../../store/objects/store-client.ts';
import { JobCounts } from './job-counts.ts';
import { PodCounts, STAGES } from './pod-counts.ts';
import { Timeline, type TimelinePoint } from './timeline.ts';
import { type AmountsByName, amountsOf, UsageMeter } from './usage-meter.ts';

/** The parts of a cluster that statistics follow. */
export interface StatisticsModules {
  /** The store itself, whose watches never fail. */
  readonly client: Pick<StoreClient, 'list' | 'watch'>;
  readonly clock: Clock;
}

/** Values over time, with their names. */
export interface SeriesByName {
  readonly names: readonly string[];
  readonly points: readonly TimelinePoint[];
}

/** Reads every write to a cluster's store, and counts. */
export class ClusterStatistics {
  readonly meter = new UsageMeter();
  readonly pods = new PodCounts(this.meter);
  readonly jobs = new JobCounts();
  readonly #modules: StatisticsModules;
  readonly #followed: { stop(): void }[] = [];
  readonly #nodes = new Map<string, KnownNode>();
  readonly #phaseTimeline: Timeline;
  readonly #usageTimeline: Timeline;
  readonly #capacityTimeline: Timeline;
  /** When the last write was seen. */
  #seenMillis = Number.NaN;
  /** When a counted value last changed. */
  lastChangeMillis: number;

  constructor(modules: StatisticsModules) {
    this.#modules = modules;
    const nowMillis = modules.clock.nowMillis();
    this.lastChangeMillis = nowMillis;
    this.#phaseTimeline = new Timeline(nowMillis, () => STAGES.map((stage) => this.pods.stages[stage]));
    const { meter } = this;
    this.#usageTimeline = new Timeline(nowMillis, () => meter.names.map((name) => meter.share(name)));
    this.#capacityTimeline = new Timeline(nowMillis, () => meter.names.map((name) => meter.shareLeft(name)));
  }

  get nodeCount(): number {
    return this.#nodes.size;
  }

  get notReadyCount(): number {
    return [...this.#nodes.values()].filter(({ isLost }) => isLost).length;
  }

  start(): void {
    this.#follow('nodes', {
      set: (node, nowMillis) => this.#setNode(node, nowMillis),
      delete: (node, nowMillis) => this.#deleteNode(node, nowMillis),
    });
    this.#follow('pods', {
      set: (pod, nowMillis, previous) => this.pods.set(pod, nowMillis, previous),
      delete: (pod, nowMillis) => this.pods.delete(pod, nowMillis),
    });
    this.#follow('jobs', {
      set: (job, nowMillis) => this.jobs.set(job, nowMillis),
      delete: (job) => this.jobs.delete(job),
    });
  }

  stop(): void {
    for (const followed of this.#followed.splice(0)) followed.stop();
  }

  podsByPhase(): SeriesByName {
    return { names: STAGES, points: this.#phaseTimeline.points(this.#modules.clock.nowMillis()) };
  }

  usageByResource(): SeriesByName {
    return { names: this.meter.names, points: this.#usageTimeline.points(this.#modules.clock.nowMillis()) };
  }

  /** The shares of the nodes' resources that were there. */
  capacityByResource(): SeriesByName {
    return { names: this.meter.names, points: this.#capacityTimeline.points(this.#modules.clock.nowMillis()) };
  }

  /** Follows a resource inside of each write, so that every write is counted at its own time. */
  #follow<R extends Resource>(resource: R, counts: Counts<Resources[R]>): void {
    const { client, clock } = this.#modules;
    const { resourceVersion, items } = client.list(resource, { limit: 1 });
    // What was there before has not been counted.
    const isAllSeen = items.length === 0;
    const see = (type: WriteType, object: Resources[R], previous?: Resources[R]): void => {
      const nowMillis = clock.nowMillis();
      if (nowMillis !== this.#seenMillis) this.#beforeChanges(nowMillis);
      const isDeleted = type === 'DELETED';
      const isNews = isDeleted || counts.set(object, nowMillis, isAllSeen ? previous : undefined);
      if (isDeleted) counts.delete(object, nowMillis);
      if (isNews) this.lastChangeMillis = nowMillis;
    };
    this.#followed.push(followWrites(client, resource, resourceVersion, see));
  }

  /** Timelines end their intervals before the first change of a moment; further ones are of the same interval. */
  #beforeChanges(nowMillis: number): void {
    this.#seenMillis = nowMillis;
    this.#phaseTimeline.beforeChange(nowMillis);
    this.#usageTimeline.beforeChange(nowMillis);
    this.#capacityTimeline.beforeChange(nowMillis);
  }

  #setNode(node: Node, nowMillis: number): boolean {
    const name = node.metadata?.name ?? '';
    const before = this.#nodes.get(name);
    const amounts = amountsOf(allocatable(node.status?.allocatable).resources);
    // A node that has not reported yet counts as one that is ready.
    const isLost = (readyStatus(node) ?? 'True') !== 'True';
    if (before !== undefined && before.isLost === isLost && sameAmounts(before.amounts, amounts)) return false;
    if (before !== undefined) this.#offer(before, -1, nowMillis);
    const known = { amounts, isLost };
    this.#offer(known, 1, nowMillis);
    this.#nodes.set(name, known);
    // The pods of a node that was deleted count as lost until it is there again.
    const hasTurned = isLost !== before?.isLost;
    if (hasTurned) this.pods.setNodeLost(name, isLost, nowMillis);
    return before === undefined || hasTurned;
  }

  #deleteNode({ metadata }: Node, nowMillis: number): void {
    const name = metadata?.name ?? '';
    const before = this.#nodes.get(name);
    if (before !== undefined) this.#offer(before, -1, nowMillis);
    this.#nodes.delete(name);
    this.pods.setNodeLost(name, true, nowMillis);
  }

  #offer({ amounts, isLost }: KnownNode, sign: 1 | -1, nowMillis: number): void {
    if (isLost) this.meter.lose(amounts, sign);
    else this.meter.offer(amounts, sign, nowMillis);
  }
}

interface KnownNode {
  readonly amounts: AmountsByName;
  /** Whether the node has reported that it is not ready, or does not report any more. */
  readonly isLost: boolean;
}

interface Counts<T> {
  /**
   * Counts the object. `previous`: as it was counted last, where that is known. Returns false if no counted value has
   * changed.
   */
  set(object: T, nowMillis: number, previous?: T): boolean;
  delete(object: T, nowMillis: number): void;
}

function sameAmounts(a: AmountsByName, b: AmountsByName): boolean {
  return a.length === b.length && a.every(([name, amount], i) => name === b[i]?.[0] && amount === b[i]?.[1]);
}
