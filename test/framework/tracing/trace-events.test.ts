import { describe, expect, it } from 'vitest';
import { SpanRecorder } from '../../../src/framework/tracing/span-recorder.ts';
import { TraceEvents } from '../../../src/framework/tracing/trace-events.ts';
import { ChromeTrace } from '../../../src/lib/chrome-trace.ts';
import { FakeClock } from '../../../src/lib/clock.ts';
import { makePod } from '../../builders/make-pod.ts';

function tracing(maxEvents = 100) {
  let text = '';
  const clock = new FakeClock(5);
  const trace = new ChromeTrace((piece) => {
    text += piece;
  }, clock.nowMillis());
  const events = new TraceEvents({ trace, processId: 3, processName: 'two nodes', maxEvents });
  const recorder = new SpanRecorder({ sinks: [events], clock });
  const decide = (name: string, node: string | null) => {
    const decision = recorder.begin(makePod(name));
    decision?.phase('filter');
    decision?.startPlugin('filter', 'NodeName', 'n1');
    clock.advance(0.25);
    decision?.end();
    decision?.finish(node);
  };
  const read = () => {
    trace.end();
    return JSON.parse(text).traceEvents;
  };
  return { clock, events, recorder, decide, read };
}

describe('TraceEvents', () => {
  it('writes a decision, its phases and its plugins, with pod and node', () => {
    const { decide, read } = tracing();
    decide('web', 'n2');
    decide('big', null);
    expect(read()).toEqual([
      { name: 'process_name', ph: 'M', pid: 3, args: { name: 'two nodes' } },
      { name: 'thread_name', ph: 'M', pid: 3, tid: 1, args: { name: 'main' } },
      complete('schedule', 'decision', 0, { pod: 'default/web', node: 'n2' }),
      complete('filter', 'phase', 0, { pod: 'default/web', node: 'n2' }),
      complete('NodeName', 'plugin', 0, { pod: 'default/web', point: 'filter', node: 'n1' }),
      complete('schedule', 'decision', 250, { pod: 'default/big' }),
      complete('filter', 'phase', 250, { pod: 'default/big' }),
      complete('NodeName', 'plugin', 250, { pod: 'default/big', point: 'filter', node: 'n1' }),
    ]);
  });

  it('names a thread for each worker that works', () => {
    const { recorder, read } = tracing();
    recorder.work(2, 'filterFit', 6, 6.5);
    recorder.work(1, 'selectBest', 7, 8);
    recorder.work(2, 'selectBest', 7, 8);
    expect(read().slice(2)).toEqual([
      { name: 'thread_name', ph: 'M', pid: 3, tid: 3, args: { name: 'worker 2' } },
      { ...complete('filterFit', 'work', 1000, { worker: 2 }), dur: 500, tid: 3 },
      { name: 'thread_name', ph: 'M', pid: 3, tid: 2, args: { name: 'worker 1' } },
      { ...complete('selectBest', 'work', 2000, { worker: 1 }), dur: 1000, tid: 2 },
      { ...complete('selectBest', 'work', 2000, { worker: 2 }), dur: 1000, tid: 3 },
    ]);
  });

  it('stops before the decision that would be too much, and says so in the trace', () => {
    const { decide, events, recorder, read } = tracing(7);
    for (const name of ['a', 'b', 'c', 'd']) decide(name, null);
    recorder.work(1, 'filterFit', 6, 7);
    expect(events).toMatchObject({ isFull: true, decisionCount: 2 });
    expect(recorder.begin(makePod('e'))).toBeNull();
    const written = read().slice(2);
    expect(written.map(({ name }: { name: string }) => name)).toEqual([
      ...['schedule', 'filter', 'NodeName', 'schedule', 'filter', 'NodeName'],
      'no more than 7 events are recorded: the trace ends here',
    ]);
    expect(written.at(-1)).toMatchObject({ ph: 'i', s: 'p', ts: 500, pid: 3, tid: 1 });
  });
});

function complete(name: string, cat: string, ts: number, args: object) {
  return { name, cat, ph: 'X', ts, dur: 250, pid: 3, tid: 1, args };
}
