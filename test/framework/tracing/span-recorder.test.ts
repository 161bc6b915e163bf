import { describe, expect, it } from 'vitest';
import { SpanRecorder } from '../../../src/framework/tracing/span-recorder.ts';
import { FakeClock } from '../../../src/lib/clock.ts';
import { makePod } from '../../builders/make-pod.ts';
import { misfits, SpanList, TickingClock } from './span-list.ts';

const pod = makePod('web');

describe('SpanRecorder', () => {
  it('records phases one after the other, and what lies within them', () => {
    const clock = new FakeClock(100);
    const list = new SpanList();
    const recorder = new SpanRecorder({ sinks: [list], clock });
    const trace = recorder.begin(pod);
    trace?.phase('encode');
    clock.advance(1);
    trace?.start('preFilter');
    trace?.startPlugin('preFilter', 'NodeAffinity');
    clock.advance(2);
    trace?.end();
    trace?.end();
    clock.advance(4);
    trace?.phase('select');
    clock.advance(8);
    trace?.finish('n1');
    expect(list.lines()).toEqual(['schedule', '  encode', '    preFilter', '      NodeAffinity.preFilter', '  select']);
    const [decision] = list.decisions;
    expect(decision).toMatchObject({ pod: 'default/web', nodeName: 'n1', weight: 1 });
    expect(decision?.spans.map(({ startMillis, endMillis }) => [startMillis, endMillis])).toEqual([
      [100, 115],
      [100, 107],
      [101, 103],
      [101, 103],
      [107, 115],
    ]);
    expect(misfits(decision?.spans ?? [])).toEqual([]);
  });

  it('goes on with a phase that is said again, but not with what was open in it', () => {
    const list = new SpanList();
    const recorder = new SpanRecorder({ sinks: [list], clock: new TickingClock(), decisions: 'every' });
    const trace = recorder.begin(pod);
    for (const phase of ['encode', 'encode', 'filter', 'encode'] as const) trace?.phase(phase);
    trace?.start('preFilter');
    trace?.phase('encode');
    trace?.finish(null);
    expect(list.lines()).toEqual(['schedule', '  encode', '  filter', '  encode', '    preFilter', '  encode']);
    expect(misfits(list.decisions[0]?.spans ?? [])).toEqual([]);
  });

  it('shows each pod where every decision is recorded, runs where decisions stand for others', () => {
    expect(new SpanRecorder({ sinks: [], clock: new TickingClock(), decisions: 'every' }).eachPod).toBe(true);
    expect(new SpanRecorder({ sinks: [], clock: new TickingClock() }).eachPod).toBe(false);
  });

  it('ends with a phase everything that was left open in the one before', () => {
    const list = new SpanList();
    const recorder = new SpanRecorder({ sinks: [list], clock: new TickingClock(), decisions: 'every' });
    const trace = recorder.begin(pod);
    trace?.phase('encode');
    trace?.start('preFilter');
    trace?.phase('filter');
    trace?.startPlugin('filter', 'NodeName');
    trace?.finish(null);
    expect(list.lines()).toEqual(['schedule', '  encode', '    preFilter', '  filter', '    NodeName.filter']);
    expect(misfits(list.decisions[0]?.spans ?? [])).toEqual([]);
    expect(() => trace?.finish(null)).toThrow('a decision ends once');
    expect(() => trace?.end()).toThrow('what ends was started');
  });

  it('forgets a decision that was never finished', () => {
    const list = new SpanList();
    const recorder = new SpanRecorder({ sinks: [list], clock: new FakeClock() });
    recorder.begin(pod)?.phase('filter');
    recorder.begin(makePod('next'))?.finish(null);
    expect(list.decisions.map(({ pod }) => pod)).toEqual(['default/next']);
    expect(list.lines()).toEqual(['schedule']);
  });

  it('says for how many nodes the one stands that is asked', () => {
    const list = new SpanList();
    const recorder = new SpanRecorder({ sinks: [list], clock: new FakeClock() });
    const trace = recorder.begin(pod);
    const askAll = () => {
      for (let node = 0; node < 8; node++) {
        const chosen = trace?.atNode();
        chosen?.startPlugin('filter', 'NodeName', `n${node}`);
        chosen?.end();
      }
    };
    for (const phase of ['filter', 'postFilter'] as const) {
      trace?.phase(phase);
      askAll();
    }
    trace?.finish(null);
    const weights = list.decisions[0]?.spans.filter(({ node }) => node !== null).map(({ weight }) => weight);
    // Choosing starts anew with each phase.
    expect(weights).toEqual([1, 1, 1, 1, 2, 2, 1, 1, 1, 1, 2, 2]);
  });

  it('records rare decisions from the moment on that they are known to be, and for themselves alone', () => {
    const list = new SpanList();
    const recorder = new SpanRecorder({ sinks: [list], clock: new TickingClock() });
    let common = 0;
    for (let i = 0; i < 2000; i++) {
      const trace = recorder.begin(pod);
      trace?.phase('encode');
      const isRare = i % 100 === 99;
      const now = isRare ? recorder.rare(pod) : trace;
      now?.start('preFilter');
      now?.end();
      now?.finish(null);
      if (!isRare && now !== null) common++;
    }
    expect(list.decisions.length - common).toBe(20);
    // Recording takes all of the time of this clock: few are chosen.
    expect(common).toBeLessThan(100);
    for (const i of list.decisions.keys()) expect(list.lines(i)).toEqual(['schedule', '  encode', '    preFilter']);
    const represented = list.decisions.reduce((sum, { weight }) => sum + weight, 0);
    expect(represented).toBeLessThanOrEqual(2000);
    expect(represented).toBeGreaterThan(1500);
  });

  it('records nothing more once nobody takes more', () => {
    const [one, other] = [new SpanList(), new SpanList()];
    const recorder = new SpanRecorder({ sinks: [one, other], clock: new FakeClock() });
    one.isFull = true;
    recorder.begin(pod)?.finish(null);
    other.isFull = true;
    recorder.begin(pod)?.finish(null);
    expect(recorder.begin(pod)).toBeNull();
    expect(recorder.rare(pod)).toBeNull();
    expect(other.decisions).toHaveLength(2);
  });

  it('hands on what workers did', () => {
    const list = new SpanList();
    new SpanRecorder({ sinks: [list], clock: new FakeClock() }).work(2, 'filterFit', 3, 4.5);
    expect(list.work).toEqual([[2, 'filterFit', 3, 4.5]]);
  });
});
