import { schedulerNameOf } from '../api/defaults.ts';
import type { ObjectKind, ObjectKinds } from '../api/kinds.ts';
import type { Node } from '../api/node.ts';
import type { Pod } from '../api/pod.ts';
import type { RunnerFactory } from '../engine/columns/column-engine-options.ts';
import type { EngineName } from '../engine/cycle/engine.ts';
import type { ClusterState } from '../framework/cluster/cluster-state.ts';
import { type ExtenderCalls, withoutExtenderCalls } from '../framework/extender-calls.ts';
import { PodInfo } from '../framework/pod-info.ts';
import type { PostFilterOutcome } from '../framework/post-filter.ts';
import { needsExtender, SchedulerError } from '../framework/scheduler-error.ts';
import type { ActiveTrace } from '../framework/tracing/active-trace.ts';
import type { RunnerCounters, TaskRunner } from '../pool/task-runner.ts';
import { BatchResult } from './batch-result.ts';
import { explainPod, NOT_RESPONSIBLE } from './decision/explain-pod.ts';
import type { Profile } from './decision/profile.ts';
import type { Explanation, ScheduleResult } from './decision/result.ts';
import { type Decision, schedulePod } from './decision/schedule-pod.ts';
import { ExpectedPods } from './expected-pods.ts';
import { bindByExtender, type ExtenderBinding } from './extenders/bind.ts';
import { needsExtenders } from './extenders/extender.ts';
import { ExtenderTurns } from './extenders/extender-turns.ts';
import { ObjectChecks } from './object-checks.ts';
import { checkOptions } from './option-checks.ts';
import type { PlaceByIndex } from './place-by-index.ts';
import type { PodTemplate, PodTemplates } from './pod-templates.ts';
import { Profiles } from './profiles.ts';
import type { SchedulerOptions } from './scheduler-options.ts';

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
 * Every method either does its work or throws a `SchedulerError` with nothing changed.
 */
export class Scheduler {
  readonly engine: EngineName;
  readonly #cluster: ClusterState;
  readonly #checks: ObjectChecks;
  readonly #templates: PodTemplates;
  readonly #placeByIndex: PlaceByIndex;
  readonly #profiles: Profiles;
  readonly #activeTrace: ActiveTrace;
  readonly #turns: ExtenderTurns;

  constructor(options?: SchedulerOptions);
  /** For tests. @internal */
  constructor(options?: SchedulerOptions, createRunner?: RunnerFactory);
  constructor(options: SchedulerOptions = {}, createRunner?: RunnerFactory) {
    checkOptions(options);
    const { engine = 'simd', validate = true } = options;
    this.engine = engine;
    this.#checks = new ObjectChecks(validate);
    const profiles = new Profiles(options, { createRunner });
    this.#profiles = profiles;
    this.#cluster = profiles.cluster;
    this.#templates = profiles.templates;
    this.#placeByIndex = profiles.placeByIndex;
    this.#activeTrace = profiles.activeTrace;
    this.#turns = new ExtenderTurns(options.extenderTransport);
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
    const counters = this.#runners().map((runner) => runner.counters);
    const sum = (name: keyof RunnerCounters): number => counters.reduce((total, each) => total + each[name], 0);
    return {
      sharedSteps: sum('sharedSteps'),
      retriedSteps: sum('retriedSteps'),
      restartedWorkers: sum('restartedWorkers'),
    };
  }

  /**
   * Releases the threads; the caller's thread then does all work. Threads that are not released sleep, and do not keep
   * the process alive.
   */
  close(): void {
    for (const runner of this.#runners()) runner.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #runners(): TaskRunner[] {
    return [...this.#profiles.all()].flatMap(({ engine }) => engine.runner ?? []);
  }

  /** Adds a node. Errors: AlreadyExists; Invalid. */
  addNode(node: Node): void {
    this.#cluster.addNode(this.#checks.checkNode(node));
  }

  /** Replaces the Node object, and keeps the pods on it. Errors: NotFound; Invalid. */
  updateNode(node: Node): void {
    this.#cluster.updateNode(this.#checks.checkNode(node));
  }

  /** Removes the node. Its pods are kept for a new node of this name. Errors: NotFound; Invalid. */
  removeNode(name: string): void {
    this.#checks.checkName('name', name);
    this.#cluster.removeNode(name);
  }

  /**
   * Adds a pod. With `spec.nodeName` it uses the resources of that node, as soon as the node is added; without, it is
   * pending. Pods in phase Succeeded or Failed are ignored. Errors: AlreadyExists; Invalid.
   */
  addPod(pod: Pod): void {
    this.#cluster.pods.add(this.#checks.checkPod(pod));
  }

  /**
   * Replaces the pod, or adds it. A pod that this scheduler has placed stays on its node until `spec.nodeName` names
   * another. Errors: Invalid.
   */
  updatePod(pod: Pod): void {
    this.#cluster.pods.update(this.#checks.checkPod(pod));
  }

  /** Removes the pod. Errors: NotFound; Invalid. */
  removePod(namespace: string, name: string): void {
    this.#checks.checkName('namespace', namespace);
    this.#checks.checkName('name', name);
    this.#cluster.pods.remove(namespace, name);
  }

  /** Adds or replaces an object that decisions read: a namespace, a service, a claim, ... Errors: Invalid. */
  setObject<K extends ObjectKind>(kind: K, object: ObjectKinds[K]): void {
    this.#cluster.objects.set(kind, this.#checks.checkObject(kind, object));
  }

  /** Removes the object; `namespace` only for namespaced kinds. Errors: NotFound; Invalid. */
  removeObject(kind: ObjectKind, name: string, namespace = ''): void {
    this.#checks.checkKind(kind);
    this.#checks.checkName('name', name);
    this.#checks.checkName('namespace', namespace);
    if (!this.#cluster.objects.remove(kind, name, namespace)) {
      throw new SchedulerError('NotFound', `${kind} ${namespace ? `${namespace}/` : ''}${name} is not known`);
    }
  }

  /**
   * Decides for one pod, and charges it to the chosen node. If preemption finds a node for a pod that fits nowhere, the
   * result names the victims, which the caller removes. Until the pod is scheduled again, it is pending, and pods of
   * equal or lower priority leave room for it on its nominated node. Errors: AlreadyExists for a pod that is on a node;
   * Invalid; NeedsExtender.
   */
  schedule(given: Pod): ScheduleResult {
    const known = this.#templates.known(given);
    const pod = this.#checked(given, known);
    const template = this.#templateOf(pod, known);
    const info = this.#startAttempt(pod, template);
    try {
      this.#activeTrace.begin(pod);
      // After a pod that fits nowhere the next one rarely does, and only a cycle can tell why.
      const result =
        (template.fitsNowhere ? null : this.#placeByIndex.place(info, template)) ??
        this.#scheduleByCycle(info, template);
      template.fitsNowhere = result.status === 'unschedulable';
      this.#activeTrace.finish(result.status === 'scheduled' ? result.node : null);
      return result;
    } catch (error) {
      this.#cluster.pods.forget(info);
      throw error;
    }
  }

  /** Schedules each pod in turn. Errors, as `schedule`, are thrown before the first pod is placed. */
  scheduleBatch(pods: readonly Pod[]): BatchResult {
    this.#checks.checkPods(pods);
    const expected = this.#expectAll(pods);
    const results = new BatchResult(pods.length);
    try {
      for (let next = 0; next < expected.length; ) {
        this.#activeTrace.begin(expected.info(next).pod);
        const end = this.#placeByIndex.placeRun(expected, next, results);
        if (end === next) this.#placeByIndex.flush();
        if (end === next) results.set(next, this.#scheduleByCycle(expected.info(next), expected.template(next)));
        this.#activeTrace.finish(results.nodeName(next));
        next = Math.max(end, next + 1);
      }
    } catch (error) {
      this.#forget(expected);
      throw error;
    } finally {
      this.#placeByIndex.flush();
    }
    return results;
  }

  /** Begins the attempts of all pods, or of none. */
  #expectAll(pods: readonly Pod[]): ExpectedPods {
    const expected = new ExpectedPods(pods.length);
    try {
      for (const given of pods) {
        const known = this.#templates.known(given);
        const pod = this.#checked(given, known);
        const template = this.#templateOf(pod, known);
        expected.add(this.#startAttempt(pod, template), template);
      }
    } catch (error) {
      this.#forget(expected);
      throw error;
    }
    return expected;
  }

  /** Ends the attempts of the pods that have no node yet. */
  #forget(pods: ExpectedPods): void {
    for (let i = 0; i < pods.length; i++) {
      const info = pods.info(i);
      if (info.nodeName === '') this.#cluster.pods.forget(info);
    }
  }

  /** Begins the attempt of the pod. Errors: AlreadyExists. */
  #startAttempt(pod: Pod, { requirements }: PodTemplate): PodInfo {
    const info = new PodInfo(pod, requirements, '');
    const started = this.#cluster.pods.startAttempt(info);
    if (started !== null) return started;
    const nodeName = this.#cluster.pods.get(info.namespace, info.name)?.nodeName;
    const reason = nodeName ? `is on node ${nodeName} already` : 'is twice in the batch';
    throw new SchedulerError('AlreadyExists', `pod ${info.key} ${reason}`);
  }

  /** Returns the template of a checked pod; `known` if it is not undefined. Errors: NeedsExtender. */
  #templateOf(pod: Pod, known: PodTemplate | undefined): PodTemplate {
    const template = known ?? this.#templates.of(pod);
    if (template.needsExtenders) throw needsExtender(pod, 'scheduleAsync');
    return template;
  }

  /** Returns the pod to be kept. `known`: the template of the pod, if it has one. Errors: Invalid. */
  #checked(pod: Pod, known = this.#templates.known(pod)): Pod {
    // Pods of one template have one signature, so most of their specs was checked before.
    return known === undefined ? this.#checks.checkPod(pod) : this.#checks.checkPodOfKnownSignature(pod);
  }

  #scheduleByCycle(expected: PodInfo, { profile }: PodTemplate): ScheduleResult {
    const activeTrace = this.#activeTrace;
    activeTrace.trace?.phase('encode');
    if (profile === undefined) {
      this.#cluster.pods.forget(expected);
      return { status: 'notResponsible', schedulerName: schedulerNameOf(expected.pod) };
    }
    const pod = this.#cluster.pods.withNomination(expected);
    return this.#carryOut(withoutExtenderCalls(schedulePod(profile, pod)), profile, pod, expected);
  }

  /** Assumes the pod on the chosen node, or nominates it. */
  #carryOut(
    { result, node, postFilter, filtered }: Decision,
    { framework }: Profile,
    pod: PodInfo,
    expected: PodInfo,
  ): ScheduleResult {
    const activeTrace = this.#activeTrace;
    if (node !== null && filtered !== null) {
      activeTrace.trace?.phase('reserve');
      const { binding } = framework;
      // The engine keeps this state for the next pods of the same signature.
      const state = binding.reserves(pod) ? filtered.podState.clone() : null;
      const failure = state === null ? null : binding.reserve(state, pod, node);
      if (state === null || failure === null) {
        activeTrace.trace?.phase('assume');
        this.#cluster.pods.assume(pod, node);
        activeTrace.trace?.phase('bind');
        return result;
      }
      binding.unreserve(state, pod, node);
      this.#cluster.touch(node);
      this.#cluster.pods.forget(expected);
      return { status: 'error', message: failure.reasons.join(', ') };
    }
    this.#cluster.pods.forget(expected);
    if (postFilter !== null) this.#nominate(pod, postFilter);
    return result;
  }

  /**
   * Returns the decision that `schedule` would make, with its reasons: for every node the rejecting plugin or all
   * scores. Changes nothing. Errors: Invalid; NeedsExtender.
   */
  explain(pod: Pod): Explanation {
    return withoutExtenderCalls(this.#explain(pod, false));
  }

  /**
   * Schedules a pod for which extenders may have to be called. Such decisions are made one after the other, in the
   * order of the calls, and are not traced. A change to the cluster meanwhile counts in the steps after it. The promise
   * rejects with the errors of `schedule`, and NotFound if the pod was removed meanwhile.
   */
  scheduleAsync(pod: Pod): Promise<ScheduleResult> {
    return this.#turns.run(() => this.#scheduleWithExtenders(pod));
  }

  *#scheduleWithExtenders(given: Pod): ExtenderCalls<ScheduleResult> {
    const pod = this.#checked(given);
    const template = this.#templates.of(pod);
    const { profile, needsExtenders } = template;
    if (profile === undefined || !needsExtenders) return this.schedule(pod);
    const expected = this.#startAttempt(pod, template);
    try {
      const info = this.#cluster.pods.withNomination(expected);
      const decision = yield* schedulePod(profile, info);
      this.#mustBePending(info);
      return this.#carryOut(decision, profile, info, expected);
    } catch (error) {
      this.#cluster.pods.forget(expected);
      throw error;
    }
  }

  #mustBePending({ namespace, name, key }: PodInfo): void {
    const known = this.#cluster.pods.get(namespace, name);
    if (known === undefined) throw new SchedulerError('NotFound', `pod ${key} was removed while it was scheduled`);
    if (known.nodeName === '') return;
    throw new SchedulerError('AlreadyExists', `pod ${key} went to node ${known.nodeName} while it was scheduled`);
  }

  /** Explains a pod for which extenders may have to be called. */
  explainAsync(pod: Pod): Promise<Explanation> {
    return this.#turns.run(() => this.#explain(pod, true));
  }

  *#explain(given: Pod, mayCallExtenders: boolean): ExtenderCalls<Explanation> {
    const pod = this.#checks.checkPod(given);
    const profile = this.#profiles.of(pod);
    if (profile === undefined) return NOT_RESPONSIBLE;
    if (!mayCallExtenders && needsExtenders(profile.extenders, pod)) throw needsExtender(pod, 'explainAsync');
    return yield* explainPod(profile, this.#cluster.pods.toSchedule(pod));
  }

  /**
   * Lets an extender bind the pod to the node that `scheduleAsync` chose. Returns null if no extender binds the pod,
   * and the caller has to bind it.
   */
  bindByExtender(pod: Pod, nodeName: string): Promise<ExtenderBinding | null> {
    return this.#turns.run(() => this.#bindWithExtenders(pod, nodeName));
  }

  *#bindWithExtenders(given: Pod, nodeName: string): ExtenderCalls<ExtenderBinding | null> {
    const pod = this.#checked(given);
    this.#checks.checkName('nodeName', nodeName);
    const { profile, requirements } = this.#templates.of(pod);
    return yield* bindByExtender(profile?.extenders ?? [], new PodInfo(pod, requirements, ''), nodeName);
  }

  #nominate(pod: PodInfo, { nominatedNodeName, victims }: PostFilterOutcome): void {
    if (nominatedNodeName === null) return;
    const known = this.#cluster.pods.get(pod.namespace, pod.name);
    if (nominatedNodeName === (known?.nominatedNodeName ?? '')) return;
    this.#cluster.pods.nominate(pod, nominatedNodeName);
    const victimKeys = victims.map(({ key }) => key);
    this.#profiles.logger.info('preemption', { pod: pod.key, node: nominatedNodeName, victims: victimKeys });
    // Upstream clears nominations of lower priority on the node when it evicts.
    if (victims.every((victim) => victim.pod.metadata?.deletionTimestamp)) return;
    for (const other of this.#cluster.nominatedPodsForNode(nominatedNodeName)) {
      if (other.priority < pod.priority) this.#cluster.pods.nominate(other, '');
    }
  }
}
