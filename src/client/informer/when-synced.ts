import type { EventLoop, Timer } from '../../lib/event-loop.ts';

/** Upstream: syncedPollPeriod of WaitForCacheSync. */
const POLL_PERIOD_MILLIS = 100;

/**
 * Runs the task once, as soon as `hasSynced` says that what it reads is there: a controller that starts with half a
 * cache would take what is missing for deleted. Cancel it to wait no longer.
 */
export function whenSynced(loop: EventLoop, hasSynced: () => boolean, task: () => void): Timer {
  const poll = (): void => {
    if (hasSynced()) task();
    else timer = loop.after(POLL_PERIOD_MILLIS, poll);
  };
  let timer = loop.after(0, poll);
  return { cancel: () => timer.cancel() };
}
