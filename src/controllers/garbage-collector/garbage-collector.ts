import type { KubernetesObject, OwnerReference } from '../../api/meta.ts';
import type { EventHandler } from '../../client/informer/event-handler.ts';
import { defaultControllerRateLimiter } from '../../client/queue/rate-limiter.ts';
import { RateLimitedWorkQueue } from '../../client/queue/work-queues.ts';
import { WorkerPool } from '../../client/worker-pool.ts';
import type { EventLoop } from '../../lib/event-loop.ts';
import type { FurtherObjects } from '../../store/objects/further-objects.ts';
import { RESOURCES, type Resource } from '../../store/objects/resources.ts';
import { type ControllerModules, SyncedPools } from '../queued-controller.ts';
import { collectObject, orphanDependents } from './collect-object.ts';
import { GarbageApi } from './garbage-api.ts';
import { GraphBuilder } from './graph-builder.ts';
import { OwnershipGraph } from './ownership-graph.ts';

export interface GarbageCollectorOptions extends ControllerModules {
  /** The resources whose objects are watched as owners and dependents; absent: all but events. */
  readonly resources?: readonly Resource[];
}

/** Events are not collected: they are many, live for an hour, and have no owners. */
const DEFAULT_RESOURCES = (Object.keys(RESOURCES) as Resource[]).filter((resource) => resource !== 'events');

/** When the API has an owner that the graph does not have yet, the object is checked again after this delay. */
const UNSEEN_OWNER_RECHECK_MILLIS = 1000;

/**
 * Deletes objects whose owners are gone, by the policy of the owner's deletion:
 *
 * - background: the owner goes at once, its dependents follow;
 * - foreground: dependents go first, the owner waits for those that block it;
 * - orphan: dependents stay, and lose their reference to the owner.
 *
 * ```
 *   informers ─▶ graph builder ─▶ graph
 *                     └─ suspects by uid ─▶ queues ─▶ workers: ask the API, then act; retry after errors
 * ```
 *
 * Upstream: pkg/controller/garbagecollector.
 */
export class GarbageCollector {
  readonly #api: GarbageApi;
  readonly #loop: EventLoop;
  readonly #graph = new OwnershipGraph();
  readonly #resources: ReadonlySet<Resource>;
  readonly #deletions: RateLimitedWorkQueue<string>;
  readonly #orphanings: RateLimitedWorkQueue<string>;
  readonly #pools: SyncedPools;
  readonly #builder: GraphBuilder;
  #stopFollowing: (() => void) | undefined;

  constructor(options: GarbageCollectorOptions) {
    const { client, informers, loop, reportError, resources = DEFAULT_RESOURCES, workers = 20, busyMillis } = options;
    this.#api = new GarbageApi(client);
    this.#loop = loop;
    this.#resources = new Set(resources);
    this.#deletions = new RateLimitedWorkQueue(loop, defaultControllerRateLimiter(loop));
    this.#orphanings = new RateLimitedWorkQueue(loop, defaultControllerRateLimiter(loop));
    const pool = (queue: RateLimitedWorkQueue<string>, name: string, sync: (uid: string) => void) =>
      new WorkerPool({ loop, queue, sync, reportError }, { name, workers, busyMillis });
    const pools = [
      pool(this.#deletions, 'suspected garbage', (uid) => this.#collect(uid)),
      pool(this.#orphanings, 'owner of orphans', (uid) => this.#orphan(uid)),
    ];
    const builder = new GraphBuilder(this.#graph, this.#api, {
      attemptToDelete: (uid) => this.#deletions.add(uid),
      attemptToOrphan: (uid) => this.#orphanings.add(uid),
    });
    this.#builder = builder;
    const handlers = resources.map((resource) => {
      const handler = this.#handlerOf(resource, builder);
      return informers.of(resource).addHandler(handler, { name: `garbage collector of ${resource}` });
    });
    this.#pools = new SyncedPools(loop, handlers, pools);
  }

  /** Collects further objects, too; to be called before `start`. @internal */
  alsoCollect(further: FurtherObjects): void {
    this.#api.further = further;
  }

  /** Starts watching, and collects as soon as every object has been seen. The informers are started by their owner. */
  start(): void {
    this.#stopFollowing ??= this.#api.further?.follow(this.#loop, {
      observe: (resource, object) => this.#observeFurther(resource, object),
      remove: (object) => this.#builder.remove(object),
    });
    this.#pools.start();
  }

  stop(): void {
    this.#stopFollowing?.();
    this.#stopFollowing = undefined;
    this.#pools.stop();
  }

  #collect(uid: string): void {
    const node = this.#graph.get(uid);
    if (node === undefined) return;
    const attemptToDelete = (other: string): void => this.#deletions.add(other);
    const owners = collectObject({ api: this.#api, graph: this.#graph, attemptToDelete }, node);
    // If such an owner is deleted before the graph has seen it, the graph will not see its deletion either.
    if (owners?.solid.some((owner) => this.#isStillUnseen(owner))) {
      this.#deletions.addAfter(uid, UNSEEN_OWNER_RECHECK_MILLIS);
    }
  }

  #orphan(uid: string): void {
    const owner = this.#graph.get(uid);
    if (owner !== undefined) orphanDependents(this.#api, this.#graph, owner);
  }

  #isStillUnseen(owner: OwnerReference): boolean {
    const resource = this.#api.resourceOf(owner)?.resource ?? '';
    const isWatched = !Object.hasOwn(RESOURCES, resource) || this.#resources.has(resource as Resource);
    return resource !== '' && isWatched && this.#graph.get(owner.uid) === undefined;
  }

  #observeFurther(resource: string, object: KubernetesObject): void {
    const { uid = '', ownerReferences } = object.metadata ?? {};
    const before = this.#graph.get(uid);
    this.#builder.observe(resource, object);
    if (before !== undefined && ownerReferences?.length) this.#deletions.add(uid);
  }

  #handlerOf(resource: Resource, builder: GraphBuilder): EventHandler<KubernetesObject> {
    return {
      onAdd: (object) => builder.observe(resource, object),
      onUpdate: (before, after) => {
        builder.update(resource, before, after);
        const { uid = '', ownerReferences } = after.metadata ?? {};
        // If an owner could not be classified before, the object may be collected now that its owners have changed.
        if (ownerReferences?.length && ownerReferences !== before.metadata?.ownerReferences) this.#deletions.add(uid);
      },
      onDelete: (lastKnown) => builder.remove(lastKnown),
    };
  }
}
