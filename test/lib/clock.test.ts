import { describe, expect, it } from 'vitest';
import { FakeClock, RealClock } from '../../src/lib/clock.ts';

describe('clocks', () => {
  it('FakeClock moves only when it is advanced', () => {
    const clock = new FakeClock(5);
    expect(clock.nowMillis()).toBe(5);
    clock.advance(2.5);
    expect(clock.nowMillis()).toBe(7.5);
  });

  it('RealClock never goes back', () => {
    const clock = new RealClock();
    const first = clock.nowMillis();
    expect(clock.nowMillis()).toBeGreaterThanOrEqual(first);
  });
});
