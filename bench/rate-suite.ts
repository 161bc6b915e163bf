import Benchmark from 'benchmark';
import type { SuiteOptions } from './kernels/kernel-suite.ts';

/** How often something can be done in a second, on one core. */
export interface Rate {
  readonly suite: string;
  readonly operation: string;
  readonly perSecond: number;
  /** Relative margin of error at 95 %. */
  readonly errorPercent: number;
  /** What a run came to: the same in every run. */
  readonly result: string;
}

/** One run of so many operations; says what it came to. */
export interface RateCase {
  readonly operations: number;
  readonly run: () => string | number;
}

const TINY_TIMING = { initCount: 1, minSamples: 1, minTime: 0.0001, maxTime: 0.0001 };
const TIMING = { minSamples: 20, maxTime: 1 };

/** `cases`: by operation. */
export function measureRates(suite: string, cases: Record<string, RateCase>, { tiny }: SuiteOptions): Rate[] {
  return Object.entries(cases).map(([operation, { operations, run }]) => {
    const result = String(run());
    const benchmark = new Benchmark(run, tiny ? TINY_TIMING : TIMING).run();
    if (benchmark.error !== undefined) throw benchmark.error;
    const { mean, rme } = benchmark.stats;
    return { suite, operation, perSecond: operations / mean, errorPercent: rme, result };
  });
}
