import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { logAxis } from '../../../src/cli/plot/log-axis.ts';
import { element, text } from '../../../src/cli/plot/markup.ts';
import { throughputPlot } from '../../../src/cli/plot/throughput-plot.ts';
import { benchResult } from '../../builders/make-bench-result.ts';

describe('logAxis', () => {
  it('covers whole decades', () => {
    const axis = logAxis([2000, 500_000], 0, 300);
    expect(axis.ticks).toEqual([1e3, 1e4, 1e5, 1e6]);
    expect([1e3, 1e4, 1e6].map(axis.pixel)).toEqual([0, 100, 300]);
  });

  it('has room for a single value, and may run upwards', () => {
    expect(logAxis([1000], 0, 300).ticks).toEqual([1e3, 1e4]);
    expect(logAxis([1, 10], 200, 20).pixel(10)).toBe(20);
  });

  it('keeps every value between its ends, in order', () => {
    const values = fc.array(fc.double({ min: 1e-3, max: 1e9, noNaN: true }), { minLength: 1, maxLength: 9 });
    fc.assert(
      fc.property(values, (unsorted) => {
        const sorted = unsorted.toSorted((a, b) => a - b);
        const { pixel } = logAxis(sorted, 10, 110);
        const pixels = sorted.map(pixel);
        expect(pixels.toSorted((a, b) => a - b)).toEqual(pixels);
        expect(pixels[0]).toBeGreaterThanOrEqual(10 - 1e-6);
        expect(pixels.at(-1)).toBeLessThanOrEqual(110 + 1e-6);
      }),
    );
  });
});

it('markup escapes text and attributes', () => {
  expect(element('a', { title: '"<&' }, text('1 < 2'), element('b', {}))).toBe(
    '<a title="&quot;&lt;&amp;">1 &lt; 2<b></b></a>',
  );
});

describe('throughputPlot', () => {
  const fast = [1000, 5000].map((nodes) => benchResult({ nodes, pods: 1000, seconds: nodes / 1e6 }));
  const results = [
    ...fast,
    ...fast.map((result) => benchResult({ ...result, index: false, podsPerSecond: 1000 })),
    benchResult({ ...fast[0], kind: 'spread', engine: 'scalar', workers: 2 }),
  ];

  it('has a panel a kind, a line a variant, a mark with its numbers a result', () => {
    const svg = throughputPlot(results) ?? '';
    const titles = [...svg.matchAll(/<title>([^<]*)<\/title>/g)].map((match) => match[1]);
    expect(titles).toEqual([
      'basic, simd: 1,000,000 pods/s on 1,000 nodes',
      'basic, simd: 200,000 pods/s on 5,000 nodes',
      'basic, simd index off: 1,000 pods/s on 1,000 nodes',
      'basic, simd index off: 1,000 pods/s on 5,000 nodes',
      'spread, scalar 2 workers: 1,000,000 pods/s on 1,000 nodes',
    ]);
    expect(svg.match(/<path /g)).toHaveLength(3);
    // One line in its panel, and its like in the legend.
    expect(svg.match(/stroke-dasharray/g)).toHaveLength(2);
    expect(svg.match(/<rect /g)).toHaveLength(2);
    expect([...svg.matchAll(/font-weight="600">(\w+)</g)].map((match) => match[1])).toEqual(['basic', 'spread']);
  });

  it('draws higher what is faster, and on the right what is larger', () => {
    const svg = throughputPlot(fast) ?? '';
    const marks = [...svg.matchAll(/<circle cx="([\d.]+)" cy="([\d.]+)"[^>]*><title>/g)];
    const [small, large] = marks.map(([, x, y]) => [Number(x), Number(y)]);
    expect(small![0]).toBeLessThan(large![0]!);
    expect(small![1]).toBeLessThan(large![1]!);
  });

  it('is not drawn without results over all nodes', () => {
    expect(throughputPlot([])).toBeNull();
    expect(throughputPlot([benchResult({ percentageOfNodesScored: 50 })])).toBeNull();
  });
});
