import { schedulerName } from '../core/profiles.ts';
import { isRejection } from '../framework/status.ts';
import type { CycleModules, FailedAttempt } from './attempt.ts';
import type { Failure } from './failures.ts';
import type { QueuedPodInfo } from './queue/queued-pod-info.ts';
import { patchPodStatus, type StatusChange } from './status-patch.ts';

/** Of an event's note (events.k8s.io/v1). */
const NOTE_BYTES_MAX = 1024;
const ELLIPSIS = ' ...';

/** The attempt did not come to a node that would take the pod. */
export function handleFailedAttempt(modules: CycleModules, { queued, failure, startMillis }: FailedAttempt): void {
  const { observer, loop } = modules;
  if (observer !== null) {
    const result = isRejection(failure) ? 'unschedulable' : 'error';
    observer.attemptFinished?.(result, schedulerName(queued.podInfo.pod), loop.nowMillis() - startMillis);
  }
  handleFailure(modules, queued, failure);
}

/**
 * An attempt has failed: the pod goes back to the queue, its nomination is kept or taken back, and the reason is
 * reported in an event and a condition, in this order (upstream's handleSchedulingFailure).
 */
export function handleFailure(modules: CycleModules, queued: QueuedPodInfo, failure: Failure): void {
  const { queue, podLister, recorder, api, loop } = modules;
  logFailure(modules, queued, failure);
  const { namespace, name, pod: tried } = queued.podInfo;
  queued.unschedulablePlugins = failure.unschedulablePlugins;
  queued.pendingPlugins = failure.pendingPlugins;
  const known = podLister.get(namespace, name);
  const uid = tried.metadata?.uid ?? '';
  if (known !== undefined && known.metadata?.uid !== uid) {
    // Another pod has the name: the reason concerns nobody any more.
    queue.done(uid);
    return;
  }
  const isRequeued = known !== undefined && !known.spec?.nodeName;
  if (isRequeued) {
    // It may have changed since it was popped.
    queued.podInfo = modules.podInfoOf(known);
    queue.addUnschedulableIfNotPresent(queued);
  }
  queue.addNominatedPod(queued.podInfo, failure.nomination);
  const pod = known ?? tried;
  recorder.event(pod, null, 'Warning', 'FailedScheduling', 'Scheduling', truncated(failure.message));
  const change = { condition: conditionOf(failure), nominatedNodeName: failure.nomination?.nodeName };
  try {
    patchPodStatus(api, pod, change, loop.nowMillis());
  } catch (error) {
    modules.reportError(error, `report why pod ${namespace}/${name} is not scheduled`);
  }
  if (!isRequeued) queue.done(uid);
}

function logFailure({ logger }: CycleModules, { podInfo: { key: pod } }: QueuedPodInfo, failure: Failure): void {
  const { code, message } = failure;
  if (!isRejection(failure)) logger.warn('an attempt failed', { pod, message });
  else if (logger.isEnabled('debug')) logger.debug('a pod goes back to the queue', { pod, code, message });
}

function conditionOf({ code, message }: Failure): NonNullable<StatusChange['condition']> {
  const reason = isRejection({ code }) ? 'Unschedulable' : 'SchedulerError';
  return { type: 'PodScheduled', status: 'False', reason, message };
}

function truncated(note: string): string {
  const bytes = new TextEncoder().encode(note);
  if (bytes.length <= NOTE_BYTES_MAX) return note;
  return new TextDecoder().decode(bytes.subarray(0, NOTE_BYTES_MAX - ELLIPSIS.length)) + ELLIPSIS;
}
