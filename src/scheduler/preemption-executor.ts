import { schedulerNameOf } from '../api/defaults.ts';
import { podKey } from '../api/object-name.ts';
import type { Pod } from '../api/pod.ts';
import type { ClusterState } from '../framework/cluster/cluster-state.ts';
import { DEFAULT_PREEMPTION } from '../framework/plugin-names.ts';
import type { PodInfo } from '../framework/pod-info.ts';
import { textOf } from '../framework/runtime/plugin-answer.ts';
import type { EventLoop } from '../lib/event-loop.ts';
import type { Logger } from '../lib/logger.ts';
import { awaited } from '../lib/maybe-promise.ts';
import { isApiError } from '../store/objects/api-error.ts';
import type { SchedulerObserver } from './observer.ts';
import type { PodsInPreBind } from './pods-in-pre-bind.ts';
import { type EvictionSteps, RunningEviction } from './running-eviction.ts';
import type { PodLister, SchedulerApi, SchedulingEventRecorder } from './scheduler-api.ts';
import type { StatusChange } from './status-change.ts';
import { patchPodStatus } from './status-patch.ts';
import type { WaitingPods } from './waiting-pods.ts';

export interface PreemptionModules {
  readonly cluster: ClusterState;
  readonly waitingPods: WaitingPods;
  readonly podsInPreBind: PodsInPreBind;
  readonly api: SchedulerApi;
  readonly podLister: PodLister;
  readonly recorder: SchedulingEventRecorder;
  readonly loop: EventLoop;
  readonly observer: SchedulerObserver | null;
  readonly logger: Logger;
}

/** The victims that are to leave a node so that the preemptor fits there. */
export interface Eviction {
  /** The pod that needs the room; of a group, one of its pods. */
  readonly preemptor: PodInfo;
  /** The uids of all pods that wait for the victims. */
  readonly waiting: readonly string[];
  /** Who preempts, as events name it. */
  readonly by: string;
  readonly nodeName: string;
  /** The condition that the victims get. */
  readonly condition: NonNullable<StatusChange['condition']>;
  /** The victims in the order in which they are evicted; at least one. */
  readonly victims: readonly Pod[];
}

/** The first pause of client-go's `retry.DefaultBackoff`. */
const RETRY_MILLIS = 10;

/**
 * The preemptors whose evictions failed at the current time. On a virtual clock, where an API call takes no time, such
 * a preemptor would otherwise be tried for ever without the clock moving on.
 */
class FailuresOfInstant {
  readonly #uids = new Set<string>();
  #millis = Number.NaN;

  isFirst(uid: string, nowMillis: number): boolean {
    if (nowMillis !== this.#millis) this.#uids.clear();
    this.#millis = nowMillis;
    if (this.#uids.has(uid)) return false;
    this.#uids.add(uid);
    return true;
  }
}

/**
 * Evicts the victims of preemption (upstream's framework/preemption/executor.go). An eviction is prepared in the
 * attempt that found the victims, and runs later:
 *
 *   prepare ──▶ preempting ──▶ all victims but the last ──▶ the last ──▶ (none)
 *                                   │ failed                  │ failed
 *                                   └─────────────────────────┴──▶ the preemptor is tried again: at once, and after
 *                                                                  a while if that failed in the same instant
 *
 * Meanwhile the preemptor is held back, since an attempt before the last victim leaves would find no room.
 */
export class PreemptionExecutor {
  readonly #modules: PreemptionModules;
  readonly #activate: (pod: Pod) => void;
  readonly #failures = new FailuresOfInstant();
  /** The last victim by the preemptor's uid; null until the other victims are evicted. */
  readonly #preempting = new Map<string, Pod | null>();

  /** `activate` moves a pod to the active queue. */
  constructor(modules: PreemptionModules, activate: (pod: Pod) => void) {
    this.#modules = modules;
    this.#activate = activate;
  }

  /** Whether the preemptor must wait for its victims. */
  isPreempting(uid: string): boolean {
    const last = this.#preempting.get(uid);
    if (last === undefined) return false;
    if (last === null) return true;
    const { namespace = 'default', name = '' } = last.metadata ?? {};
    const known = this.#modules.podLister.get(namespace, name);
    return known !== undefined && !known.metadata?.deletionTimestamp;
  }

  /**
   * Holds the preemptor back from now on, and returns the eviction, which must be run once. Returns null, and holds
   * nobody back, if all victims are being deleted already.
   */
  prepare(preemptor: PodInfo, nodeName: string, found: readonly PodInfo[]): Eviction | null {
    const victims = found.map(({ pod }) => pod).filter(({ metadata }) => !metadata?.deletionTimestamp);
    if (victims.length === 0) return null;
    this.#hold([preemptor.uid], null);
    this.#modules.observer?.preemptionStarted?.(preemptor.pod, nodeName, victims);
    const pod = preemptor.key;
    this.#modules.logger.info('preemption', { pod, node: nodeName, victims: victims.map(podKey) });
    const { uid } = preemptor;
    const condition = preempted(preemptor, 'pod');
    return { preemptor, waiting: [uid], by: `pod ${uid}`, condition, nodeName, victims };
  }

  /** As `prepare`, for a group with this uid, of which all pods wait for the victims. */
  prepareForGroup(uid: string, pods: readonly PodInfo[], found: readonly PodInfo[]): Eviction | null {
    const victims = found.map(({ pod }) => pod).filter(({ metadata }) => !metadata?.deletionTimestamp);
    const [preemptor] = pods;
    if (victims.length === 0 || preemptor === undefined) return null;
    const waiting = pods.map((pod) => pod.uid);
    this.#hold(waiting, null);
    this.#modules.observer?.groupPreemptionStarted?.(preemptor.pod, victims);
    this.#modules.logger.info('preemption', { podGroup: uid, victims: victims.map(podKey) });
    const condition = preempted(preemptor, 'podgroup');
    return { preemptor, waiting, by: `podgroup ${uid}`, condition, nodeName: 'cluster', victims };
  }

  #hold(uids: readonly string[], last: Pod | null): void {
    for (const uid of uids) this.#preempting.set(uid, last);
  }

  run(eviction: Eviction): void {
    this.begin(eviction).finish();
  }

  /** Begins an eviction, which pauses before the first write and after each, and must be run to its end. */
  begin(eviction: Eviction): RunningEviction {
    return new RunningEviction(this.#stepsOf(eviction));
  }

  *#stepsOf(eviction: Eviction): EvictionSteps {
    const { observer, loop } = this.#modules;
    const { preemptor } = eviction;
    const startMillis = loop.nowMillis();
    observer?.goroutines?.('preemption', 1);
    yield* this.#clearNominations(eviction);
    yield;
    const isDone = yield* this.#evictAll(eviction);
    for (const uid of eviction.waiting) this.#preempting.delete(uid);
    if (!isDone && this.#failures.isFirst(preemptor.uid, startMillis)) this.#activate(preemptor.pod);
    else if (!isDone) loop.after(RETRY_MILLIS, () => this.#activate(preemptor.pod));
    observer?.preemptionFinished?.(preemptor.pod, isDone ? 'success' : 'error', loop.nowMillis() - startMillis);
    observer?.goroutines?.('preemption', -1);
  }

  /** Clears nominations of lower priority on the node; a write that fails does not stop the eviction. */
  *#clearNominations({ preemptor, nodeName }: Eviction): EvictionSteps {
    const { cluster, api, loop } = this.#modules;
    for (const { pod, priority } of cluster.nominatedPodsForNode(nodeName)) {
      if (priority >= preemptor.priority) continue;
      try {
        yield* patchPodStatus(api, pod, { nominatedNodeName: '' }, loop.nowMillis());
      } catch {
        // The next attempt of that pod writes its nomination anew.
      }
    }
  }

  /** Upstream evicts all victims but the last in parallel, so one failure does not stop the others. */
  *#evictAll(eviction: Eviction): EvictionSteps<boolean> {
    const { victims } = eviction;
    const last = victims.at(-1) as Pod;
    let isDone = true;
    for (const victim of victims.slice(0, -1)) isDone = (yield* this.#evict(victim, eviction)) && isDone;
    if (!isDone) return false;
    this.#hold(eviction.waiting, last);
    return yield* this.#evict(last, eviction);
  }

  /** Returns false if the API refused the eviction. A victim that is gone counts as evicted. */
  *#evict(victim: Pod, { preemptor, by, condition, nodeName }: Eviction): EvictionSteps<boolean> {
    const { recorder, logger } = this.#modules;
    let where = '';
    if (this.#preemptInMemory(victim.metadata?.uid ?? '')) {
      where = ' (in kube-scheduler memory).';
    } else {
      try {
        yield* this.#delete(victim, condition);
      } catch (error) {
        if (isApiError(error, 'NotFound')) return true;
        const values = { pod: preemptor.key, victim: podKey(victim), error: textOf(error) };
        logger.warn('a victim could not be evicted', values);
        return false;
      }
    }
    const note = `Preempted by ${by} on node ${nodeName}${where}`;
    recorder.event(victim, preemptor.pod, 'Normal', 'Preempted', 'Preempting', note);
    yield;
    return true;
  }

  /** Stops the binding cycle of a victim that is not bound yet, which then fails. Returns false for another victim. */
  #preemptInMemory(uid: string): boolean {
    const { waitingPods, podsInPreBind } = this.#modules;
    return (waitingPods.get(uid) ?? podsInPreBind.get(uid))?.preempt(DEFAULT_PREEMPTION) ?? false;
  }

  *#delete(victim: Pod, condition: Eviction['condition']): EvictionSteps {
    const { api, loop } = this.#modules;
    yield* patchPodStatus(api, victim, { condition }, loop.nowMillis());
    yield;
    yield* awaited(api.deletePod(victim.metadata?.namespace ?? 'default', victim.metadata?.name ?? ''));
  }
}

/** The condition that victims get. */
function preempted(preemptor: PodInfo, kind: 'pod' | 'podgroup'): Eviction['condition'] {
  return {
    type: 'DisruptionTarget',
    status: 'True',
    reason: 'PreemptionByScheduler',
    message: `${schedulerNameOf(preemptor.pod)}: preempting to accommodate a higher priority ${kind}`,
  };
}
