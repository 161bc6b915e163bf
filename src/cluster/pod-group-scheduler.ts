import { claimNames, ownerOf, releasedBy } from '../api/claims-of-pod.ts';
import type { ObjectKind, ObjectKinds } from '../api/kinds.ts';
import type { KubernetesObject, ObjectMeta } from '../api/meta.ts';
import type { Node } from '../api/node.ts';
import { podKey } from '../api/object-name.ts';
import type { Pod } from '../api/pod.ts';
import { type NodeState, nodeState, nodeStates, type PodState } from '../caller/cluster-view.ts';
import { Informers } from '../client/informer/informers.ts';
import type { Explanation, ScheduleResult } from '../core/decision/result.ts';
import type { ClusterState } from '../framework/cluster/cluster-state.ts';
import { assert } from '../lib/assert.ts';
import { deepFrozen } from '../lib/deep-frozen.ts';
import { derivedUuid } from '../lib/derived-uuid.ts';
import { VirtualEventLoop } from '../lib/event-loop.ts';
import { plainCopy } from '../lib/plain-copy.ts';
import { Prng } from '../lib/prng.ts';
import type { ChangedGroup } from '../scheduler/changed-group.ts';
import type { InGroup } from '../scheduler/explain-group.ts';
import { storeApi } from '../scheduler/store-api.ts';
import { StoreScheduler, type StoreSchedulerOptions } from '../scheduler/store-scheduler.ts';
import { RandomNames } from '../store/objects/names.ts';
import { RESOURCES, type Resource, type Resources } from '../store/objects/resources.ts';
import { Store } from '../store/store.ts';

export type { GroupExplanation, MemberVerdict, PlacementVerdict } from '../scheduler/explain-group.ts';

/** A time that is longer than any back-off. */
const ROUND_MILLIS = 11_000;

/** An eviction for a pod, or for a group. */
export interface GroupEviction {
  readonly preemptor: Pod;
  readonly victims: readonly Pod[];
}

/** How long the scheduler may take to see that its caches are filled. */
const STARTING_MILLIS = 1000;

/** The results of a batch, in the order of its pods. */
export interface GroupBatch {
  readonly length: number;
  /** How many of the pods were placed. */
  readonly scheduledCount: number;
  /** The node of a pod; null if it has none. */
  nodeName(index: number): string | null;
  at(index: number): ScheduleResult;
}

/**
 * A scheduler on a store of its own, with the calls of an embedder's `Scheduler`. Only a queue knows when a group is
 * complete, so pods of groups need all of it:
 *
 *   addNode, setObject, schedule ─▶ store ─▶ watches ─▶ queue ─▶ group cycles ─▶ bindings ─▶ store
 *
 * The clock stands still in `scheduleBatch`, which ends when nothing is left to do now. `settle` lets it go on as long
 * as pods get a place, or are evicted for others, which are gone at once.
 */
export class PodGroupScheduler {
  readonly #loop = new VirtualEventLoop();
  readonly #store: Store;
  readonly #informers: Informers;
  readonly #scheduler: StoreScheduler;
  readonly #options: StoreSchedulerOptions;
  readonly #messages = new Map<string, string>();
  readonly #evictions: GroupEviction[] = [];
  #boundCount = 0;
  #isStarted = false;
  #isDisposed = false;

  constructor({ validate: _validated, ...options }: StoreSchedulerOptions & { readonly validate?: boolean }) {
    this.#options = options;
    const loop = this.#loop;
    const seeds = new Prng(options.seed ?? 1);
    const reportError = (error: unknown): void => {
      throw error;
    };
    this.#store = new Store({ clock: loop, names: new RandomNames(new Prng(seeds.next())) });
    this.#informers = new Informers(this.#store, { loop, prng: new Prng(seeds.next()), reportError });
    const recorder = {
      event: (pod: Pod, _related: unknown, _type: string, reason: string, _action: string, note: string): void => {
        if (reason === 'FailedScheduling') this.#messages.set(podKey(pod), note);
      },
    };
    const api = {
      ...storeApi(this.#store),
      deletePod: (namespace: string, name: string): void => this.#delete(namespace, name),
    };
    const observer = {
      podScheduled: (): void => {
        this.#boundCount++;
      },
      preemptionStarted: (preemptor: Pod, _nodeName: string, victims: readonly Pod[]): void => {
        this.#evictions.push({ preemptor, victims });
      },
      groupPreemptionStarted: (preemptor: Pod, victims: readonly Pod[]): void => {
        this.#evictions.push({ preemptor, victims });
      },
    };
    const modules = { api, informers: this.#informers, loop, recorder, reportError, observer };
    this.#scheduler = new StoreScheduler(modules, options);
  }

  /** The bytes of the kernels' memory that columns and indexes use now. */
  get sharedMemoryBytes(): number {
    let bytes = 0;
    for (const { engine } of this.#scheduler.profiles.all()) bytes += engine.sharedMemoryBytes;
    return bytes;
  }

  addNode(node: Node): void {
    this.#insert('nodes', node);
  }

  setObject<K extends ObjectKind>(kind: K, object: ObjectKinds[K]): void {
    const resource = RESOURCE_OF.get(kind) as Resource;
    const { ledger } = this.#store;
    const before = ledger.get(resource, object.metadata?.namespace ?? '', object.metadata?.name ?? '');
    if (before === undefined) this.#insert(resource, object as Resources[Resource]);
    else ledger.replace(resource, this.#versioned(resource, object as Resources[Resource]), before);
  }

  addPod(pod: Pod): void {
    this.#insert('pods', pod);
  }

  /** Removes the pod, whatever finalizers it has, and takes it from the claims that it uses. */
  removePod(namespace: string, name: string): void {
    this.#delete(namespace, name);
  }

  updateNode(node: Node): void {
    const { ledger } = this.#store;
    const before = ledger.get('nodes', '', node.metadata?.name ?? '') as Node;
    ledger.replace('nodes', this.#versioned('nodes', node), before);
  }

  /** Removes the node. Its pods are kept for a new node of this name. */
  removeNode(name: string): void {
    const { ledger } = this.#store;
    ledger.remove('nodes', ledger.get('nodes', '', name) as Node);
  }

  has(kind: 'Node' | 'Pod' | ObjectKind, name: string, namespace = ''): boolean {
    const resource = kind === 'Node' ? 'nodes' : kind === 'Pod' ? 'pods' : RESOURCE_OF.get(kind);
    return this.#store.ledger.get(resource as Resource, namespace, name) !== undefined;
  }

  /** The pod as it is now; undefined if it is not there. */
  pod(namespace: string, name: string): Pod | undefined {
    return this.#store.ledger.get('pods', namespace, name);
  }

  object<K extends ObjectKind>(kind: K, name: string, namespace = ''): ObjectKinds[K] | undefined {
    const resource = RESOURCE_OF.get(kind) as Resource;
    return this.#store.ledger.get(resource, namespace, name) as ObjectKinds[K] | undefined;
  }

  /** The nodes in the order in which the scheduler got to know them. */
  nodes(): NodeState[] {
    return nodeStates(this.#knownCluster());
  }

  node(name: string): NodeState | undefined {
    const info = this.#knownCluster().node(name);
    return info === undefined ? undefined : nodeState(info);
  }

  /** All pods, those without a node, too. */
  pods(): PodState[] {
    return Array.from(this.#store.ledger.objects('pods').values(), podStateOf);
  }

  /** A scheduler of its own on a copy of the cluster. */
  fork(): PodGroupScheduler {
    const fork = new PodGroupScheduler(this.#options);
    const { ledger } = this.#store;
    fork.#store.ledger.restore(ledger.everything(), ledger.version);
    return fork;
  }

  schedule(pod: Pod): ScheduleResult {
    return this.scheduleBatch([pod]).at(0);
  }

  scheduleBatch(pods: readonly Pod[]): GroupBatch {
    // What is there before the first pod is known to the scheduler before it begins.
    this.#run();
    for (const pod of pods) this.#insert('pods', pod);
    this.#run();
    const nodeNames = pods.map((pod) => this.#stored(pod)?.spec?.nodeName || null);
    return {
      length: pods.length,
      scheduledCount: nodeNames.filter((name) => name !== null).length,
      nodeName: (index) => nodeNames[index] ?? null,
      at: (index) => this.#result(pods[index] as Pod),
    };
  }

  /** Lets time pass until pods neither get a place nor are evicted any more. */
  settle(): void {
    for (let before = -1; this.#progress > before; ) {
      before = this.#progress;
      this.#run();
      const waits = [...this.#scheduler.queue.pendingPods()].some(({ place }) => place !== 'unschedulable');
      if (waits) this.#loop.runUntil(this.#loop.nowMillis() + ROUND_MILLIS);
    }
  }

  /** The evictions so far. */
  get evictions(): readonly GroupEviction[] {
    return this.#evictions;
  }

  /** Says what would be decided for the pod now; changes nothing. */
  explain(pod: Pod): Explanation | undefined {
    this.#run();
    return this.#scheduler.explain(this.#stored(pod) ?? pod);
  }

  /** How it stands with the pod's group now, with the explanation of the pod that tells most. */
  explainInGroup(pod: Pod): InGroup {
    this.#run();
    return this.#scheduler.explainInGroup(this.#stored(pod) ?? pod);
  }

  /** A copy of the cluster as it is now, to try groups in with changes. */
  changedGroup(): ChangedGroup {
    this.#run();
    return this.#scheduler.changedGroup();
  }

  get #progress(): number {
    return this.#boundCount + this.#evictions.length;
  }

  close(): void {
    this.#scheduler.stop();
    this.#informers.stop();
    for (const { engine } of this.#scheduler.profiles.all()) engine.runner?.close();
  }

  /** Closes the scheduler for good: others get the kernels' memory. Nothing is decided afterwards. */
  [Symbol.dispose](): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    this.close();
    this.#scheduler.profiles.release();
  }

  #insert<R extends Resource>(resource: R, object: Resources[R]): void {
    this.#store.ledger.insert(resource, this.#versioned(resource, object));
  }

  /** The object as it is written next. */
  #versioned<R extends Resource>(resource: R, object: Resources[R]): Resources[R] {
    const { namespace = '', name = '', uid } = object.metadata ?? {};
    // Groups know their pods by uid, which manifests lack.
    const own = uid || derivedUuid(`${resource}/${namespace}/${name}`);
    const versioned = { uid: own, resourceVersion: this.#store.ledger.nextVersion };
    const metadata = plainCopy<ObjectMeta>(object.metadata ?? {}, versioned);
    return deepFrozen(plainCopy<KubernetesObject>(object, { metadata }) as Resources[R]);
  }

  #delete(namespace: string, name: string): void {
    const { ledger } = this.#store;
    const pod = this.#store.get('pods', namespace, name);
    ledger.remove('pods', pod);
    const uid = pod.metadata?.uid ?? '';
    const madeHere = pod.status?.extendedResourceClaimStatus?.resourceClaimName;
    for (const claimName of claimNames(pod)) {
      const claim = ledger.get('resourceclaims', namespace, claimName);
      if (claim === undefined) continue;
      if (claimName === madeHere && ownerOf(claim)?.uid === uid) ledger.remove('resourceclaims', claim);
      else {
        const released = releasedBy(claim, { uid, name });
        if (released !== claim) {
          ledger.replace('resourceclaims', this.#versioned('resourceclaims', released), claim);
        }
      }
    }
  }

  /** The cluster as the scheduler knows it when it has heard of everything; no pod is tried meanwhile. */
  #knownCluster(): ClusterState {
    if (!this.#isStarted) this.#run();
    this.#informers.catchUp();
    return this.#scheduler.cache.cluster;
  }

  #run(): void {
    assert(!this.#isDisposed, 'the scheduler has been disposed of');
    if (!this.#isStarted) {
      this.#isStarted = true;
      this.#informers.start();
      this.#scheduler.start();
      this.#loop.runUntil(this.#loop.nowMillis() + STARTING_MILLIS);
    }
    this.#loop.runUntil(this.#loop.nowMillis());
  }

  #stored({ metadata }: Pod): Pod | undefined {
    return this.#store.ledger.get('pods', metadata?.namespace ?? '', metadata?.name ?? '');
  }

  #result(pod: Pod): ScheduleResult {
    const node = this.nodeOf(pod);
    if (node !== null) return { status: 'scheduled', node, score: null, feasibleNodes: 0 };
    return this.failureOf(pod);
  }

  /** The node of the pod; null if it has none. */
  nodeOf(pod: Pod): string | null {
    return this.#stored(pod)?.spec?.nodeName || null;
  }

  /** Why the pod has no node. */
  failureOf(pod: Pod): Extract<ScheduleResult, { readonly status: 'unschedulable' | 'gated' }> {
    const message = this.#messages.get(podKey(pod));
    if (message !== undefined) return { status: 'unschedulable', message };
    const { plugin = '', reasons = [] } = this.explain(pod)?.preEnqueue ?? {};
    return { status: 'gated', plugin, reasons };
  }
}

function podStateOf(pod: Pod): PodState {
  const { spec, status } = pod;
  return { pod, node: spec?.nodeName || null, nominatedNode: status?.nominatedNodeName || null };
}

/** The resources of the store by kind. */
const RESOURCE_OF: ReadonlyMap<string, Resource> = new Map(
  Object.entries(RESOURCES).map(([resource, { kind }]) => [kind, resource as Resource]),
);
