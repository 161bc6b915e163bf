import { describe, expect, it } from 'vitest';
import { PhaseTimes } from '../../../src/framework/tracing/phase-times.ts';
import type { RecordedDecision, Span } from '../../../src/framework/tracing/span.ts';
import { makePod } from '../../builders/make-pod.ts';

const FREE = { millis: 0, withinMillis: 0 };

function span(depth: number, name: string, startMillis: number, endMillis: number, more: Partial<Span> = {}): Span {
  return { name, point: null, node: null, weight: 1, depth, startMillis, endMillis, descendants: 0, ...more };
}

function decision(spans: readonly Span[], more: Partial<RecordedDecision> = {}): RecordedDecision {
  return { pod: makePod('p'), nodeName: null, spans, spanCount: spans.length, weight: 1, spanCost: FREE, ...more };
}

describe('PhaseTimes', () => {
  it('sums up by place, decisions and nodes for as many as they stand for', () => {
    const times = new PhaseTimes();
    times.add(
      decision(
        [
          span(0, 'schedule', 0, 10),
          span(1, 'encode', 0, 2),
          span(1, 'filter', 2, 8),
          span(2, 'NodeName', 2, 2.5, { point: 'filter', node: 'n1', weight: 4 }),
          span(2, 'NodeName', 3, 3.25, { point: 'filter', node: 'n9', weight: 8 }),
          span(2, 'NodeName', 4, 5, { point: 'score' }),
        ],
        { weight: 3 },
      ),
    );
    times.add(decision([span(0, 'schedule', 20, 22), span(1, 'encode', 20, 22)]));
    const report = times.report();
    expect(report.timedDecisions).toBe(2);
    const rows = report.times.map(({ path, point, calls, totalMillis }) => [path.join('/'), point, calls, totalMillis]);
    expect(rows).toEqual([
      ['schedule', null, 4, 32],
      ['schedule/encode', null, 4, 8],
      ['schedule/filter', null, 3, 18],
      ['schedule/filter/NodeName', 'filter', 36, 12],
      ['schedule/filter/NodeName', 'score', 3, 3],
    ]);
    expect(report.times.map(({ share }) => share)).toEqual([1, 0.25, 18 / 32, 12 / 32, 3 / 32]);
    expect(report.times[2]?.meanMicros).toBe(6000);
  });

  it('takes out what recording has taken, of a span and of all within it', () => {
    const times = new PhaseTimes();
    const spans = [
      span(0, 'schedule', 0, 10, { descendants: 2 }),
      span(1, 'filter', 0, 8, { descendants: 1 }),
      span(2, 'NodeName', 2, 2.25, { point: 'filter' }),
    ];
    times.add(decision(spans, { spanCost: { millis: 1, withinMillis: 0.5 } }));
    // What took nothing can look as if it took less.
    expect(times.report().times.map(({ totalMillis }) => totalMillis)).toEqual([7.5, 6.5, 0]);
  });

  it('passes over what an earlier decision left behind the last span', () => {
    const times = new PhaseTimes();
    times.add(decision([span(0, 'schedule', 0, 1), span(1, 'bind', 0, 1)], { spanCount: 1 }));
    expect(times.report().times).toHaveLength(1);
  });

  it('has nothing to say before the first decision', () => {
    expect(new PhaseTimes().report()).toEqual({ timedDecisions: 0, times: [] });
  });
});
