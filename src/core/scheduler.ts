import type { ObjectKind, ObjectKinds } from '../api/kinds.ts';
import type { Node } from '../api/node.ts';
import type { Pod } from '../api/pod.ts';
import {
  type AttachOptions,
  followInformers,
  type LoadedKind,
  type LoadResult,
  loadInto,
  type ObjectInformer,
} from '../caller/bulk.ts';
import { asCaller, asSchedulerError, checkAsyncOptions, checkNames } from '../caller/call-checks.ts';
import { CallGuard } from '../caller/call-guard.ts';
import { ChangeFeed, type ClusterChange } from '../caller/changes.ts';
import {
  type NodeState,
  nodeState,
  nodeStates,
  type PodState,
  podState,
  podStates,
  totalUsage,
  type Usage,
} from '../caller/cluster-view.ts';
import { ObjectChecks } from '../caller/object-checks.ts';
import { checkInteger } from '../caller/option-values.ts';
import { decodeState, encodeState, type SchedulerRecord } from '../caller/state-bytes.ts';
import type { SchedulerConfiguration } from '../config/configuration.ts';
import type { RunnerFactory } from '../engine/columns/column-engine-options.ts';
import type { EngineName } from '../engine/cycle/engine.ts';
import type { ClusterState } from '../framework/cluster/cluster-state.ts';
import { type ExtenderCalls, withoutExtenderCalls } from '../framework/extender-calls.ts';
import { needsExtender, SchedulerError } from '../framework/scheduler-error.ts';
import { removePodWithClaims } from '../plugins/dynamic-resources/extended/remove-pod.ts';
import { type RunnerCounters, sumOfCounters, type TaskRunner } from '../pool/task-runner.ts';
import { Attempts } from './attempts.ts';
import type { BatchResult } from './batch-result.ts';
import { explainPod, NOT_RESPONSIBLE } from './decision/explain-pod.ts';
import type { Explanation, ScheduleResult } from './decision/result.ts';
import { type AsyncOptions, ExtenderAttempts } from './extender-attempts.ts';
import type { ExtenderBinding } from './extenders/bind.ts';
import { needsExtenders } from './extenders/extender.ts';
import { checkOptions } from './option-checks.ts';
import { Profiles } from './profiles.ts';
import type { SchedulerOptions } from './scheduler-options.ts';

/** The changes that a reader may be behind, unless it says otherwise. */
const DEFAULT_CHANGES = 10_000;

/**
 * kube-scheduler's decisions, without a cluster: add nodes and the pods on them, and schedule a pod.
 *
 *     const scheduler = new Scheduler();
 *     scheduler.addNode(node);
 *     scheduler.schedule(pod);      // { status: 'scheduled', node: 'node-1', score: 583, ... }
 *
 * Objects are v1 Nodes and Pods as plain JSON or from `@kubernetes/client-node`, as an API server returns them
 * (defaults filled in). They are kept and must not be changed afterwards: hand in a new object with `updateNode` or
 * `updatePod`.
 * Every method either does its work or throws a `SchedulerError`, whose `code` says why, with nothing changed.
 */
export class Scheduler {
  readonly engine: EngineName;
  readonly #cluster: ClusterState;
  readonly #checks: ObjectChecks;
  readonly #profiles: Profiles;
  readonly #attempts: Attempts;
  readonly #asyncAttempts: ExtenderAttempts;
  readonly #changes = new ChangeFeed();
  readonly #guard = new CallGuard();
  readonly #options: SchedulerOptions;
  readonly #createRunner: RunnerFactory | undefined;

  constructor(options?: SchedulerOptions);
  /** For tests. @internal */
  constructor(options?: SchedulerOptions, createRunner?: RunnerFactory, defaults?: SchedulerConfiguration);
  constructor(options: SchedulerOptions = {}, createRunner?: RunnerFactory, defaults?: SchedulerConfiguration) {
    checkOptions(options);
    this.#options = options;
    this.#createRunner = createRunner;
    const { engine = 'simd', validate = true, freeze = false, trustsCaller = false, extenderTransport } = options;
    this.engine = engine;
    this.#checks = new ObjectChecks(validate, freeze, trustsCaller);
    const profiles = asCaller(() => new Profiles(options, { createRunner, defaults }));
    this.#profiles = profiles;
    this.#cluster = profiles.cluster;
    this.#attempts = new Attempts(profiles, this.#checks);
    this.#asyncAttempts = new ExtenderAttempts(profiles, this.#attempts, this.#guard, extenderTransport);
  }

  /**
   * The bytes of the kernels' memory that columns and indexes use now, outside of the JavaScript heap. The process
   * keeps the largest amount that they have used, because the memory of WebAssembly never shrinks.
   */
  get sharedMemoryBytes(): number {
    let bytes = 0;
    for (const { engine } of this.#profiles.all()) bytes += engine.sharedMemoryBytes;
    return bytes;
  }

  /** The maximum number of threads that share the work on one pod, including the caller's. */
  get workers(): number {
    return Math.max(1, ...this.#runners().map((runner) => runner.workers));
  }

  /** The counters of the threads so far. */
  get workerCounters(): RunnerCounters {
    return sumOfCounters(this.#runners());
  }

  /**
   * Releases the threads; the caller's thread then does all work. Threads that are not released sleep, and do not keep
   * the process alive. Decisions that wait for extenders reject with Closed, and readers of `changes` end.
   */
  close(): void {
    this.#asyncAttempts.close();
    this.#changes.close();
    for (const runner of this.#runners()) runner.close();
  }

  /**
   * Closes the scheduler for good: other schedulers of the process get the kernels' memory, which costs less than new
   * one. What the cluster holds can still be read; changes and decisions are refused with Closed. Errors: Conflict
   * within another call.
   */
  [Symbol.dispose](): void {
    if (!this.#guard.end()) return;
    this.close();
    this.#profiles.release();
  }

  #runners(): TaskRunner[] {
    return [...this.#profiles.all()].flatMap(({ engine }) => engine.runner ?? []);
  }

  /** Adds a node. Errors: AlreadyExists; Invalid. */
  addNode(node: Node): void {
    const kept = this.#checks.checkNode(node);
    this.#guard.run(() => this.#cluster.addNode(kept));
    this.#emit(() => ({ type: 'nodeAdded', node: kept }));
  }

  /** Replaces the Node object, and keeps the pods on it. Errors: NotFound; Invalid. */
  updateNode(node: Node): void {
    const kept = this.#checks.checkNode(node);
    this.#guard.run(() => this.#cluster.updateNode(kept));
    this.#emit(() => ({ type: 'nodeUpdated', node: kept }));
  }

  /** Removes the node. Its pods are kept for a new node of this name. Errors: NotFound; Invalid. */
  removeNode(name: string): void {
    this.#checks.checkName('name', name);
    this.#guard.run(() => this.#cluster.removeNode(name));
    this.#emit(() => ({ type: 'nodeRemoved', name }));
  }

  /**
   * Adds a pod. With `spec.nodeName` it uses the resources of that node, as soon as the node is added; without, it is
   * pending. Pods in phase Succeeded or Failed are ignored. Errors: AlreadyExists; Invalid.
   */
  addPod(pod: Pod): void {
    const kept = this.#checks.checkPod(pod, this.#profiles.placed);
    this.#guard.run(() => this.#cluster.pods.add(kept));
    this.#emit(() => ({ type: 'podAdded', pod: kept }));
  }

  /**
   * Replaces the pod, or adds it. A pod that this scheduler has placed stays on its node until `spec.nodeName` names
   * another. Errors: Invalid.
   */
  updatePod(pod: Pod): void {
    const kept = this.#checks.checkPod(pod, this.#profiles.placed);
    this.#guard.run(() => this.#cluster.pods.update(kept));
    this.#emit(() => ({ type: 'podUpdated', pod: kept }));
  }

  /** Removes the pod. Errors: NotFound; Invalid. */
  removePod(namespace: string, name: string): void {
    this.#checks.checkName('namespace', namespace);
    this.#checks.checkName('name', name);
    this.#guard.run(() => removePodWithClaims(this.#cluster, namespace, name));
    this.#emit(() => ({ type: 'podRemoved', namespace, name }));
  }

  /** Adds or replaces an object that decisions read: a namespace, a service, a claim, ... Errors: Invalid. */
  setObject<K extends ObjectKind>(kind: K, object: ObjectKinds[K]): void {
    const kept = this.#checks.checkObject(kind, object);
    this.#guard.run(() => this.#cluster.objects.set(kind, kept));
    this.#emit(() => ({ type: 'objectSet', kind, object: kept }));
  }

  /** The object as decisions know it: claims with the devices or volumes that pods were promised. Errors: Invalid. */
  object<K extends ObjectKind>(kind: K, name: string, namespace = ''): ObjectKinds[K] | undefined {
    this.#checks.checkReference(kind, name, namespace);
    return this.#cluster.objects.getAssumed(kind, name, namespace);
  }

  /** Removes the object; `namespace` only for namespaced kinds. Errors: NotFound; Invalid. */
  removeObject(kind: ObjectKind, name: string, namespace = ''): void {
    this.#checks.checkReference(kind, name, namespace);
    if (!this.#guard.run(() => this.#cluster.objects.remove(kind, name, namespace))) {
      throw new SchedulerError('NotFound', `${kind} ${namespace ? `${namespace}/` : ''}${name} is not known`);
    }
    this.#emit(() => ({ type: 'objectRemoved', kind, name, namespace }));
  }

  /**
   * Adds or replaces many objects: a list of an API server or of `@kubernetes/client-node`, a dump of `kubectl get -o
   * json`, or an array of objects and lists. Kinds that decisions do not depend on are left out and counted. All are
   * checked before the first is taken. Errors: Invalid.
   */
  load(objects: object | readonly object[]): LoadResult {
    return loadInto(this, this.#checks, objects);
  }

  /**
   * Follows informers of `@kubernetes/client-node`, by kind: what they add, update and delete is known here at once.
   * Start them afterwards. Returns a function that ends that. Errors: Invalid.
   */
  attach(informers: Readonly<Partial<Record<LoadedKind, ObjectInformer>>>, options: AttachOptions = {}): () => void {
    checkNames('option', options, ['onError']);
    const log = (error: unknown, kind: LoadedKind): void =>
      this.#profiles.logger.error('an object of an informer was refused', { kind, error: String(error) });
    return followInformers(this, informers, options.onError ?? log);
  }

  /**
   * Decides for one pod, and charges it to the chosen node. If preemption finds a node for a pod that fits nowhere, the
   * result names the victims, which the caller removes. Until the pod is scheduled again, it is pending, and pods of
   * equal or lower priority leave room for it on its nominated node. Errors: AlreadyExists for a pod that is on a node;
   * Invalid; NeedsExtender.
   */
  schedule(pod: Pod): ScheduleResult {
    const result = this.#guard.run(() => this.#attempts.schedule(pod));
    this.#emitResult(pod, result);
    return result;
  }

  /**
   * Schedules each pod in turn. Errors, as `schedule`, are thrown before the first pod is placed. A pod whose attempt
   * fails has the result `error`, and the others are placed all the same. With `endsAtFailure` the batch ends with the
   * first pod that is not placed: it has the last result, and the pods after it are not tried.
   */
  scheduleBatch(pods: readonly Pod[], endsAtFailure = false): BatchResult {
    const results = this.#guard.run(() => this.#attempts.scheduleBatch(pods, endsAtFailure));
    if (this.#changes.isRead) for (let i = 0; i < results.length; i++) this.#emitResult(pods[i] as Pod, results.at(i));
    return results;
  }

  /**
   * Returns the decision that `schedule` would make, with its reasons: for every node the rejecting plugin or all
   * scores. Changes nothing. Errors: Invalid; NeedsExtender.
   */
  explain(pod: Pod): Explanation {
    return this.#guard.run(() => withoutExtenderCalls(this.#explain(pod, false)));
  }

  /**
   * Schedules a pod for which extenders may have to be called. Such decisions are made one after the other, in the
   * order of the calls, and are not traced. A change to the cluster meanwhile counts in the steps after it; before the
   * pod is assumed, the pod and the chosen node are checked again. The promise rejects with the errors of `schedule`,
   * and NotFound, Conflict, Aborted, DeadlineExceeded or Closed.
   */
  async scheduleAsync(pod: Pod, options: AsyncOptions = {}): Promise<ScheduleResult> {
    checkAsyncOptions(options);
    const result = await this.#settled(this.#asyncAttempts.schedule(pod, options));
    this.#emitResult(pod, result);
    return result;
  }

  /** Explains a pod for which extenders may have to be called. Errors as `scheduleAsync`. */
  async explainAsync(pod: Pod, options: AsyncOptions = {}): Promise<Explanation> {
    checkAsyncOptions(options);
    return this.#settled(this.#asyncAttempts.run(() => this.#explain(pod, true), options));
  }

  /**
   * Lets an extender bind the pod to the node that `scheduleAsync` chose. Returns null if no extender binds the pod,
   * and the caller has to bind it. Errors: Invalid; Aborted; DeadlineExceeded; Closed.
   */
  async bindByExtender(pod: Pod, nodeName: string, options: AsyncOptions = {}): Promise<ExtenderBinding | null> {
    this.#checks.checkName('nodeName', nodeName);
    checkAsyncOptions(options);
    return this.#settled(this.#asyncAttempts.bind(pod, nodeName, options));
  }

  async #settled<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      throw asSchedulerError(error);
    }
  }

  *#explain(given: Pod, mayCallExtenders: boolean): ExtenderCalls<Explanation> {
    const pod = this.#checks.checkPod(given);
    const profile = this.#profiles.of(pod);
    if (profile === undefined) return NOT_RESPONSIBLE;
    if (!mayCallExtenders && needsExtenders(profile.extenders, pod)) throw needsExtender(pod, 'explainAsync');
    return yield* explainPod(profile, this.#cluster.pods.toSchedule(pod));
  }

  /** The nodes in the order in which they were added. */
  nodes(): NodeState[] {
    return nodeStates(this.#cluster);
  }

  /** The node of this name, with its pods and what is free; undefined if it is not known. Errors: Invalid. */
  node(name: string): NodeState | undefined {
    this.#checks.checkName('name', name);
    const info = this.#cluster.node(name);
    return info === undefined ? undefined : nodeState(info);
  }

  /** All pods that are known: on nodes, assumed there, and pending. */
  pods(): PodState[] {
    return podStates(this.#cluster);
  }

  /** The pod of this name; undefined if it is not known. Errors: Invalid. */
  pod(namespace: string, name: string): PodState | undefined {
    this.#checks.checkName('namespace', namespace);
    this.#checks.checkName('name', name);
    const info = this.#cluster.pods.get(namespace, name);
    return info === undefined ? undefined : podState(info);
  }

  /** Whether an object is known; `namespace` only for namespaced kinds. Errors: Invalid. */
  has(kind: 'Node' | 'Pod' | ObjectKind, name: string, namespace = ''): boolean {
    if (kind !== 'Node' && kind !== 'Pod') return this.object(kind, name, namespace) !== undefined;
    return (kind === 'Node' ? this.node(name) : this.pod(namespace || 'default', name)) !== undefined;
  }

  /** The usage of every resource over all nodes. */
  usage(): Usage {
    return totalUsage(this.#cluster);
  }

  /**
   * The changes from this call on, for one reader. A reader that is more than `limit` changes behind (default 10,000)
   * ends with the error Expired, and has to begin with `nodes` and `pods` again. Errors: Invalid.
   */
  changes(options: { readonly limit?: number } = {}): AsyncIterableIterator<ClusterChange> {
    checkNames('option', options, ['limit']);
    const { limit = DEFAULT_CHANGES } = options;
    checkInteger('limit', limit, 1, Number.MAX_SAFE_INTEGER);
    return this.#changes.read(limit);
  }

  /**
   * A scheduler of its own that knows the same and decides the same, to try something out. What happens to one does not
   * matter to the other. Plugins are made anew from their factories. Decisions that wait for extenders are not part of
   * it: their pods are pending.
   */
  fork(): Scheduler {
    const fork = new Scheduler(this.#options, this.#createRunner, this.#profiles.configuration);
    this.#guard.run(() => fork.#cluster.copyFrom(this.#cluster));
    fork.#setTurns(this.#turns());
    return fork;
  }

  /** All that this scheduler knows, as bytes for `restore`, with the version of their format. */
  snapshot(): Uint8Array {
    return this.#guard.run(() => encodeState({ cluster: this.#cluster.record(), ...this.#turns() }));
  }

  /**
   * A scheduler that knows and decides what the one knew that made the snapshot. Options are not part of a snapshot,
   * and must be the same. Errors: Invalid, also for damaged bytes; UnsupportedVersion.
   */
  static restore(bytes: Uint8Array, options: SchedulerOptions = {}): Scheduler {
    const scheduler = new Scheduler(options);
    const record = decodeState(bytes, (pod) => scheduler.#cluster.pods.info(pod).requirements);
    asCaller(() => scheduler.#cluster.load(record.cluster));
    scheduler.#setTurns(record);
    return scheduler;
  }

  #turns(): Pick<SchedulerRecord, 'search' | 'prng'> {
    const { prng, search } = this.#profiles.turns;
    return { search: search.next, prng: prng.state };
  }

  #setTurns({ search, prng }: Pick<SchedulerRecord, 'search' | 'prng'>): void {
    this.#profiles.turns.search.next = search;
    this.#profiles.turns.prng.state = prng;
  }

  #emit(change: () => ClusterChange): void {
    if (this.#changes.isRead) this.#changes.emit(change());
  }

  #emitResult(pod: Pod, result: ScheduleResult): void {
    if (!this.#changes.isRead) return;
    if (result.status === 'scheduled') this.#changes.emit({ type: 'podScheduled', pod, node: result.node });
    if (result.status !== 'unschedulable' || result.nominatedNode === undefined) return;
    const { nominatedNode: node, victims = [] } = result;
    this.#changes.emit({ type: 'podNominated', pod, node, victims });
  }
}
