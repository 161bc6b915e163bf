import type { PodInfo } from './pod-info.ts';

/** A pod in the queue. */
export interface QueuedPod {
  readonly podInfo: PodInfo;
  /** The time when the pod was added to the queue, in milliseconds since the Unix epoch. */
  readonly timestampMillis: number;
}
