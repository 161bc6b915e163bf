import type { Pod } from '../api/pod.ts';
import type { ReportError } from '../client/report-error.ts';
import { type ExtenderTransport, NO_TRANSPORT } from '../core/extenders/transport.ts';
import { Profiles, type ProfilesModules } from '../core/profiles.ts';
import type { SchedulerOptions } from '../core/scheduler-options.ts';
import type { Handle } from '../framework/handle.ts';
import { PodInfo } from '../framework/pod-info.ts';
import type { EventLoop } from '../lib/event-loop.ts';
import { NO_LOGGER } from '../lib/logger.ts';
import type { CycleModules } from './attempt.ts';
import { SchedulerCache } from './cache/scheduler-cache.ts';
import type { SchedulerObserver } from './observer.ts';
import { tracerFor } from './observing-tracer.ts';
import { PodsInPreBind } from './pods-in-pre-bind.ts';
import { PreemptionExecutor } from './preemption-executor.ts';
import type { SchedulingQueueModules, SchedulingQueueOptions } from './queue/queue-modules.ts';
import { SchedulingQueue } from './queue/scheduling-queue.ts';
import { queueProfiles } from './queue-profiles.ts';
import type { PodLister, SchedulerApi, SchedulingEventRecorder } from './scheduler-api.ts';
import { WaitingPods } from './waiting-pods.ts';
import { livePods, type SchedulerInformers } from './watch-objects.ts';

export interface StoreSchedulerModules {
  readonly api: SchedulerApi;
  readonly informers: SchedulerInformers;
  readonly loop: EventLoop;
  readonly recorder: SchedulingEventRecorder;
  readonly reportError: ReportError;
  readonly observer?: SchedulerObserver | null;
  /** Makes the plugins of each profile; absent: as the registry does. */
  readonly makePlugins?: ProfilesModules['makePlugins'];
  /** Picks among `random` ties; absent: by the seed. */
  readonly draw?: ProfilesModules['draw'];
  /** Without `draw`: of how many of the first `random` ties one is drawn; absent: of all. */
  readonly drawnTies?: ProfilesModules['drawnTies'];
  /** Makes the queue, for those who watch it closely. */
  readonly newQueue?: (modules: SchedulingQueueModules, options: SchedulingQueueOptions) => SchedulingQueue;
}

/** Absent `configuration`: kube-scheduler's own defaults, for pods of `default-scheduler`, every node scored. */
export interface StoreSchedulerOptions extends Omit<SchedulerOptions, 'validate'> {
  /** How long a bound pod is kept where it was decided when no watch shows it; 0, and absent: for ever, as upstream. */
  readonly assumedPodTtlMillis?: number;
  /** Whether plugins are asked if an event helps a pod (feature gate SchedulerQueueingHints). Default true. */
  readonly queueingHints?: boolean;
}

/** Puts together what the cycles share. `onReady`: there is a pod to try. */
export function newCycleModules(
  { api, informers, loop, recorder, reportError, observer = null, ...makers }: StoreSchedulerModules,
  options: StoreSchedulerOptions,
  onReady: () => void,
): CycleModules {
  const podLister = livePods(informers.of('pods').lister);
  const waitingPods = new WaitingPods(loop);
  const late: { queue?: SchedulingQueue; preemption?: PreemptionExecutor; profiles?: Profiles } = {};
  const activate = (pods: readonly Pod[]): void => late.queue?.activate(pods);
  const handle: Handle = {
    api,
    activate,
    nowMillis: () => loop.nowMillis(),
    after: (delayMillis, task) => loop.after(delayMillis, task),
    waitingPods: () => waitingPods.all(),
    waitingPod: (uid) => waitingPods.get(uid),
    rejectWaitingPod: (uid) => waitingPods.reject(uid),
    podFromLister: (namespace, name) => podLister.get(namespace, name),
    node: (name) => late.profiles?.cluster.node(name),
    isPreempting: (uid) => late.preemption?.isPreempting(uid) ?? false,
  };
  const tracer = options.tracer ?? tracerFor(observer, loop);
  const logger = (options.logger ?? NO_LOGGER).named('scheduler', loop);
  const profiles = new Profiles(
    { ...options, tracer, logger },
    { handle, asksGates: false, makePlugins: makers.makePlugins, draw: makers.draw, drawnTies: makers.drawnTies },
  );
  const { cluster, templates } = profiles;
  const podInfoOf = (pod: Pod): PodInfo => new PodInfo(pod, templates.of(pod).requirements, '');
  const cache = new SchedulerCache({ cluster, loop, assumedPodTtlMillis: options.assumedPodTtlMillis ?? 0 });
  const { newQueue = newSchedulingQueue } = makers;
  const queue = newQueue(
    {
      loop,
      profiles: queueProfiles(profiles),
      podInfoOf,
      nominated: cluster.pods.nominated,
      isPending: (pod) => isPending(podLister, pod),
      onReady,
      observer,
    },
    queueOptions(profiles, options),
  );
  const podsInPreBind = new PodsInPreBind(loop);
  const shared = { cluster, waitingPods, podsInPreBind, api, podLister, recorder, loop, observer, logger };
  const preemption = new PreemptionExecutor({ ...shared, activate: (pod) => activate([pod]) });
  Object.assign(late, { queue, preemption, profiles });
  const extenderTransport = onLoop(options.extenderTransport ?? NO_TRANSPORT, loop);
  return { ...shared, profiles, cache, queue, preemption, podInfoOf, reportError, extenderTransport };
}

const newSchedulingQueue = (modules: SchedulingQueueModules, options: SchedulingQueueOptions): SchedulingQueue =>
  new SchedulingQueue(modules, options);

function queueOptions(profiles: Profiles, { queueingHints = true }: StoreSchedulerOptions) {
  const { configuration } = profiles;
  // One queue serves all profiles: they have the same order.
  const less = [...profiles.all()][0]?.framework.less;
  return {
    ...(less && { less }),
    podInitialBackoffMillis: configuration.podInitialBackoffSeconds * 1000,
    podMaxBackoffMillis: configuration.podMaxBackoffSeconds * 1000,
    queueingHints,
  };
}

/** The API knows the pod still, and without a node. */
function isPending(podLister: PodLister, { namespace, name }: PodInfo): boolean {
  const known = podLister.get(namespace, name);
  return known !== undefined && !known.spec?.nodeName;
}

/** Answers come in tasks of the loop, as everything does. */
function onLoop(transport: ExtenderTransport, loop: EventLoop): ExtenderTransport {
  return {
    send: (request, done) => transport.send(request, (response) => loop.soon(() => done(response))),
  };
}
