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
  /** What is done once in so many nanoseconds: 'slot' for kernels that pass over all of them. */
  readonly unit: Unit;
  readonly nanosPerUnit: number;
  /** Relative margin of error at 95 %. */
  readonly errorPercent: number;
  /** The hash of everything that the kernel wrote: it is the same for both builds. */
  readonly hash: string;
}

export type Unit = 'slot' | 'row' | 'pod' | 'call';

/** What kernels are asked about, the same for every kind. */
export interface Sample {
  readonly count: number;
  /** FNV-1a of `bytes` at `pointer`. */
  hash(pointer: number, bytes: number): string;
}

/** One kernel with its arguments; returns the bytes that hold its result, as [pointer, byte length]. */
export type KernelCall<S extends Sample = SampleSlots> = (sample: S) => readonly [pointer: number, bytes: number];

export interface TimedCall<S extends Sample> {
  readonly unit: Unit;
  /** How many units one call is. */
  readonly unitCount: (sample: S) => number;
  readonly call: KernelCall<S>;
}

const SLOT_COUNT = 5000;
/** A number of slots that is not a multiple of the SIMD lanes of any type. */
const TINY_SLOT_COUNT = 37;
const TINY_TIMING = { initCount: 1, minSamples: 1, minTime: 0.0001, maxTime: 0.0001 };
const TIMING = { minSamples: 30, maxTime: 0.5 };

/** Kernels that pass over all slots. */
export function runSuite(suite: string, calls: Record<string, KernelCall>, options: SuiteOptions): KernelTiming[] {
  const perSlot = Object.entries(calls).map(([kernel, call]) => [kernel, perSlotOf(call)] as const);
  return runTimedSuite(suite, Object.fromEntries(perSlot), sampleSlots, options);
}

export function perSlotOf<S extends Sample>(call: KernelCall<S>): TimedCall<S> {
  return { unit: 'slot', unitCount: ({ count }) => count, call };
}

export function runTimedSuite<S extends Sample>(
  suite: string,
  calls: Record<string, TimedCall<S>>,
  sampleOf: (kind: KernelKind, count: number) => S,
  options: SuiteOptions,
): KernelTiming[] {
  return Object.entries(calls).flatMap(([kernel, timed]) =>
    (['scalar', 'simd'] as const).map((kind) => {
      const sample = sampleOf(kind, options.tiny ? TINY_SLOT_COUNT : SLOT_COUNT);
      return { suite, kernel, kind, unit: timed.unit, ...time(sample, timed, options) };
    }),
  );
}

function time<S extends Sample>(sample: S, { call, unitCount }: TimedCall<S>, { tiny }: SuiteOptions) {
  const hash = sample.hash(...call(sample));
  const benchmark = new Benchmark(() => call(sample), tiny ? TINY_TIMING : TIMING).run();
  if (benchmark.error !== undefined) throw benchmark.error;
  const { mean, rme } = benchmark.stats;
  return { nanosPerUnit: (mean * 1e9) / unitCount(sample), errorPercent: rme, hash };
}
