import type { Pod } from '../api/pod.ts';
import { podGroupNameOf } from '../api/pod-group.ts';
import type { ReportError } from '../client/report-error.ts';
import { Profiles, type ProfilesModules } from '../core/profiles.ts';
import type { SchedulerOptions } from '../core/scheduler-options.ts';
import type { ClusterRecord } from '../framework/cluster/cluster-record.ts';
import { type ExtenderTransport, NO_TRANSPORT } from '../framework/extender-transport.ts';
import type { Handle } from '../framework/handle.ts';
import type { Plugin } from '../framework/plugin.ts';
import { EXTENDER } from '../framework/plugin-names.ts';
import { PodGroupStates } from '../framework/pod-group-states.ts';
import { PodInfo } from '../framework/pod-info.ts';
import type { Framework } from '../framework/runtime/framework.ts';
import type { EventLoop } from '../lib/event-loop.ts';
import { NO_LOGGER } from '../lib/logger.ts';
import type { CycleModules, ForkOptions } from './attempt.ts';
import { SchedulerCache } from './cache/scheduler-cache.ts';
import type { SchedulerObserver } from './observer.ts';
import { tracerFor } from './observing-tracer.ts';
import type { AttemptPace } from './pace.ts';
import { PodsInPreBind } from './pods-in-pre-bind.ts';
import { PreemptionExecutor } from './preemption-executor.ts';
import type { QueueProfile, SchedulingQueueModules, SchedulingQueueOptions } from './queue/queue-modules.ts';
import { SchedulingQueue } from './queue/scheduling-queue.ts';
import type { PodLister, SchedulerApi, SchedulingEventRecorder } from './scheduler-api.ts';
import { WaitingPods } from './waiting-pods.ts';
import { livePods, type SchedulerInformers } from './watch-objects.ts';

/** The parts of a cluster that a scheduler uses. */
export interface StoreSchedulerModules {
  readonly api: SchedulerApi;
  readonly informers: SchedulerInformers;
  readonly loop: EventLoop;
  readonly recorder: SchedulingEventRecorder;
  readonly reportError: ReportError;
  readonly observer?: SchedulerObserver | null;
  /** Makes attempts take time; absent or null: they take none. @internal */
  readonly pace?: AttemptPace | null;
  /** Makes the queue; absent: a plain SchedulingQueue. @internal */
  readonly newQueue?: (modules: SchedulingQueueModules, options: SchedulingQueueOptions) => SchedulingQueue;
  /** Which pods are tried only when `scheduleOutOfTurn` says so; absent: none. @internal */
  readonly isHeld?: ((uid: string) => boolean) | undefined;
  /** @internal */
  readonly makePlugins?: ProfilesModules['makePlugins'];
  /** @internal */
  readonly draw?: ProfilesModules['draw'];
  /** @internal */
  readonly drawnTies?: ProfilesModules['drawnTies'];
}

/** Without `configuration` kube-scheduler's defaults hold for pods of `default-scheduler`, and every node is scored. */
export interface StoreSchedulerOptions extends Omit<SchedulerOptions, 'validate'> {
  /** How long a bound pod stays assumed while no watch shows it; 0 or absent: for ever, as upstream. */
  readonly assumedPodTtlMillis?: number;
  /** Whether the queue calls QueueingHint functions (feature gate SchedulerQueueingHints). Default true. */
  readonly queueingHints?: boolean;
}

/** Makes the modules that the cycles share. `onReady` is called when the queue has a pod to try. */
export function newCycleModules(
  { api, informers, loop, recorder, reportError, observer = null, ...makers }: StoreSchedulerModules,
  options: StoreSchedulerOptions,
  onReady: () => void,
): CycleModules {
  const podLister = livePods(informers.of('pods').lister);
  const waitingPods = new WaitingPods(loop);
  const late: LateModules = {};
  const activate = (pods: readonly Pod[]): void => late.queue?.activate(pods);
  const handle = handleOf({ api, loop, recorder, podLister, waitingPods, late, activate });
  const tracer = options.tracer ?? tracerFor(observer, loop);
  const logger = (options.logger ?? NO_LOGGER).named('scheduler', loop);
  const profilesModules = { handle, makePlugins: makers.makePlugins, draw: makers.draw, drawnTies: makers.drawnTies };
  const profiles = new Profiles({ ...options, tracer, logger }, profilesModules);
  const forkProfiles = ({ of = profiles, part, ...changed }: ForkOptions): Profiles => {
    const { preemption = options.preemption ?? true, engine = options.engine ?? 'simd' } = changed;
    return forkOf(of, new Profiles({ ...options, preemption, engine, workers: 1 }, profilesModules), part);
  };
  const { cluster, templates } = profiles;
  const { gates } = profiles.environment;
  if (gates.GenericWorkload) cluster.pods.groups = new PodGroupStates();
  const isOfGroup = (pod: Pod): boolean => gates.GenericWorkload && podGroupNameOf(pod) !== '';
  const podInfoOf = (pod: Pod): PodInfo => {
    const template = templates.of(pod);
    const info = new PodInfo(pod, template.requirements, '');
    info.template = template;
    return info;
  };
  const cache = new SchedulerCache({ cluster, loop, assumedPodTtlMillis: options.assumedPodTtlMillis ?? 0 });
  const { newQueue = (...given) => new SchedulingQueue(...given) } = makers;
  const queue = newQueue(
    {
      loop,
      profiles: queueProfiles(profiles),
      podInfoOf,
      // Hints read the name of the node, which the template leaves out.
      templateOf: (pod) => {
        const template = templates.of(pod);
        return template.specBesideNode === null ? template : (pod.spec ?? template);
      },
      nominated: cluster.pods.nominated,
      isPending: (pod) => isPending(podLister, pod),
      isOfGroup,
      isHeld: makers.isHeld,
      onReady,
      observer,
    },
    queueOptions(profiles, options),
  );
  const podsInPreBind = new PodsInPreBind(loop);
  const shared = { cluster, waitingPods, podsInPreBind, api, podLister, recorder, loop, observer, logger };
  const preemption = new PreemptionExecutor(shared, (pod) => activate([pod]));
  Object.assign(late, { queue, preemption, profiles });
  const extenderTransport = onLoop(options.extenderTransport ?? NO_TRANSPORT, loop);
  return {
    ...shared,
    profiles,
    cache,
    queue,
    preemption,
    podInfoOf,
    reportError,
    extenderTransport,
    isOfGroup,
    forkProfiles,
  };
}

/** The modules that are made after the handle, because they use its plugins. */
interface LateModules {
  queue?: SchedulingQueue;
  preemption?: PreemptionExecutor;
  profiles?: Profiles;
}

interface HandleModules extends Pick<StoreSchedulerModules, 'api' | 'loop' | 'recorder'> {
  readonly podLister: PodLister;
  readonly waitingPods: WaitingPods;
  readonly late: LateModules;
  readonly activate: (pods: readonly Pod[]) => void;
}

function handleOf({ api, loop, recorder, podLister, waitingPods, late, activate }: HandleModules): Handle {
  return {
    api,
    activate,
    nowMillis: () => loop.nowMillis(),
    after: (delayMillis, task) => loop.after(delayMillis, task),
    waitingPods: () => waitingPods.all(),
    waitingPod: (uid) => waitingPods.get(uid),
    rejectWaitingPod: (uid) => waitingPods.reject(uid),
    podFromLister: (namespace, name) => podLister.get(namespace, name),
    node: (name) => late.profiles?.cluster.node(name),
    event: (pod, type, reason, action, note) => recorder.event(pod, null, type, reason, action, note),
    isPreempting: (uid) => late.preemption?.isPreempting(uid) ?? false,
  };
}

/** Copies the cluster, or a part of it, and where the next search starts. */
function forkOf({ cluster, turns }: Profiles, fork: Profiles, part: ClusterRecord | undefined): Profiles {
  const { groups } = cluster.pods;
  const copied = new PodGroupStates();
  if (groups !== null) fork.cluster.pods.groups = copied;
  if (part === undefined) fork.cluster.copyFrom(cluster);
  else fork.cluster.load(part);
  if (groups !== null) copied.copyFrom(groups);
  fork.turns.search.next = turns.search.next;
  return fork;
}

function queueOptions(profiles: Profiles, { queueingHints = true }: StoreSchedulerOptions) {
  const { configuration } = profiles;
  // One queue serves all profiles, because they have the same queue sort.
  const less = [...profiles.all()][0]?.framework.less;
  return {
    ...(less && { less }),
    podInitialBackoffMillis: configuration.podInitialBackoffSeconds * 1000,
    podMaxBackoffMillis: configuration.podMaxBackoffSeconds * 1000,
    queueingHints,
  };
}

/** Stands for all extenders. It registers for no events, so any event may help a pod that an extender rejected. */
const ANY_EXTENDER: Plugin = { name: EXTENDER };

/** The plugins of each profile that matter to the queue, by scheduler name. */
function queueProfiles(profiles: Profiles): ReadonlyMap<string, QueueProfile> {
  const queueProfiles = new Map<string, QueueProfile>();
  for (const [name, { framework, extenders }] of profiles.entries()) {
    const plugins = [...pluginsOf(framework), ...(extenders.length > 0 ? [ANY_EXTENDER] : [])];
    queueProfiles.set(name, { plugins, preEnqueuePlugins: framework.preEnqueuePlugins });
  }
  return queueProfiles;
}

/** The plugins that can reject a pod, each once. */
function pluginsOf(framework: Framework): Set<Plugin> {
  const { preEnqueuePlugins, preFilterPlugins, filterPlugins, postFilterPlugins, binding } = framework;
  return new Set<Plugin>([
    ...preEnqueuePlugins,
    ...preFilterPlugins,
    ...filterPlugins,
    ...postFilterPlugins,
    ...binding.reservePlugins,
    ...binding.permitPlugins,
  ]);
}

/** Whether the API still has the pod, and without a node. */
function isPending(podLister: PodLister, { namespace, name }: PodInfo): boolean {
  const known = podLister.get(namespace, name);
  return known !== undefined && !known.spec?.nodeName;
}

/** Delivers responses in tasks of the loop. */
function onLoop(transport: ExtenderTransport, loop: EventLoop): ExtenderTransport {
  return {
    send: (request, done) => transport.send(request, (response) => loop.soon(() => done(response))),
  };
}
