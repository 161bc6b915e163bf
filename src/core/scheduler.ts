import type { Node } from '../api/node.ts';
import type { Pod } from '../api/pod.ts';
import { RealClock } from '../lib/clock.ts';
import { Prng } from '../lib/prng.ts';
import { newRunner } from '../pool/new-runner.ts';
import type { RunnerCounters, TaskRunner } from '../pool/task-runner.ts';
import { BatchResult } from './batch-result.ts';
import type { ObjectKind, ObjectKinds } from './cache/cluster-objects.ts';
import { ClusterState, type RequirementsOf } from './cache/cluster-state.ts';
import type { SchedulerConfiguration } from './config/configuration.ts';
import { DEFAULT_SCHEDULER_NAME } from './config/default-configuration.ts';
import { defaultSchedulerConfiguration } from './config/default-scheduler-configuration.ts';
import type { EngineLimits, RunnerFactory } from './engine/column-engine.ts';
import type { EngineName, TieBreak } from './engine/engine.ts';
import { newEngine } from './engine/new-engine.ts';
import { PodEncoder } from './engine/pod-encoder.ts';
import { explainPod, NOT_RESPONSIBLE } from './explain.ts';
import { Framework } from './framework/framework.ts';
import { type PodInfo, podRequirements } from './framework/pod-info.ts';
import type { PostFilterOutcome } from './framework/post-filter.ts';
import { NodeSearch } from './node-search.ts';
import { ObjectChecks } from './object-checks.ts';
import { checkOptions } from './option-checks.ts';
import { ExpectedPods, PlaceByIndex } from './place-by-index.ts';
import { pluginsOf } from './plugins/registry.ts';
import { type PodTemplate, PodTemplates } from './pod-templates.ts';
import type { Explanation, ScheduleResult } from './result.ts';
import { type SchedulePodModules, schedulePod } from './schedule-pod.ts';
import { SchedulerError } from './scheduler-error.ts';
import type { Tracer } from './tracing/tracer.ts';
import { Watch } from './tracing/watch.ts';

export interface SchedulerOptions {
  /** Default `simd`. Every engine makes the same decisions. */
  readonly engine?: EngineName;
  /** Which of several equally good nodes is taken. Default `first`. */
  readonly tieBreak?: TieBreak;
  /**
   * How many of the feasible nodes are looked for before the best of them is taken: 1 to 100, 0 adapts to the size of
   * the cluster as kube-scheduler does by default. Default: what the configuration says; without one 100, every node,
   * because it is affordable.
   */
  readonly percentageOfNodesToScore?: number;
  /** For `tieBreak: 'random'`: the same seed gives the same run. Default 1. */
  readonly seed?: number;
  /**
   * Whether the totals of every pod class are kept from pod to pod; `false` computes them anew for each pod. Default
   * true. The decisions are the same.
   */
  readonly index?: boolean;
  /**
   * Threads that share the work on one pod, the caller's own included; `auto`: as many as the machine runs at once.
   * Default 1. The others start when a cluster is large enough, help where every node has to be looked at, and only
   * while that is faster. The decisions are the same.
   */
  readonly workers?: number | 'auto';
  /** Whether a pod that fits nowhere looks for pods to evict (PostFilter). Default true. */
  readonly preemption?: boolean;
  /**
   * Whether nodes and pods are checked as an API server checks them. Default true; false for objects that come from
   * one.
   */
  readonly validate?: boolean;
  /**
   * Profiles, plugins and their arguments, from `loadConfiguration`. A pod is scheduled by the profile that its
   * `spec.schedulerName` names. Default: the default profile, for every pod.
   */
  readonly configuration?: SchedulerConfiguration;
  /**
   * Watches decisions phase by phase: a `SpanRecorder`, or one of your own. Decisions are the same with and without.
   * Default: none, which costs nothing.
   */
  readonly tracer?: Tracer | null;
}

/**
 * kube-scheduler's decisions, without a cluster: tell it of nodes and of the pods on them, ask it where a pod goes.
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
  readonly #checks: ObjectChecks | null;
  readonly #templates: PodTemplates;
  readonly #placeByIndex: PlaceByIndex;
  /** By scheduler name. */
  readonly #profiles = new Map<string, SchedulePodModules>();
  /** Without a configuration all pods are of one profile. */
  readonly #isForAll: boolean;
  readonly #watch: Watch;

  constructor(
    options: SchedulerOptions = {},
    /** @internal */ createRunner?: RunnerFactory,
    /** @internal */ limits?: EngineLimits,
  ) {
    checkOptions(options);
    const { engine = 'simd', index = true, workers = 1, tieBreak = 'first', seed = 1 } = options;
    const { preemption = true, validate = true } = options;
    const clock = new RealClock();
    const runnerOf = createRunner ?? ((modules) => newRunner({ ...modules, clock }, workers));
    this.engine = engine;
    this.#checks = validate ? new ObjectChecks() : null;
    this.#watch = new Watch(options.tracer);
    this.#isForAll = options.configuration === undefined;
    if (options.configuration?.extenders.length) {
      throw new SchedulerError('Invalid', 'configuration: extenders[0]: no HTTP extender can be called here');
    }
    const configuration = options.configuration ?? {
      ...defaultSchedulerConfiguration(),
      percentageOfNodesToScore: 100,
    };
    let requirementsOf: RequirementsOf = podRequirements;
    const cluster = new ClusterState((pod, nodeName) => requirementsOf(pod, nodeName));
    this.#cluster = cluster;
    const prng = new Prng(seed);
    const shared = {
      cluster,
      search: new NodeSearch(),
      tieBreak,
      draw: (ties: number) => prng.below(ties),
      preemption,
    };
    for (const profile of configuration.profiles) {
      const framework = new Framework(pluginsOf(profile, cluster), this.#watch);
      const percentageOfNodesToScore =
        options.percentageOfNodesToScore ?? profile.percentageOfNodesToScore ?? configuration.percentageOfNodesToScore;
      this.#profiles.set(profile.schedulerName, {
        ...shared,
        framework,
        engine: newEngine(engine, framework, cluster, index, runnerOf, limits),
        percentageOfNodesToScore,
      });
    }
    if (engine !== 'reference') {
      const encoder = new PodEncoder(...[...this.#profiles.values()].map(({ framework }) => framework));
      requirementsOf = (pod, nodeName) => (nodeName === '' ? encoder.encode(pod) : encoder.encodePlaced(pod));
    }
    this.#templates = new PodTemplates(
      (pod) => requirementsOf(pod, ''),
      (pod) => this.#modulesFor(pod),
    );
    this.#placeByIndex = new PlaceByIndex({ cluster, tieBreak, draw: shared.draw, watch: this.#watch });
  }

  /**
   * What columns and indexes hold of the kernels' memory now, which is outside the JavaScript heap. The process keeps
   * what they held at most: memory of WebAssembly never shrinks.
   */
  get sharedMemoryBytes(): number {
    let bytes = 0;
    for (const { engine } of this.#profiles.values()) bytes += engine.sharedMemoryBytes;
    return bytes;
  }

  /** Threads that share the work on one pod at most, the caller's own included. */
  get workers(): number {
    return Math.max(1, ...this.#runners().map((runner) => runner.workers));
  }

  /** How the threads fared so far. */
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
   * Lets go of the threads; from then on the caller's does everything. Without this they sleep until the process ends,
   * which they do not keep from ending.
   */
  close(): void {
    for (const runner of this.#runners()) runner.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #runners(): TaskRunner[] {
    return [...this.#profiles.values()].flatMap(({ engine }) => engine.runner ?? []);
  }

  /** Errors: AlreadyExists; Invalid. */
  addNode(node: Node): void {
    this.#checks?.checkNode(node);
    this.#cluster.addNode(node);
  }

  /** Replaces the Node object; the pods on it stay. Errors: NotFound; Invalid. */
  updateNode(node: Node): void {
    this.#checks?.checkNode(node);
    this.#cluster.updateNode(node);
  }

  /** Pods on the node are kept, and count again if a node of this name comes back. Errors: NotFound. */
  removeNode(name: string): void {
    this.#cluster.removeNode(name);
  }

  /**
   * With `spec.nodeName` the pod runs there and uses the node's resources (as soon as that node is known); without, it
   * is pending and uses nothing. Pods in phase Succeeded or Failed are ignored. Errors: AlreadyExists; Invalid.
   */
  addPod(pod: Pod): void {
    this.#checks?.checkPod(pod);
    this.#cluster.addPod(pod);
  }

  /**
   * Replaces the pod, or adds it. One that this scheduler has placed stays where it is until `spec.nodeName` says
   * otherwise.
   */
  updatePod(pod: Pod): void {
    this.#checks?.checkPod(pod);
    this.#cluster.updatePod(pod);
  }

  /** Errors: NotFound. */
  removePod(namespace: string, name: string): void {
    this.#cluster.removePod(namespace, name);
  }

  /** Adds or replaces an object that decisions depend on: a namespace, a service, a volume claim, ... */
  setObject<K extends ObjectKind>(kind: K, object: ObjectKinds[K]): void {
    this.#cluster.objects.set(kind, object);
  }

  /** `namespace` only for kinds that have one. Errors: NotFound. */
  removeObject(kind: ObjectKind, name: string, namespace = ''): void {
    if (!this.#cluster.objects.remove(kind, name, namespace)) {
      throw new SchedulerError('NotFound', `${kind} ${namespace ? `${namespace}/` : ''}${name} is not known`);
    }
  }

  /**
   * Decides for one pod and charges it to the chosen node. When it fits nowhere but preemption finds room, the result
   * names victims: they stay until the caller removes them, and the pod becomes pending with its nominated node, where
   * pods of equal or lower priority leave it room; schedule it again when the victims are gone.
   * Errors: AlreadyExists, for a pod that is on a node; Invalid.
   */
  schedule(pod: Pod): ScheduleResult {
    const template = this.#checked(pod);
    const info = this.#cluster.expect(pod, template.requirements);
    try {
      this.#watch.begin(pod);
      const result = this.#placeByIndex.place(info, template) ?? this.#scheduleByCycle(info, template);
      this.#watch.finish(result.status === 'scheduled' ? result.node : null);
      return result;
    } catch (error) {
      this.#cluster.forget(info);
      throw error;
    }
  }

  /** `schedule` for each pod in turn; each sees what the ones before it took. Errors: before the first is placed. */
  scheduleBatch(pods: readonly Pod[]): BatchResult {
    const expected = this.#expectAll(pods);
    const results = new BatchResult(pods.length);
    try {
      for (let next = 0; next < expected.length; ) {
        this.#watch.begin(expected.info(next).pod);
        const end = this.#placeByIndex.placeRun(expected, next, results);
        if (end === next) this.#placeByIndex.settle();
        if (end === next) results.set(next, this.#scheduleByCycle(expected.info(next), expected.template(next)));
        this.#watch.finish(results.nodeName(next));
        next = Math.max(end, next + 1);
      }
    } catch (error) {
      this.#forget(expected);
      throw error;
    } finally {
      this.#placeByIndex.settle();
    }
    return results;
  }

  /** All of them or none. */
  #expectAll(pods: readonly Pod[]): ExpectedPods {
    const expected = new ExpectedPods(pods.length);
    try {
      for (const pod of pods) {
        const template = this.#checked(pod);
        expected.add(this.#cluster.expect(pod, template.requirements), template);
      }
    } catch (error) {
      this.#forget(expected);
      throw error;
    }
    return expected;
  }

  /** Those that have no node yet. */
  #forget(pods: ExpectedPods): void {
    for (let i = 0; i < pods.length; i++) this.#cluster.forget(pods.info(i));
  }

  /** The pod's template; Invalid is thrown before anything else looks at the pod. */
  #checked(pod: Pod): PodTemplate {
    // Pods of one template share their spec: it is looked at once.
    const known = this.#templates.known(pod);
    if (known === undefined) {
      this.#checks?.checkPod(pod);
      return this.#templates.of(pod);
    }
    this.#checks?.checkPodOfKnownSpec(pod);
    return known;
  }

  #scheduleByCycle(expected: PodInfo, { modules }: PodTemplate): ScheduleResult {
    const watch = this.#watch;
    watch.trace?.phase('encode');
    if (modules === undefined) {
      this.#cluster.forget(expected);
      return { status: 'notResponsible', schedulerName: schedulerName(expected.pod) };
    }
    const pod = this.#cluster.renominated(expected);
    const { result, node, postFilter, cycle } = schedulePod(modules, pod);
    if (node !== null && cycle !== null) {
      watch.trace?.phase('reserve');
      const failure = modules.framework.runReserve(() => cycle.state, pod, node);
      if (failure === null) {
        watch.trace?.phase('assume');
        this.#cluster.assume(pod, node);
        watch.trace?.phase('bind');
        return result;
      }
      this.#cluster.forget(expected);
      return { status: 'error', message: failure.reasons.join(', ') };
    }
    this.#cluster.forget(expected);
    if (postFilter !== null) this.#nominate(pod, postFilter);
    return result;
  }

  /**
   * What `schedule` would do, and why: for every node the rejecting plugin with its reasons, or all scores. Changes
   * nothing.
   */
  explain(pod: Pod): Explanation {
    this.#checks?.checkPod(pod);
    const modules = this.#modulesFor(pod);
    return modules === undefined ? NOT_RESPONSIBLE : explainPod(modules, this.#cluster.podToSchedule(pod));
  }

  #modulesFor(pod: Pod): SchedulePodModules | undefined {
    return this.#profiles.get(this.#isForAll ? DEFAULT_SCHEDULER_NAME : schedulerName(pod));
  }

  #nominate(pod: PodInfo, { nominatedNodeName, victims }: PostFilterOutcome): void {
    if (nominatedNodeName === null) return;
    const known = this.#cluster.pod(pod.namespace, pod.name);
    if (nominatedNodeName === (known?.nominatedNodeName ?? '')) return;
    this.#cluster.nominate(pod, nominatedNodeName);
    // Pods that counted on the same room must look elsewhere; upstream tells them when it starts to evict.
    if (victims.every((victim) => victim.pod.metadata?.deletionTimestamp)) return;
    for (const other of this.#cluster.nominatedPodsForNode(nominatedNodeName)) {
      if (other.priority < pod.priority) this.#cluster.nominate(other, '');
    }
  }
}

function schedulerName(pod: Pod): string {
  return pod.spec?.schedulerName || DEFAULT_SCHEDULER_NAME;
}
