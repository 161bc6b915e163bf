import { isRejection } from '../framework/status.ts';
import { runAwaiting } from '../lib/maybe-promise.ts';
import type { CycleModules, FailedAttempt } from './attempt.ts';
import type { Failure } from './failures.ts';
import { attemptFinished } from './observed.ts';
import type { QueuedPodInfo } from './queue/queued-pod-info.ts';
import type { StatusChange } from './status-change.ts';
import { patchPodStatus } from './status-patch.ts';

/** The maximum length of an event's note (events.k8s.io/v1). */
const NOTE_BYTES_MAX = 1024;
const ELLIPSIS = ' ...';
/** The most bytes that one UTF-16 unit takes in UTF-8. */
const BYTES_PER_UNIT_MAX = 3;

/** Reports and handles an attempt that assumed no node. Returns whether that wrote to the API. */
export function handleFailedAttempt(modules: CycleModules, attempt: FailedAttempt): boolean {
  attemptFinished(modules, attempt, attempt.failure);
  return handleFailure(modules, attempt.queued, attempt.failure);
}

/**
 * Handles a failed attempt (upstream's handleSchedulingFailure): returns the pod to the queue, sets or clears its
 * nomination, and reports the reason in an event and a condition, in this order. Returns whether the condition or the
 * nomination was news, which the API is told.
 */
export function handleFailure(modules: CycleModules, queued: QueuedPodInfo, failure: Failure): boolean {
  const { queue, podLister, recorder, api, loop } = modules;
  logFailure(modules, queued, failure);
  const { namespace, name, uid, pod: tried } = queued.podInfo;
  queued.unschedulablePlugins = failure.unschedulablePlugins;
  queued.pendingPlugins = failure.pendingPlugins;
  const known = podLister.get(namespace, name);
  if (known !== undefined && known.metadata?.uid !== uid) {
    // The pod is gone, and another one has its name, to which the failure does not apply.
    queue.done(uid);
    return false;
  }
  const isRequeued = known !== undefined && !known.spec?.nodeName;
  if (isRequeued) {
    // The pod may have changed since it was popped from the queue.
    queued.podInfo = modules.podInfoOf(known);
    queue.addUnschedulableIfNotPresent(queued);
  }
  queue.addNominatedPod(queued.podInfo, failure.nomination);
  const pod = known ?? tried;
  recorder.event(pod, null, 'Warning', 'FailedScheduling', 'Scheduling', truncated(failure.message));
  const change = { condition: conditionOf(failure), nominatedNodeName: failure.nomination?.nodeName };
  // A call without an answer yet was made.
  let hasWritten = true;
  runAwaiting(patchPodStatus(api, pod, change, loop.nowMillis()), {
    done: (isCalled) => {
      hasWritten = isCalled;
    },
    failed: (error) => modules.reportError(error, `report why pod ${namespace}/${name} is not scheduled`),
  });
  if (!isRequeued) queue.done(uid);
  return hasWritten;
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
  if (note.length * BYTES_PER_UNIT_MAX <= NOTE_BYTES_MAX) return note;
  const bytes = new TextEncoder().encode(note);
  if (bytes.length <= NOTE_BYTES_MAX) return note;
  return new TextDecoder().decode(bytes.subarray(0, NOTE_BYTES_MAX - ELLIPSIS.length)) + ELLIPSIS;
}
