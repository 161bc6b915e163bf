import type { PodInfo } from './pod-info.ts';

/** A pod in the queue. */
export interface QueuedPod {
  readonly podInfo: PodInfo;
  /** When it came into the queue, in milliseconds since the Unix epoch. */
  readonly timestampMillis: number;
}
