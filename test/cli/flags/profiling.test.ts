import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { berth, NODES, pod } from '../run-berth.ts';

const files = {
  'c.yaml': NODES + pod('a', '1') + pod('b', '1'),
  'bound.yaml': NODES + pod('a', '1', 'nodeName: n1, '),
};
const schedule = ['schedule', '-f', 'c.yaml'];
const bench = (...flags: string[]) => ['bench', '--kind', 'hetero', '--nodes', '20', '--pods', '30', ...flags];

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly args: Readonly<Record<string, string>>;
}

const eventsOf = (text: string | undefined): TraceEvent[] => JSON.parse(text ?? '').traceEvents;

describe('--phases', () => {
  it('adds a table to that of a benchmark, one for each engine', async () => {
    const { out } = await berth(bench('--phases', '--repeat', '2'));
    for (const engine of ['simd', 'scalar', 'reference']) {
      const table = out.slice(out.indexOf(`\nhetero, 20 nodes, 30 pods, ${engine}\nPHASE`)).split('\n\n')[0];
      expect(table).toMatch(
        /^PHASE +CALLS +TOTAL MS +MEAN µS +SHARE\nschedule +\d+ +\d+\.\d\d +\d+\.\d{3} +100\.0%\n {2}encode /m,
      );
      // Pods are placed by index in a few calls; the reference has them one by one.
      const phases = [...(table ?? '').matchAll(/^ {2}(\w+)/gm)].map(([, name]) => name);
      const isReference = engine === 'reference';
      expect(phases).toEqual(
        isReference
          ? ['encode', 'filter', 'score', 'select', 'reserve', 'assume', 'bind']
          : ['encode', 'place', 'assume'],
      );
      if (isReference) expect(table).toMatch(/^ {2}score +\d.*%\n(?: {4}.*\n)* {4}TaintToleration +\d/m);
      expect(table?.includes('placed by index in one call count as one')).toBe(!isReference);
    }
  });

  it('is in JSON beside the other results, summed up over the runs', async () => {
    const { out } = await berth(bench('--phases', '--repeat', '3', '--engine', 'reference', '-o', 'json'));
    const [{ phases, pods }] = JSON.parse(out).results;
    expect(phases.timedDecisions).toBeLessThanOrEqual(3 * pods);
    expect(phases.timedDecisions).toBeGreaterThan(0);
    expect(Object.keys(phases.times[0])).toEqual(['path', 'point', 'calls', 'totalMillis', 'meanMicros', 'share']);
    expect(phases.times[0]).toMatchObject({ path: ['schedule'], point: null, share: 1 });
    expect(phases.times[0].calls).toBeLessThanOrEqual(3 * pods);
    expect(phases.times).toContainEqual(
      expect.objectContaining({ path: ['schedule', 'filter', 'NodeResourcesFit'], point: 'filter' }),
    );
  });

  it('comes with placements, in every form', async () => {
    const table = await berth([...schedule, '--phases']);
    expect(table.logged[0]).toMatch(/no such file/);
    const { out } = await berth([...schedule, '--phases'], files);
    expect(out).toMatch(/^default +b +scheduled .*\n\nTime of 2 pods:\nPHASE +CALLS/m);
    const json = JSON.parse((await berth([...schedule, '--phases', '-o', 'json'], files)).out);
    expect(json.phases.times[0]).toMatchObject({ path: ['schedule'] });
    expect(json.summary.scheduled).toBe(2);
    expect(parse((await berth([...schedule, '--phases', '-o', 'yaml'], files)).out).phases.times[1].path).toEqual([
      ...['schedule', 'encode'],
    ]);
  });

  it('changes no decision', async () => {
    const hash = async (...flags: string[]) =>
      JSON.parse((await berth(bench('--engine', 'simd', '-o', 'json', ...flags))).out).results[0].decisionHash;
    expect(await hash('--phases', '--trace', 't.json')).toBe(await hash());
  });
});

describe('--trace', () => {
  it.each([
    ['simd', ['encode', 'filter', 'score', 'select', 'assume', 'bind']],
    ['reference', ['encode', 'filter', 'score', 'select', 'reserve', 'assume', 'bind']],
  ])('shows each decision with its phases, pod and node: %s', async (engine, phases) => {
    const { written } = await berth([...schedule, '--trace', 't.json', '--engine', engine], files);
    const events = eventsOf(written['t.json']);
    expect(events.slice(0, 2)).toMatchObject([
      { name: 'process_name', ph: 'M', args: { name: `2 nodes, ${engine}` } },
      { name: 'thread_name', ph: 'M', args: { name: 'main' } },
    ]);
    const ofPod = (key: string) => events.filter(({ args }) => args['pod'] === key);
    for (const key of ['default/a', 'default/b']) {
      const shown = ofPod(key).filter(({ name }) => phases.includes(name));
      expect(shown.map(({ name }) => name)).toEqual(phases);
      for (const event of shown) {
        expect(event).toMatchObject({ ph: 'X', args: { node: expect.stringMatching(/^n[12]$/) } });
      }
      expect(ofPod(key).map(({ name }) => name)).toContain('SchedulingGates');
    }
    const first = ofPod('default/a').map(({ name }) => name);
    expect(first).toContain('preFilter');
    expect(first).toContain('NodeResourcesFit');
  });

  it('has the first run of each case of a benchmark, as a process', async () => {
    const { written, logged } = await berth(bench('--trace', 't.json', '--repeat', '2'));
    const events = eventsOf(written['t.json']);
    expect(events.filter(({ name }) => name === 'process_name').map(({ pid, args }) => [pid, args['name']])).toEqual([
      [1, 'hetero, 20 nodes, 30 pods, simd'],
      [2, 'hetero, 20 nodes, 30 pods, scalar'],
      [3, 'hetero, 20 nodes, 30 pods, reference'],
    ]);
    for (const pid of [1, 2, 3]) {
      expect(events.filter((event) => event.pid === pid && event.name === 'schedule')).toHaveLength(30);
    }
    expect(logged).toEqual([]);
  });

  it('says how far it reaches when it has become too long', async () => {
    const argv = [...schedule, '--engine', 'reference', '--trace', 't.json', '--trace-events', '60'];
    const { written, logged, code } = await berth(argv, files);
    expect(code).toBe(0);
    expect(logged[0]).toBe(
      'warning: t.json: has the first 1 decisions of 2 nodes, reference; it ends at 60 events (--trace-events)',
    );
    const events = eventsOf(written['t.json']);
    expect(events.length).toBeLessThan(64);
    expect(events.at(-1)).toMatchObject({ name: 'no more than 60 events are recorded: the trace ends here', ph: 'i' });
  });

  it('is complete also when the work fails', async () => {
    const { written, logged } = await berth(['bench', '-f', 'bound.yaml', '--trace', 't.json'], files);
    expect(logged).toEqual(['error: file: there is no pending pod to schedule']);
    expect(eventsOf(written['t.json'])).toHaveLength(2);
  });
});

it.each([[['--phases']], [['--trace', 't']], [['--cpu-profile', 'c']]])(
  'a suite is not profiled: %j',
  async (flags) => {
    const { code, logged, written } = await berth(['bench', '--suite', 'core', ...flags]);
    expect({ code, written }).toEqual({ code: 1, written: {} });
    expect(logged).toEqual([expect.stringMatching(/^error: option '--suite <name>' cannot be used with option '--\w/)]);
  },
);
