import { describe, expect, it } from 'vitest';
import { classIndexSuite } from '../bench/kernels/class-index.bench.ts';
import { filterSuite } from '../bench/kernels/filter.bench.ts';
import { fullScanSuite } from '../bench/kernels/full-scan.bench.ts';
import { scoreSuite } from '../bench/kernels/score.bench.ts';
import { selectSuite } from '../bench/kernels/select.bench.ts';

describe('kernel benchmarks, tiny', () => {
  it.each([filterSuite, scoreSuite, selectSuite, fullScanSuite, classIndexSuite])(
    '%O runs, both builds write the same',
    (suite) => {
      const timings = suite({ tiny: true });
      const hashes = (kind: string) => timings.filter((timing) => timing.kind === kind).map(({ hash }) => hash);
      expect(hashes('scalar').length).toBeGreaterThan(0);
      expect(hashes('simd')).toEqual(hashes('scalar'));
      for (const { nanosPerUnit } of timings) expect(nanosPerUnit).toBeGreaterThan(0);
    },
  );
});
