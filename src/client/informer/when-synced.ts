import type { EventLoop, Timer } from '../../lib/event-loop.ts';

/** The period of the checks. Upstream: syncedPollPeriod of WaitForCacheSync. */
const POLL_PERIOD_MILLIS = 100;

/**
 * Runs the task once, as soon as `hasSynced` returns true: a controller that starts with half a cache would take
 * missing objects for deleted ones. Cancelling the timer stops the waiting.
 */
export function whenSynced(loop: EventLoop, hasSynced: () => boolean, task: () => void): Timer {
  const poll = (): void => {
    if (hasSynced()) task();
    else timer = loop.after(POLL_PERIOD_MILLIS, poll);
  };
  let timer = loop.after(0, poll);
  return { cancel: () => timer.cancel() };
}
