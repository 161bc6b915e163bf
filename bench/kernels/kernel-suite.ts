import Benchmark from 'benchmark';
import type { KernelKind } from '../../src/kernels/load.ts';
import { type SampleSlots, sampleSlots } from './sample-slots.ts';

export interface SuiteOptions {
  /** A few slots and a single sample: shows that the suite works, its times mean nothing. */
  readonly tiny: boolean;
}

export interface KernelTiming {
  readonly suite: string;
  readonly kernel: string;
  readonly kind: KernelKind;
  readonly nanosPerSlot: number;
  /** Relative margin of error at 95 %. */
  readonly errorPercent: number;
  /** Of everything that the kernel wrote: the same for both builds. */
  readonly hash: string;
}

/** One kernel with its arguments; returns the bytes that hold its result, as [pointer, byte length]. */
export type KernelCall = (slots: SampleSlots) => readonly [pointer: number, bytes: number];

const SLOT_COUNT = 5000;
/** Not a multiple of any number of lanes. */
const TINY_SLOT_COUNT = 37;
const TINY_TIMING = { initCount: 1, minSamples: 1, minTime: 0.0001, maxTime: 0.0001 };
const TIMING = { minSamples: 30, maxTime: 0.5 };

export function runSuite(suite: string, calls: Record<string, KernelCall>, options: SuiteOptions): KernelTiming[] {
  return Object.entries(calls).flatMap(([kernel, call]) =>
    (['scalar', 'simd'] as const).map((kind) => ({ suite, kernel, kind, ...time(kind, call, options) })),
  );
}

function time(kind: KernelKind, call: KernelCall, { tiny }: SuiteOptions) {
  const slots = sampleSlots(kind, tiny ? TINY_SLOT_COUNT : SLOT_COUNT);
  const hash = slots.hash(...call(slots));
  const benchmark = new Benchmark(() => call(slots), tiny ? TINY_TIMING : TIMING).run();
  if (benchmark.error !== undefined) throw benchmark.error;
  const { mean, rme } = benchmark.stats;
  return { nanosPerSlot: (mean * 1e9) / slots.count, errorPercent: rme, hash };
}
