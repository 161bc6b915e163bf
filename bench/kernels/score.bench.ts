import type { Kernels } from '../../src/kernels/abi.ts';
import { type KernelTiming, runSuite, type SuiteOptions } from './kernel-suite.ts';
import type { SampleSlots } from './sample-slots.ts';

function share(kernel: 'scoreLeastAllocated' | 'scoreMostAllocated', entryCount: number, exact = 0) {
  return ({ kernels, entries, out, count }: SampleSlots) => {
    kernels[kernel](entries, entryCount, out, exact, 0, count);
    return [out, count * 4] as const;
  };
}

function balanced(entryCount: number) {
  return ({ kernels, entries, out, count }: SampleSlots) => {
    kernels.scoreBalancedAllocation(entries, entryCount, out, 0, count);
    return [out, count * 4] as const;
  };
}

/** A kernel that works on raw scores alone. */
function plain(run: (kernels: Kernels, slots: SampleSlots) => void) {
  return (slots: SampleSlots) => {
    run(slots.kernels, slots);
    return [slots.out, slots.count * 4] as const;
  };
}

export function scoreSuite(options: SuiteOptions): KernelTiming[] {
  const calls = {
    'leastAllocated, 2 resources': share('scoreLeastAllocated', 2),
    'leastAllocated, 3 resources': share('scoreLeastAllocated', 3),
    'leastAllocated, 2 resources, exact': share('scoreLeastAllocated', 2, 1),
    'mostAllocated, 2 resources': share('scoreMostAllocated', 2),
    'requestedToCapacityRatio, 2 resources': ({ kernels, entries, table, out, count }: SampleSlots) => {
      kernels.scoreRequestedToCapacityRatio(entries, 2, table, out, 0, 0, count);
      return [out, count * 4] as const;
    },
    'balancedAllocation, 2 resources': balanced(2),
    'balancedAllocation, 3 resources': balanced(3),
    normalize: plain((kernels, { raw, out, count }) => kernels.normalize(raw, 999, 1, out, 0, count)),
    addWeighted: plain((kernels, { raw, out, count }) => kernels.addWeighted(raw, 3, out, 0, count)),
    fill: plain((kernels, { out, count }) => kernels.fill(out, 300, 0, count)),
  };
  return runSuite('score', calls, options);
}
