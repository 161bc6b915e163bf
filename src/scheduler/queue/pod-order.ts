import type { QueuedPodInfo } from './queued-pod-info.ts';

/** Whether a goes before b. */
export type Less = (a: QueuedPodInfo, b: QueuedPodInfo) => boolean;

/** PrioritySort: higher priority first, then the longer wait. Of any two pods, one is before the other. */
export function isBeforeByPriority(a: QueuedPodInfo, b: QueuedPodInfo): boolean {
  const difference = a.podInfo.priority - b.podInfo.priority;
  return difference === 0 ? isBeforeByTime(a, b) : difference > 0;
}

export function isBeforeByTime(a: QueuedPodInfo, b: QueuedPodInfo): boolean {
  return a.timestampMillis < b.timestampMillis || (a.timestampMillis === b.timestampMillis && a.sequence < b.sequence);
}
