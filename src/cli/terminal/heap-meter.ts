import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { MemoryMeter } from '../../benchmark/memory-meter.ts';

/** The heap of this process. */
export function heapMeter(): MemoryMeter {
  let collectGarbage: (() => void) | undefined;
  return {
    usedBytes() {
      if (collectGarbage === undefined) {
        // A context made after the flag has been set has `gc`; nobody needs to start node with --expose-gc.
        setFlagsFromString('--expose-gc');
        collectGarbage = runInNewContext('gc') as () => void;
      }
      collectGarbage();
      // The first time, typed arrays and memories of the kernels are only let go of; the second time they are gone.
      collectGarbage();
      const { heapUsed, external } = process.memoryUsage();
      return heapUsed + external;
    },
    heapLimitBytes: getHeapStatistics().heap_size_limit,
  };
}
