import { type KernelTiming, runSuite, type SuiteOptions } from './kernel-suite.ts';
import type { SampleSlots } from './sample-slots.ts';

function filterFit(entryCount: number) {
  return ({ kernels, entries, mask, out, count }: SampleSlots) => {
    kernels.filterFit(entries, entryCount, mask, out, 0, count);
    return [out, count * 4] as const;
  };
}

export function filterSuite(options: SuiteOptions): KernelTiming[] {
  const calls = {
    'filterFit, 1 resource': filterFit(1),
    'filterFit, 2 resources': filterFit(2),
    'filterFit, 3 resources': filterFit(3),
    fitReasons: ({ kernels, allocatable, requested, out, count }: SampleSlots) => {
      kernels.fitReasons(allocatable, requested, 4000, out, 0, count);
      return [out, count] as const;
    },
  };
  return runSuite('filter', calls, options);
}
