import { isJobFinished, type Job } from '../../api/job.ts';
import type { OwnerReference } from '../../api/meta.ts';
import type { Pod } from '../../api/pod.ts';
import { isPodFinished } from '../../api/pod-conditions.ts';
import { semanticallyEqual } from '../../api/semantic-equality.ts';
import { millisOfTime } from '../../api/time.ts';
import type { EventHandler } from '../../client/informer/event-handler.ts';
import type { Lister } from '../../client/informer/lister.ts';
import { objectKey } from '../../client/object-key.ts';
import type { DelayingQueue, WorkQueue } from '../../client/queue/work-queues.ts';
import type { Clock } from '../../lib/clock.ts';
import type { JobMemory } from './job-memory.ts';
import { otherManagerOf, planOf } from './job-plan.ts';
import type { JobMetrics } from './metrics.ts';
import { type OrphanKey, orphanKeyOf, orphanKeyOfPods } from './orphan-pods.ts';
import { candidateJobs, controllerOf, controlling } from './pod-indexes.ts';
import { isTracked, uidOf } from './pod-state.ts';

/** Events within this time are handled by the same sync. */
const BATCH_MILLIS = 1000;

export interface HandlerModules {
  readonly jobs: Lister<Job>;
  readonly queue: DelayingQueue<string>;
  readonly orphanQueue: WorkQueue<OrphanKey>;
  readonly memory: JobMemory;
  readonly metrics: JobMetrics;
  readonly clock: Clock;
}

/** Handles the events of Jobs. Upstream: addJob, updateJob and deleteJob in job_controller.go. */
export class JobHandler implements EventHandler<Job> {
  readonly #modules: HandlerModules;

  constructor(modules: HandlerModules) {
    this.#modules = modules;
  }

  onAdd(job: Job): void {
    this.#syncNow(job);
    const manager = otherManagerOf(job);
    if (manager !== undefined) this.#modules.metrics.externalJobs.add(1, manager);
  }

  onUpdate(before: Job, job: Job): void {
    if (isJobFinished(job)) {
      this.#modules.memory.finished.delete(job.metadata?.uid ?? '');
      this.#releasePods(job);
      return;
    }
    const { queue, clock } = this.#modules;
    const isSameSpec = job.metadata?.generation === before.metadata?.generation;
    if (isSameSpec) queue.addAfter(objectKey(job), BATCH_MILLIS);
    else this.#syncNow(job);
    const { activeDeadlineMillis } = planOf(job);
    const startTime = job.status?.startTime;
    if (startTime === undefined || activeDeadlineMillis === undefined) return;
    if (activeDeadlineMillis === planOf(before).activeDeadlineMillis) return;
    queue.addAfter(objectKey(job), millisOfTime(startTime) + activeDeadlineMillis - clock.nowMillis());
  }

  onDelete(job: Job): void {
    this.#modules.memory.finished.delete(job.metadata?.uid ?? '');
    this.#syncNow(job);
    this.#releasePods(job);
  }

  #syncNow(job: Job): void {
    this.#modules.queue.addAfter(objectKey(job), 0);
  }

  #releasePods(job: Job): void {
    this.#modules.orphanQueue.add(orphanKeyOfPods(job));
  }
}

/** Handles the events of pods. Upstream: addPod, updatePod and deletePod in job_controller.go. */
export class PodHandler implements EventHandler<Pod> {
  readonly #modules: HandlerModules;

  constructor(modules: HandlerModules) {
    this.#modules = modules;
  }

  onAdd(pod: Pod): void {
    this.#recordFinished(undefined, pod);
    // After a restart, the first event of a pod may show that it is already being deleted.
    if (pod.metadata?.deletionTimestamp !== undefined) {
      this.#deleting(pod, false);
      return;
    }
    const controller = controllerOf(pod);
    if (controller === undefined) {
      this.#unowned(pod, true);
      return;
    }
    const key = this.#keyOfController(pod, controller);
    if (key === undefined) return;
    this.#modules.memory.expectations.creationObserved(key);
    this.#syncSoon(key);
  }

  onUpdate(before: Pod, pod: Pod): void {
    this.#recordFinished(before, pod);
    if (pod.metadata?.resourceVersion === before.metadata?.resourceVersion) return;
    // A pod that is being deleted counts as gone, so that its replacement need not wait for the end of the deletion.
    if (pod.metadata?.deletionTimestamp !== undefined) {
      this.#deleting(pod, false);
      return;
    }
    const controller = controllerOf(pod);
    const controllerBefore = controllerOf(before);
    const hasMoved = !semanticallyEqual(controller, controllerBefore);
    if (hasMoved && controllerBefore !== undefined) this.#controllerSeesUpdate(pod, controllerBefore);
    if (controller !== undefined) {
      this.#controllerSeesUpdate(pod, controller);
      return;
    }
    this.#unowned(pod, hasMoved || !semanticallyEqual(pod.metadata?.labels, before.metadata?.labels));
  }

  onDelete(pod: Pod): void {
    this.#recordFinished(pod, undefined);
    this.#deleting(pod, true);
  }

  #controllerSeesUpdate(pod: Pod, controller: OwnerReference): void {
    const key = this.#keyOfController(pod, controller);
    if (key === undefined) return;
    if (!isTracked(pod)) this.#modules.memory.finalizerRemovals.observed(key, uidOf(pod));
    this.#syncSoon(key);
  }

  /** `isFinal`: the pod is gone; otherwise it is only being deleted. */
  #deleting(pod: Pod, isFinal: boolean): void {
    const { jobs, orphanQueue, memory } = this.#modules;
    const controller = controllerOf(pod);
    const job = controller && controlling(jobs, 'Job', pod, controller);
    if (job === undefined || isJobFinished(job)) {
      // No sync will remove the pod's finalizer.
      if (isTracked(pod)) orphanQueue.add(orphanKeyOf(pod));
      return;
    }
    const key = objectKey(job);
    memory.expectations.deletionObserved(key);
    if (isFinal || !isTracked(pod)) memory.finalizerRemovals.observed(key, uidOf(pod));
    this.#syncSoon(key);
  }

  /** Handles a pod without a controller: its finalizer is removed, and Jobs that select it are queued. */
  #unowned(pod: Pod, isNew: boolean): void {
    const { jobs, orphanQueue } = this.#modules;
    if (isTracked(pod)) orphanQueue.add(orphanKeyOf(pod));
    if (!isNew || Object.keys(pod.metadata?.labels ?? {}).length === 0) return;
    for (const job of candidateJobs(jobs, pod)) {
      const { selector } = planOf(job);
      if ('matches' in selector && selector.matches(pod.metadata?.labels)) this.#syncSoon(objectKey(job));
    }
  }

  #keyOfController(pod: Pod, controller: OwnerReference): string | undefined {
    const job = controlling(this.#modules.jobs, 'Job', pod, controller);
    return job && objectKey(job);
  }

  #syncSoon(key: string): void {
    this.#modules.queue.addAfter(key, BATCH_MILLIS);
  }

  /** Counts pods that finish with the tracking finalizer. Upstream: recordFinishedPodWithTrackingFinalizer. */
  #recordFinished(before: Pod | undefined, after: Pod | undefined): void {
    const was = isFinishedAndTracked(before);
    const is = isFinishedAndTracked(after);
    if (was !== is) this.#modules.metrics.finishedTrackedPods.add(1, is ? 'add' : 'delete');
  }
}

function isFinishedAndTracked(pod: Pod | undefined): boolean {
  return pod !== undefined && isPodFinished(pod) && isTracked(pod);
}
