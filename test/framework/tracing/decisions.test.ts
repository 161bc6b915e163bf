import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type EngineName, PhaseTimes, Scheduler, type SchedulerOptions, SpanRecorder } from '../../../src/index.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';
import { makeClaim, makeVolume } from '../../builders/make-storage.ts';
import { arbitraryScript } from '../../core/arbitrary-script.ts';
import { ClusterLife, probesOf } from '../../core/event-script.ts';
import { misfits, SpanList, TickingClock } from './span-list.ts';

/** Records every decision, by a clock of its own. */
function traced(options: SchedulerOptions) {
  const list = new SpanList();
  const tracer = new SpanRecorder({ sinks: [list], clock: new TickingClock(), decisions: 'every' });
  return { list, scheduler: new Scheduler({ ...options, tracer }) };
}

const small = (name: string) => makePod(name, { requests: { cpu: 1 } });

describe.each<EngineName>(['simd', 'scalar', 'reference'])('a traced decision, engine %s', (engine) => {
  function withNodes(options: SchedulerOptions = {}) {
    const { list, scheduler } = traced({ engine, ...options });
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

  /** Pods that wait for nodes that are not there: the index is asked, and leaves so many to a cycle. */
  const withoutIndex = (scheduler: Scheduler) => {
    for (let i = 0; i <= 1024; i++) scheduler.addPod(makePod(`m${i}`, { status: { nominatedNodeName: `gone${i}` } }));
  };

  const isIndexed = engine !== 'reference';
  const asked = isIndexed ? ['encode', 'filter'] : [];
  const cycle = ['encode', 'filter', 'score', 'select', 'reserve', 'assume', 'bind'];
  const byIndex = ['encode', 'filter', 'score', 'select', 'assume', 'bind'];

  it('goes through its phases in order', () => {
    const { list, scheduler } = withNodes();
    withoutIndex(scheduler);
    scheduler.schedule(small('web'));
    expect(list.decisions[0]).toMatchObject({ pod: 'default/web', nodeName: 'n2' });
    expect(phasesOf(list)).toEqual([...asked, ...cycle]);
    const starts = list.decisions[0]?.spans.map(({ startMillis }) => startMillis);
    expect(starts).toEqual(starts?.toSorted((a, b) => a - b));
  });

  it('goes through fewer of them by index', () => {
    const { list, scheduler } = withNodes();
    scheduler.schedule(small('web'));
    expect(list.decisions[0]).toMatchObject({ pod: 'default/web', nodeName: 'n2' });
    expect(phasesOf(list)).toEqual(isIndexed ? byIndex : cycle);
    expect(misfits(list.decisions[0]?.spans ?? [])).toEqual([]);
  });

  it('reserves by index what a pod with a volume needs', () => {
    const { list, scheduler } = withNodes();
    scheduler.setObject('PersistentVolumeClaim', makeClaim('data', { volume: 'disk' }));
    scheduler.setObject('PersistentVolume', makeVolume('disk'));
    const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }];
    expect(scheduler.schedule(makePod('db', { spec: { volumes } })).status).toBe('scheduled');
    const placed = ['encode', 'filter', 'score', 'select', 'assume', 'reserve', 'assume', 'bind'];
    expect(phasesOf(list)).toEqual(isIndexed ? placed : cycle);
  });

  it('takes ties as upstream does by index, also where other pods have a say', () => {
    const { list, scheduler } = traced({ engine, tieBreak: 'upstream' });
    const names = ['n1', 'n2', 'n3'];
    for (const name of names) scheduler.addNode(makeNode(name, { labels: { 'kubernetes.io/hostname': name } }));
    scheduler.schedule(small('tie'));
    expect(phasesOf(list)).toEqual(isIndexed ? byIndex : cycle);
    scheduler.removePod('default', 'tie');
    const other = makePod('other', { nodeName: 'n1' });
    scheduler.addPod({ ...other, metadata: { ...other.metadata, labels: { app: 'web' } } });
    const term = { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'web' } } };
    const affinity = { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } };
    scheduler.schedule(makePod('alone', { spec: { affinity } }));
    expect(phasesOf(list)).toEqual(isIndexed ? ['encode', 'score', 'select', 'assume', 'bind'] : cycle);
  });

  it('scores and filters in one by topology', () => {
    const { list, scheduler } = traced({ engine });
    for (const name of ['n1', 'n2']) scheduler.addNode(makeNode(name, { labels: { 'kubernetes.io/hostname': name } }));
    const term = { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'web' } } };
    const affinity = { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } };
    for (const name of ['a', 'b']) {
      const pod = makePod(name, { spec: { affinity } });
      scheduler.schedule({ ...pod, metadata: { ...pod.metadata, labels: { app: 'web' } } });
    }
    expect(list.decisions.map(({ nodeName }) => nodeName).toSorted()).toEqual(['n1', 'n2']);
    const onlyNode = ['encode', 'filter', 'reserve', 'assume', 'bind'];
    expect(phasesOf(list)).toEqual(isIndexed ? ['encode', 'score', 'select', 'assume', 'bind'] : onlyNode);
  });

  it('shows the plugins of each phase where it asks them', () => {
    const { list, scheduler } = withNodes();
    withoutIndex(scheduler);
    scheduler.schedule(small('web'));
    const lines = list.lines().join('\n');
    expect(lines).toMatch(/^ {2}encode\n {4}preEnqueue\n( {6}\w+\.preEnqueue\n){2} {4}preFilter\n {6}NodeAffinity\./m);
    if (isIndexed) {
      // Each filter is asked once for nodes that look the same to it. A part of the calls after the fourth is shown.
      expect(lines).toMatch(/^ +NodeUnschedulable\.filter @n1\n +NodeUnschedulable\.filter @tainted\n/m);
      expect(lines).toMatch(/@tainted\n +NodeName\.filter @n1\n +TaintToleration\.filter @n1$/m);
    } else {
      expect(lines).toMatch(
        /^ +NodeUnschedulable\.filter @n1\n +NodeName\.filter @n1\n +TaintToleration\.filter @n1$/m,
      );
      // Nobody is asked about a node after the first that rejects it.
      expect(lines).toMatch(/^ +TaintToleration\.filter @tainted\n(?! +\w+\.filter)/m);
    }
    expect(lines).toMatch(/^ {4}TaintToleration\.score( @n1)?\n {4}NodeResourcesFit\.score( @n1)?$/m);
  });

  it('leaves out the phases that are not needed', () => {
    const { list, scheduler } = withNodes();
    withoutIndex(scheduler);
    scheduler.schedule(makePod('only-n2', { requests: { cpu: 6 } }));
    expect(phasesOf(list)).toEqual([...asked, 'encode', 'filter', 'reserve', 'assume', 'bind']);
    scheduler.schedule(makePod('huge', { requests: { cpu: 60 } }));
    expect(phasesOf(list)).toEqual([...asked, 'encode', 'filter', 'postFilter']);
    expect(list.lines(1).slice(-2)).toEqual(['    DynamicResources.postFilter', '    DefaultPreemption.postFilter']);
    expect(list.decisions[1]?.nodeName).toBeNull();
    scheduler.schedule(makePod('gated', { gates: ['g'] }));
    const gates = ['    preEnqueue', '      SchedulingGates.preEnqueue'];
    expect(list.lines(2)).toEqual(['schedule', '  encode', ...(isIndexed ? gates : []), ...gates]);
  });

  it('asks a cycle for the reasons when the index finds no node', () => {
    const { list, scheduler } = withNodes();
    scheduler.schedule(makePod('huge', { requests: { cpu: 60 } }));
    const attempt = isIndexed ? ['encode', 'filter', 'score'] : [];
    expect(phasesOf(list)).toEqual([...attempt, 'encode', 'filter', 'postFilter']);
    expect(list.lines().slice(-2)).toEqual(['    DynamicResources.postFilter', '    DefaultPreemption.postFilter']);
    scheduler.schedule(makePod('gated', { gates: ['g'] }));
    const gates = ['    preEnqueue', '      SchedulingGates.preEnqueue'];
    expect(list.lines(1)).toEqual(['schedule', '  encode', ...gates, ...(isIndexed ? gates : [])]);
  });

  it('is made for each pod of a batch', () => {
    const { list, scheduler } = withNodes();
    scheduler.scheduleBatch([small('a'), small('b'), makePod('huge', { requests: { cpu: 60 } }), small('c')]);
    expect(list.decisions.map(({ pod, nodeName }) => [pod, nodeName])).toEqual([
      ['default/a', 'n2'],
      ['default/b', 'n2'],
      ['default/huge', null],
      ['default/c', 'n1'],
    ]);
    expect(phasesOf(list)).toEqual(isIndexed ? byIndex : cycle);
  });

  it('sees nodes that are kept for others', () => {
    const { list, scheduler } = withNodes();
    scheduler.addPod(makePod('waiting', { spec: { priority: 10 }, status: { nominatedNodeName: 'n1' } }));
    scheduler.schedule(small('web'));
    const asked = list.lines().filter((line) => line.includes('NodeName.filter @n1'));
    // The reference: with the nominated pod, and without it. Columns: for all pods of the signature, and for this one.
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

const PRE_SCORERS = [
  ...['TaintToleration', 'NodeAffinity', 'NodeResourcesFit', 'VolumeBinding', 'PodTopologySpread', 'InterPodAffinity'],
  'NodeResourcesBalancedAllocation',
];
const SCORERS = [
  ...['TaintToleration', 'NodeResourcesFit', 'DynamicResources'],
  ...['NodeResourcesBalancedAllocation', 'ImageLocality'],
];

it('the reference asks every plugin about every node, one after the other', () => {
  const { list, scheduler } = traced({ engine: 'reference' });
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
    ...PRE_SCORERS.map((name) => `      ${name}.preScore`),
    ...['n1', 'n2'].flatMap((node) => SCORERS.map((name) => `    ${name}.score @${node}`)),
    ...['select', 'reserve', 'assume', 'bind'].map((name) => `  ${name}`),
  ]);
});

it.each(['simd', 'scalar'] as const)(
  'columns ask once for all pods of a signature, and such decisions are rare: %s',
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
    // On this clock, recording takes all the time: few of the other decisions are recorded.
    expect(list.decisions.length).toBeLessThan(40);
  },
);

describe.each(['simd', 'scalar'] as const)('a traced run of pods, engine %s', (engine) => {
  const pods = (prefix: string, count: number) => Array.from({ length: count }, (_, i) => small(`${prefix}${i}`));
  const tops = (list: SpanList, decision: number) =>
    list.decisions[decision]?.spans.filter(({ depth }) => depth === 1).map(({ name }) => name);

  function sampled(clock = new TickingClock()) {
    const list = new SpanList();
    const times = new PhaseTimes();
    const tracer = new SpanRecorder({ sinks: [list, times], clock });
    const scheduler = new Scheduler({ engine, tracer });
    for (let i = 0; i < 4; i++) scheduler.addNode(makeNode(`n${i}`, { cpu: 500, pods: 500 }));
    return { list, times, scheduler };
  }

  it('is one decision, under the name of its first pod', () => {
    // To the recorder its own work seems to take no time; the rest does.
    const clock = new TickingClock(0);
    const { list, times, scheduler } = sampled(clock);
    clock.stepMillis = 1;
    scheduler.scheduleBatch(pods('a', 100));
    expect(list.decisions).toMatchObject([{ pod: 'default/a0', nodeName: 'n0', weight: 1 }]);
    expect(tops(list, 0)).toEqual(['encode', 'place', 'assume']);
    // Spans of each pod would take as long as to place it.
    expect(list.decisions[0]?.spans.length).toBeLessThan(100);
    expect(list.lines().filter((line) => line.includes('preEnqueue'))).toEqual([]);
    expect(misfits(list.decisions[0]?.spans ?? [])).toEqual([]);
    const rows = times.report().times.filter(({ path }) => path.length < 3);
    const [whole] = list.decisions[0]?.spans ?? [];
    const millis = (whole?.endMillis ?? 0) - (whole?.startMillis ?? 0);
    // A millisecond passes before the first phase.
    expect(rows.map(({ path, calls, totalMillis, share }) => [path.at(-1), calls, totalMillis, share])).toEqual([
      ['schedule', 1, millis, 1],
      ['encode', 1, millis - 3, (millis - 3) / millis],
      ['place', 1, 1, 1 / millis],
      ['assume', 1, 1, 1 / millis],
    ]);
  });

  it('ends before a pod that fits nowhere, which has a decision of its own', () => {
    const { list, scheduler } = sampled();
    scheduler.scheduleBatch([...pods('a', 70), makePod('huge', { requests: { cpu: 5000 } }), ...pods('b', 70)]);
    expect(list.decisions.map(({ pod, weight }) => [pod, weight])).toEqual([
      ['default/a0', 1],
      ['default/huge', 1],
      ['default/b0', 1],
    ]);
    expect(tops(list, 1)).toEqual(['encode', 'place', 'encode', 'filter', 'postFilter']);
  });

  it('stands for itself alone where single pods stand for many, and they for each other', () => {
    const { list, scheduler } = sampled();
    for (const pod of pods('one', 600)) scheduler.schedule(pod);
    const before = list.decisions.length;
    for (let run = 0; run < 3; run++) scheduler.scheduleBatch(pods(`run${run}-`, 100));
    expect(list.decisions.slice(before).map(({ pod, weight }) => [pod, weight])).toEqual([
      ['default/run0-0', 1],
      ['default/run1-0', 1],
      ['default/run2-0', 1],
    ]);
    // A short run is like a single pod.
    for (let run = 0; run < 600; run++) scheduler.scheduleBatch(pods(`short${run}-`, 1));
    const short = list.decisions.slice(before + 3);
    expect(short.length).toBeLessThan(60);
    const weights = list.decisions.reduce((sum, { weight }) => sum + weight, 0);
    expect(weights).toBeLessThanOrEqual(1203);
    expect(weights).toBeGreaterThan(600);
  });
});
