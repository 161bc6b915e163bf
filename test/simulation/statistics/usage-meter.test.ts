import { describe, expect, it } from 'vitest';
import { UsageMeter } from '../../../src/simulation/statistics/usage-meter.ts';

describe('UsageMeter', () => {
  it('averages over time, and keeps the peak', () => {
    const meter = new UsageMeter();
    meter.offer([['cpu', 100]], 1, 1000);
    meter.request([['cpu', 50]], 1, 2000);
    meter.request([['cpu', 30]], 1, 3000);
    meter.request([['cpu', 50]], -1, 4000);
    expect(meter.share('cpu')).toBe(0.3);
    // 0, 0.5, 0.8, 0.3 for a second each.
    expect(meter.usage(5000)).toEqual({ cpu: { average: 0.4, peak: 0.8 } });
  });

  it('leaves out what nobody offers', () => {
    const meter = new UsageMeter();
    meter.offer([['cpu', 0]], 1, 0);
    meter.request([['memory', 5]], 1, 0);
    expect(meter.usage(10)).toEqual({});
  });

  it('follows nodes that come and go', () => {
    const meter = new UsageMeter();
    meter.offer([['cpu', 10]], 1, 0);
    meter.request([['cpu', 5]], 1, 0);
    meter.offer([['cpu', 10]], 1, 10);
    expect(meter.share('cpu')).toBe(0.25);
    meter.offer([['cpu', 10]], -1, 20);
    expect(meter.usage(20)['cpu']?.average).toBe(0.375);
  });
});
