import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type EngineName, Scheduler, type SchedulerOptions, SpanRecorder } from '../../../src/index.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';
import { arbitraryScript } from '../arbitrary-script.ts';
import { ClusterLife, probesOf } from '../event-script.ts';
import { misfits, SpanList, TickingClock } from './span-list.ts';

/** Records every decision, by a clock of its own. */
function watched(options: SchedulerOptions) {
  const list = new SpanList();
  const tracer = new SpanRecorder({ sinks: [list], clock: new TickingClock(), decisions: 'every' });
  return { list, scheduler: new Scheduler({ ...options, tracer }) };
}

const small = (name: string) => makePod(name, { requests: { cpu: 1 } });

describe.each<EngineName>(['simd', 'scalar', 'reference'])('a decision, watched, engine %s', (engine) => {
  function withNodes(options: SchedulerOptions = {}) {
    const { list, scheduler } = watched({ engine, ...options });
    scheduler.addNode(makeNode('n1'));
    scheduler.addNode(makeNode('n2', { cpu: 8 }));
    scheduler.addNode(makeNode('tainted', { taints: [{ key: 'a', effect: 'NoSchedule' }] }));
    return { list, scheduler };
  }

  /** The phases of the decision made last, without what lies within them. */
  const phasesOf = (list: SpanList) =>
    list.decisions
      .at(-1)
      ?.spans.filter(({ depth }) => depth === 1)
      .map(({ name }) => name);

  it('goes through its phases in order', () => {
    const { list, scheduler } = withNodes();
    scheduler.schedule(small('web'));
    expect(list.decisions[0]).toMatchObject({ pod: 'default/web', nodeName: 'n2' });
    expect(phasesOf(list)).toEqual(['encode', 'filter', 'score', 'select', 'reserve', 'assume', 'bind']);
    expect(list.decisions[0]?.spans.map(({ startMillis }) => startMillis)).toEqual(
      list.decisions[0]?.spans.map(({ startMillis }) => startMillis).toSorted((a, b) => a - b),
    );
  });

  it('shows the plugins of each phase where it asks them', () => {
    const { list, scheduler } = withNodes();
    scheduler.schedule(small('web'));
    const lines = list.lines().join('\n');
    expect(lines).toMatch(
      /^ {2}encode\n {4}preEnqueue\n {6}SchedulingGates\.preEnqueue\n {4}preFilter\n {6}NodeAffinity\./m,
    );
    expect(lines).toMatch(/^ +NodeUnschedulable\.filter @n1\n +NodeName\.filter @n1\n +TaintToleration\.filter @n1$/m);
    // Nobody is asked about a node after the first that rejects it.
    expect(lines).toMatch(/^ +TaintToleration\.filter @tainted\n(?! +\w+\.filter)/m);
    expect(lines).toMatch(/^ {4}TaintToleration\.score\n {4}NodeResourcesFit\.score$/m);
  });

  it('leaves out the phases that are not needed', () => {
    const { list, scheduler } = withNodes();
    scheduler.schedule(makePod('only-n2', { requests: { cpu: 6 } }));
    expect(phasesOf(list)).toEqual(['encode', 'filter', 'reserve', 'assume', 'bind']);
    scheduler.schedule(makePod('huge', { requests: { cpu: 60 } }));
    expect(phasesOf(list)).toEqual(['encode', 'filter', 'postFilter']);
    expect(list.lines(1).slice(-2)).toEqual(['    DynamicResources.postFilter', '    DefaultPreemption.postFilter']);
    expect(list.decisions[1]?.nodeName).toBeNull();
    scheduler.schedule(makePod('gated', { gates: ['g'] }));
    expect(list.lines(2)).toEqual(['schedule', '  encode', '    preEnqueue', '      SchedulingGates.preEnqueue']);
  });

  it('sees nodes that are kept for others', () => {
    const { list, scheduler } = withNodes();
    scheduler.addPod(makePod('waiting', { spec: { priority: 10 }, status: { nominatedNodeName: 'n1' } }));
    scheduler.schedule(small('web'));
    const asked = list.lines().filter((line) => line.includes('NodeName.filter @n1'));
    // The reference: with the nominated pod, and without it. Columns: for all pods of the class, and for this one.
    expect(asked).toHaveLength(2);
    expect(list.lines().includes('    nominatedNodes')).toBe(engine !== 'reference');
    expect(misfits(list.decisions[0]?.spans ?? [])).toEqual([]);
  });

  it('is not to be seen in explanations, nor without a tracer', () => {
    const { list, scheduler } = withNodes();
    scheduler.explain(small('web'));
    scheduler.schedule(small('web'));
    expect(list.decisions).toHaveLength(1);
    expect(list.lines()[1]).toBe('  encode');
    const unwatched = new Scheduler({ engine });
    unwatched.addNode(makeNode('n1'));
    unwatched.schedule(small('web'));
    expect(list.decisions).toHaveLength(1);
  });

  it('comes out as without anybody watching, over random lives of a cluster', () => {
    fc.assert(
      fc.property(arbitraryScript, (script) => {
        const list = new SpanList();
        const every = new SpanRecorder({ sinks: [list], clock: new TickingClock(), decisions: 'every' });
        const sampled = new SpanRecorder({ sinks: [list], clock: new TickingClock() });
        const [alone, ...seen] = [null, every, sampled].map((tracer) => new ClusterLife({ engine, tracer }, script));
        const probes = probesOf(script);
        for (const event of script.events) {
          const expected = [alone?.play(event), ...probes.map((probe) => alone?.scheduler.explain(probe))];
          for (const life of seen) {
            expect([life.play(event), ...probes.map((probe) => life.scheduler.explain(probe))]).toEqual(expected);
          }
        }
        for (const { spans } of list.decisions) expect(misfits(spans)).toEqual([]);
      }),
      { numRuns: 20 },
    );
  });
});

it('the reference asks every plugin about every node, one after the other', () => {
  const { list, scheduler } = watched({ engine: 'reference' });
  scheduler.addNode(makeNode('n1'));
  scheduler.addNode(makeNode('n2'));
  scheduler.schedule(small('web'));
  const filter = list.lines().slice(list.lines().indexOf('  filter'));
  const ofNode = (node: string) =>
    ['NodeUnschedulable', 'NodeName', 'TaintToleration', 'NodeResourcesFit'].map(
      (name) => `    ${name}.filter @${node}`,
    );
  expect(filter).toEqual([
    '  filter',
    ...ofNode('n1'),
    ...ofNode('n2'),
    '  score',
    '    preScore',
    ...['TaintToleration', 'NodeAffinity', 'VolumeBinding', 'PodTopologySpread', 'InterPodAffinity'].map(
      (name) => `      ${name}.preScore`,
    ),
    '      NodeResourcesBalancedAllocation.preScore',
    ...['TaintToleration', 'NodeResourcesFit', 'DynamicResources'].map((name) => `    ${name}.score`),
    ...['NodeResourcesBalancedAllocation', 'ImageLocality'].map((name) => `    ${name}.score`),
    ...['select', 'reserve', 'assume', 'bind'].map((name) => `  ${name}`),
  ]);
});

it.each(['simd', 'scalar'] as const)(
  'columns ask once for all pods of a class, and such decisions are rare: %s',
  (engine) => {
    const list = new SpanList();
    const scheduler = new Scheduler({ engine, tracer: new SpanRecorder({ sinks: [list], clock: new TickingClock() }) });
    for (let i = 0; i < 20; i++) scheduler.addNode(makeNode(`n${i}`, { cpu: 64, pods: 500 }));
    for (let i = 0; i < 400; i++) {
      scheduler.schedule(makePod(`p${i}`, { requests: { cpu: `${1 + (i % 8)}m` } }));
    }
    const firsts = list.decisions.filter((_, i) => list.lines(i).includes('    preFilter'));
    expect(firsts.map(({ pod }) => pod)).toEqual(Array.from({ length: 8 }, (_, i) => `default/p${i}`));
    expect(firsts.every(({ weight }) => weight === 1)).toBe(true);
    // By this clock recording takes all the time: of the other decisions few are recorded.
    expect(list.decisions.length).toBeLessThan(40);
  },
);
