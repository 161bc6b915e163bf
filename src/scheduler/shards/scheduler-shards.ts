import type { Pod } from '../../api/pod.ts';
import type { EventHandler } from '../../client/informer/event-handler.ts';
import type { Informers } from '../../client/informer/informers.ts';
import { objectKey } from '../../client/object-key.ts';
import { isRejection } from '../../framework/status.ts';
import type { EventLoop } from '../../lib/event-loop.ts';
import { ApiError } from '../../store/objects/api-error.ts';
import type { Resource } from '../../store/objects/resources.ts';
import type { StoreClient } from '../../store/objects/store-client.ts';
import type { Attempt } from '../attempt.ts';
import type { StoreSchedulerModules, StoreSchedulerOptions } from '../new-cycle-modules.ts';
import type { AttemptPace } from '../pace.ts';
import type { SchedulerApi } from '../scheduler-api.ts';
import { StoreScheduler } from '../store-scheduler.ts';
import type { ResourceInformer, SchedulerInformers } from '../watch-objects.ts';
import { FilteredHandler } from './filtered-handler.ts';
import { NodeRooms } from './node-rooms.ts';
import { PodOwners, shardOfName } from './pod-owners.ts';

/** How several schedulers share a cluster, and how long their work takes. */
export interface ShardingOptions {
  /** The number of schedulers. */
  readonly count: number;
  /**
   * What is shared out. `pods`: every scheduler sees all nodes, and tries its own pods. `nodes`: every scheduler also
   * has nodes of its own; a pod that it cannot place is handed on to the next one.
   */
  readonly by: 'nodes' | 'pods';
  /** How long a decision takes, for itself and for each node that the scheduler sees. */
  readonly decisionMillis: number;
  readonly decisionMillisPerNode: number;
  /** How long the API takes for a binding; it takes one after the other. */
  readonly commitMillis: number;
}

/** What one scheduler has done. */
export interface ShardCounts {
  attempts: number;
  bound: number;
  /** Bindings that were refused since another scheduler has taken the room, or the pod, meanwhile. */
  conflicts: number;
  /** Pods that were handed on to the next scheduler. */
  handedOn: number;
  /** The time that decisions took. */
  busyMillis: number;
}

/** The parts of a cluster that the schedulers share; each has what `newModules` makes. */
export interface SchedulerShardsModules {
  readonly loop: EventLoop;
  /** The store itself, which decides whether a node has room. */
  readonly store: Pick<StoreClient, 'list' | 'watch'>;
  readonly informers: Informers;
  readonly newModules: () => Omit<StoreSchedulerModules, 'informers' | 'loop'>;
}

/** The first time that a pod waits when all schedulers have rejected it, and the longest: upstream's back-off. */
const ROUND_MILLIS = 1000;
const ROUND_MAX_MILLIS = 10_000;

/**
 * Several complete schedulers on one store, with optimistic concurrency (Omega, Gödel): each decides by its own cache,
 * which shows what others have bound only after a while, and the API refuses a binding for which there is no room any
 * more. Then the pod goes back to its scheduler's queue, as after any failed binding.
 *
 *   scheduler 1   decides ─────┐ commit            decides ────┐ commit
 *   scheduler 2        decides ──────┐ commit: the room is taken, once more
 *   API                        ▓▓    ▓▓                         ▓▓        one binding after the other
 */
export class SchedulerShards {
  readonly schedulers: readonly StoreScheduler[];
  readonly counts: readonly ShardCounts[];
  readonly #modules: SchedulerShardsModules;
  readonly #options: ShardingOptions;
  readonly #rooms = new NodeRooms();
  readonly #owners: PodOwners;
  /** The handlers of pods of each scheduler. */
  readonly #podHandlers: EventHandler<Pod>[][];
  /** How many schedulers have rejected a pod one after the other, by uid. */
  readonly #rejections = new Map<string, number>();
  /** The uid of the pod that each scheduler is about to reject. */
  readonly #deciding: string[] = [];
  #apiFreeMillis = 0;
  #firstMillis: number | null = null;
  /** When each pod was bound, ascending. */
  readonly #boundMillis: number[] = [];

  constructor(modules: SchedulerShardsModules, sharding: ShardingOptions, options: StoreSchedulerOptions) {
    this.#modules = modules;
    this.#options = sharding;
    const { count } = sharding;
    this.#owners = new PodOwners(count);
    const all = Array.from({ length: count }, (_, shard) => shard);
    this.counts = all.map(() => ({ attempts: 0, bound: 0, conflicts: 0, handedOn: 0, busyMillis: 0 }));
    this.#podHandlers = all.map(() => []);
    this.schedulers = all.map((shard) => {
      const own = modules.newModules();
      const seed = options.seed === undefined ? undefined : (options.seed + shard) % 2 ** 32;
      return new StoreScheduler(
        {
          ...{ ...own, loop: modules.loop },
          ...{ informers: this.#informersOf(shard), api: this.#apiOf(shard, own.api), pace: this.#paceOf(shard) },
        },
        { ...options, ...(seed !== undefined && { seed }) },
      );
    });
  }

  /** The time from the first decision until this share of the bindings was made; 0 without any. */
  spanMillis(share: number): number {
    const last = this.#boundMillis[Math.max(0, Math.ceil(this.#boundMillis.length * share) - 1)];
    return last === undefined || this.#firstMillis === null ? 0 : last - this.#firstMillis;
  }

  start(): void {
    this.#rooms.start(this.#modules.store);
    this.#forgetGone();
    for (const scheduler of this.schedulers) scheduler.start();
  }

  stop(): void {
    for (const scheduler of this.schedulers) scheduler.stop();
    this.#rooms.stop();
  }

  #informersOf(shard: number): SchedulerInformers {
    const { informers } = this.#modules;
    const sees = (resource: Resource): ((object: never) => boolean) | null => {
      if (resource === 'pods') return (pod: Pod) => this.#seesPod(pod, shard);
      if (resource !== 'nodes' || this.#options.by === 'pods') return null;
      return ({ metadata }: { readonly metadata?: { readonly name?: string } }) => {
        return this.#isNodeOf(metadata?.name ?? '', shard);
      };
    };
    return {
      of: (resource) => {
        const informer = informers.of(resource) as unknown as ResourceInformer<never>;
        const isSeen = sees(resource);
        if (isSeen === null) return informer as never;
        return {
          lister: informer.lister,
          addHandler: (handler, options) => {
            if (resource === 'pods') this.#podHandlers[shard]?.push(handler as EventHandler<Pod>);
            return informer.addHandler(new FilteredHandler<never>(handler as never, isSeen), options);
          },
        };
      },
    };
  }

  /** A pod on a node concerns all who see the node, any other one its owner. */
  #seesPod(pod: Pod, shard: number): boolean {
    const nodeName = pod.spec?.nodeName;
    if (!nodeName) return this.#owners.of(pod) === shard;
    return this.#options.by === 'pods' || this.#isNodeOf(nodeName, shard);
  }

  #isNodeOf(name: string, shard: number): boolean {
    return shardOfName(name, this.#options.count) === shard;
  }

  #apiOf(shard: number, api: SchedulerApi): SchedulerApi {
    const counts = this.counts[shard] as ShardCounts;
    const bindPod = (pod: Pod, nodeName: string) => {
      const refusal = this.#rooms.refusal(pod, nodeName);
      if (refusal !== null) {
        counts.conflicts++;
        throw new ApiError('Conflict', `pod ${objectKey(pod)}: ${refusal}`);
      }
      let bound: ReturnType<SchedulerApi['bindPod']>;
      try {
        bound = api.bindPod(pod, nodeName);
      } catch (error) {
        if (error instanceof ApiError && error.reason === 'Conflict') counts.conflicts++;
        throw error;
      }
      counts.bound++;
      this.#boundMillis.push(this.#modules.loop.nowMillis());
      return bound;
    };
    return { ...api, bindPod };
  }

  #paceOf(shard: number): AttemptPace {
    const { loop } = this.#modules;
    const { decisionMillis, decisionMillisPerNode, commitMillis, by } = this.#options;
    const counts = this.counts[shard] as ShardCounts;
    return {
      decisionMillis: (attempt, nodeCount) => {
        this.#deciding[shard] = attempt.outcome === 'failed' ? attempt.queued.podInfo.uid : '';
        const millis = decisionMillis + decisionMillisPerNode * nodeCount;
        this.#firstMillis ??= loop.nowMillis();
        counts.attempts++;
        counts.busyMillis += millis;
        return millis;
      },
      commit: (write) => {
        if (commitMillis === 0) {
          write();
          return;
        }
        const now = loop.nowMillis();
        this.#apiFreeMillis = Math.max(now, this.#apiFreeMillis) + commitMillis;
        loop.after(this.#apiFreeMillis - now, write);
      },
      concluded: (attempt) => {
        if (attempt.outcome === 'failed') this.#deciding[shard] = '';
        if (by === 'nodes') this.#mayHandOn(attempt, shard);
      },
    };
  }

  /** Hands on a pod that no node of its scheduler takes; when all have rejected it, after its back-off. */
  #mayHandOn(attempt: Attempt, shard: number): void {
    if (attempt.outcome !== 'failed' || attempt.eviction !== null || this.#options.count === 1) return;
    if (!isRejection(attempt.failure) || attempt.failure.nomination?.nodeName) return;
    const { uid, namespace, name } = attempt.queued.podInfo;
    const rejections = (this.#rejections.get(uid) ?? 0) + 1;
    this.#rejections.set(uid, rejections);
    const { count } = this.#options;
    const rounds = Math.floor(rejections / count);
    const delay = rejections % count === 0 ? Math.min(ROUND_MAX_MILLIS, ROUND_MILLIS * 2 ** (rounds - 1)) : 0;
    this.#modules.loop.after(delay, () => this.#handOn(namespace, name, uid, shard));
  }

  #handOn(namespace: string, name: string, uid: string, shard: number): void {
    const pod = this.#modules.informers.of('pods').lister.get(namespace, name);
    // Meanwhile it may be gone, bound, or be tried again.
    if (pod === undefined || pod.metadata?.uid !== uid || pod.spec?.nodeName || this.#owners.of(pod) !== shard) return;
    if (this.#deciding[shard] === uid || this.schedulers[shard]?.cache.isAssumedPod(pod)) return;
    (this.counts[shard] as ShardCounts).handedOn++;
    for (const handler of this.#podHandlers[shard] ?? []) handler.onDelete(pod, false);
    const next = this.#owners.handOn(pod);
    for (const handler of this.#podHandlers[next] ?? []) handler.onAdd(pod, false);
  }

  #forgetGone(): void {
    const forget = (pod: Pod): void => {
      this.#owners.forget(pod);
      this.#rejections.delete(pod.metadata?.uid ?? '');
    };
    // Added behind the handlers of the schedulers, which still ask for the owner.
    this.#modules.informers.of('pods').addHandler({
      onAdd: () => {},
      onUpdate: (before, after) => {
        if (after.spec?.nodeName && !before.spec?.nodeName) forget(after);
      },
      onDelete: forget,
    });
  }
}
