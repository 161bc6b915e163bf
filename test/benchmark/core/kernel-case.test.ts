import { expect, it } from 'vitest';
import { placeInKernel } from '../../../src/benchmark/core/kernel-case.ts';
import { FakeClock } from '../../../src/lib/clock.ts';
import { TickingClock } from '../../framework/tracing/span-list.ts';

it('places full runs on 5,000 nodes and times nothing but the kernel', () => {
  // Two looks at the clock for each call, and none between: a call of 4,096 pods lasts a millisecond.
  expect(placeInKernel(new TickingClock())).toEqual({ nodes: 5000, podsPerSecond: 4_096_000 });
});

it('has no speed by a clock that stands still', () => {
  expect(placeInKernel(new FakeClock()).podsPerSecond).toBe(0);
});
