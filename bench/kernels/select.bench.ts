import { SELECT_RESULT_BYTES } from '../../src/kernels/abi.ts';
import { type KernelTiming, runSuite, type SuiteOptions } from './kernel-suite.ts';
import type { SampleSlots } from './sample-slots.ts';

export function selectSuite(options: SuiteOptions): KernelTiming[] {
  const calls = {
    maxFeasible: ({ kernels, raw, feasible, out, count }: SampleSlots) => {
      kernels.fill(out, kernels.maxFeasible(raw, feasible, 0, count), 0, 1);
      return [out, 4] as const;
    },
    selectBest: ({ kernels, raw, feasible, order, selected, count }: SampleSlots) => {
      kernels.selectBest(raw, feasible, order, selected, 0, count);
      return [selected, SELECT_RESULT_BYTES] as const;
    },
    collectTies: ({ kernels, raw, feasible, out, count }: SampleSlots) => {
      return [out, kernels.collectTies(raw, feasible, 500, out, 0, count) * 4] as const;
    },
  };
  return runSuite('select', calls, options);
}
