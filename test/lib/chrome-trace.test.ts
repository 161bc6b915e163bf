import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ChromeTrace } from '../../src/lib/chrome-trace.ts';

const thread = { processId: 1, threadId: 2 };

function newTrace(originMillis = 0) {
  const pieces: string[] = [];
  return { pieces, trace: new ChromeTrace((piece) => pieces.push(piece), originMillis) };
}

describe('ChromeTrace', () => {
  it('writes a JSON object, an event a line, times in microseconds from the origin', () => {
    const { pieces, trace } = newTrace(1000);
    trace.nameProcess(1, 'five nodes');
    trace.nameThread(thread, 'main');
    trace.add({
      name: 'filter',
      category: 'phase',
      thread,
      startMillis: 1000.5,
      endMillis: 1002,
      args: { pod: 'a/b' },
    });
    trace.mark(thread, 'here', 1003);
    trace.end();
    expect(pieces.join('')).toBe(
      '{"displayTimeUnit":"ns","traceEvents":[\n' +
        '{"name":"process_name","ph":"M","pid":1,"args":{"name":"five nodes"}},\n' +
        '{"name":"thread_name","ph":"M","pid":1,"tid":2,"args":{"name":"main"}},\n' +
        '{"name":"filter","cat":"phase","ph":"X","ts":500,"dur":1500,"pid":1,"tid":2,"args":{"pod":"a/b"}},\n' +
        '{"name":"here","ph":"i","s":"p","ts":3000,"pid":1,"tid":2}\n]}\n',
    );
  });

  it('is valid JSON whatever the names, also without events', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary-ascii' }), { maxLength: 5 }), (names) => {
        const { pieces, trace } = newTrace();
        for (const name of names)
          trace.add({ name, category: '', thread, startMillis: 0, endMillis: 0, args: { name } });
        trace.end();
        const { traceEvents } = JSON.parse(pieces.join(''));
        expect(traceEvents.map((event: { name: string }) => event.name)).toEqual(names);
      }),
    );
  });

  it('holds back little of a long trace', () => {
    const { pieces, trace } = newTrace();
    let longest = 0;
    for (let i = 0; i < 10_000; i++) {
      trace.add({ name: 'filter', category: 'phase', thread, startMillis: i, endMillis: i + 1, args: {} });
      longest = Math.max(longest, pieces.at(-1)?.length ?? 0);
    }
    expect(pieces.length).toBeGreaterThan(5);
    expect(longest).toBeLessThan(70_000);
    trace.end();
    expect(JSON.parse(pieces.join('')).traceEvents).toHaveLength(10_000);
  });

  it('lets nothing stick out of what it lies in, however times are rounded', () => {
    const millis = fc.double({ min: 0, max: 1e6, noNaN: true });
    fc.assert(
      fc.property(millis, millis, millis, (a, b, c) => {
        const [start, inner, end] = [a, b, c].sort((x, y) => x - y) as [number, number, number];
        const { pieces, trace } = newTrace();
        trace.add({ name: 'outer', category: '', thread, startMillis: start, endMillis: end, args: {} });
        trace.add({ name: 'inner', category: '', thread, startMillis: inner, endMillis: end, args: {} });
        trace.end();
        const [outer, within] = JSON.parse(pieces.join('')).traceEvents;
        const nanos = (event: { ts: number; dur: number }) =>
          [event.ts * 1e3, (event.ts + event.dur) * 1e3].map(Math.round);
        expect(nanos(within)[0]).toBeGreaterThanOrEqual(nanos(outer)[0] as number);
        expect(nanos(within)[1]).toBe(nanos(outer)[1]);
      }),
    );
  });
});
