import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { MemoryMeter } from '../../benchmark/memory-meter.ts';

/** Measures the heap of this process. */
export function heapMeter(): MemoryMeter {
  let collectGarbage: (() => void) | undefined;
  return {
    usedBytes() {
      if (collectGarbage === undefined) {
        // A context that is created after the flag was set has `gc`, so that node need not be started with --expose-gc.
        setFlagsFromString('--expose-gc');
        collectGarbage = runInNewContext('gc') as () => void;
      }
      collectGarbage();
      // The first collection only releases typed arrays and kernel memories; the second one frees them.
      collectGarbage();
      const { heapUsed, external } = process.memoryUsage();
      return heapUsed + external;
    },
    heapLimitBytes: getHeapStatistics().heap_size_limit,
  };
}
