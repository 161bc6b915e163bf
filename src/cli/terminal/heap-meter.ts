import { getHeapStatistics } from 'node:v8';
import type { MemoryMeter } from '../../benchmark/memory-meter.ts';
import { collectGarbage } from './garbage-collection.ts';

/** Measures the heap of this process. */
export function heapMeter(): MemoryMeter {
  return {
    usedBytes() {
      collectGarbage();
      const { heapUsed, external } = process.memoryUsage();
      return heapUsed + external;
    },
    heapLimitBytes: getHeapStatistics().heap_size_limit,
  };
}
