import type { Clock } from '../../../lib/clock.ts';

/**
 * What the kernels alone do of the work of `basic`: the same nodes and pods, without the JavaScript around them. Takes
 * about a second.
 */
export type KernelCase = (clock: Clock) => KernelThroughput;

export interface KernelThroughput {
  readonly nodes: number;
  readonly podsPerSecond: number;
}
