import { SELECT_RESULT_BYTES } from '../../src/kernels/abi.ts';
import { type KernelTiming, runSuite, type SuiteOptions } from './kernel-suite.ts';
import type { SampleSlots } from './sample-slots.ts';

/** What one pod of a new signature costs: every kernel of the default profile, once over all slots. */
export function fullScanSuite(options: SuiteOptions): KernelTiming[] {
  const fullScan = (slots: SampleSlots) => {
    const { kernels, entries, mask, feasible, raw, out, total, order, selected, count } = slots;
    kernels.filterFit(entries, 3, mask, feasible, 0, count);
    kernels.fill(total, 300, 0, count);
    kernels.scoreLeastAllocated(entries, 2, out, 0, 0, count);
    kernels.addWeighted(out, 1, total, 0, count);
    kernels.scoreBalancedAllocation(entries, 2, out, 0, count);
    kernels.addWeighted(out, 1, total, 0, count);
    kernels.normalize(raw, kernels.maxFeasible(raw, feasible, 0, count), 0, out, 0, count);
    kernels.addWeighted(out, 2, total, 0, count);
    kernels.selectBest(total, feasible, order, selected, 0, count);
    return [selected, SELECT_RESULT_BYTES] as const;
  };
  return runSuite('full scan', { 'default profile': fullScan }, options);
}
