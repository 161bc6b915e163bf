import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type EngineName, Scheduler, type SchedulerConfiguration } from '../../src/index.ts';
import { makeNode } from '../builders/make-node.ts';
import { makePod } from '../builders/make-pod.ts';
import { runs } from '../builders/runs.ts';
import { arbitraryProfile } from './arbitrary-profile.ts';
import { arbitraryScript } from './arbitrary-script.ts';
import { configured } from './configured.ts';
import { expectAlike } from './expect-alike.ts';

const numRuns = runs(40);

const named = (...names: string[]) => names.map((name) => ({ name }));
const withPlugins = (plugins: object, pluginConfig: object[] = []) =>
  configured({ profiles: [{ plugins, pluginConfig }] });

describe.each<EngineName>(['reference', 'scalar', 'simd'])('a configured scheduler, engine %s', (engine) => {
  /** Two nodes, of which the first is nearly full. */
  function start(configuration: SchedulerConfiguration): Scheduler {
    const scheduler = new Scheduler({ engine, configuration });
    for (const name of ['full', 'free'])
      scheduler.addNode(makeNode(name, { allocatable: { cpu: 4, memory: '8Gi', pods: 9 } }));
    scheduler.addPod(makePod('there', { requests: { cpu: 3, memory: '6Gi' }, nodeName: 'full' }));
    return scheduler;
  }
  const pod = makePod('p', { requests: { cpu: 1, memory: '1Gi' } });
  const large = makePod('p', { requests: { cpu: 9 } });
  const nodeOf = (scheduler: Scheduler, of = pod) => {
    const result = scheduler.schedule(of);
    return result.status === 'scheduled' ? result.node : result;
  };

  test('the profile is the one that the pod names', () => {
    const most = { scoringStrategy: { type: 'MostAllocated' } };
    const profiles = [
      { schedulerName: 'spread' },
      { schedulerName: 'pack', pluginConfig: [{ name: 'NodeResourcesFit', args: most }] },
    ];
    const scheduler = start(configured({ profiles }));
    const of = (schedulerName: string) => makePod(schedulerName, { requests: { cpu: 1 }, spec: { schedulerName } });
    expect(nodeOf(scheduler, of('pack'))).toBe('full');
    expect(nodeOf(scheduler, of('spread'))).toBe('free');
    expect(nodeOf(scheduler, of('other'))).toEqual({ status: 'notResponsible', schedulerName: 'other' });
    expect(nodeOf(scheduler)).toEqual({ status: 'notResponsible', schedulerName: 'default-scheduler' });
    expect(scheduler.explain(pod)).toMatchObject({ status: 'notResponsible', nodes: [], nodeOrder: [] });
  });

  test('a negative weight turns a preference round', () => {
    const multiPoint = { disabled: named('*'), enabled: named('PrioritySort', 'DefaultBinder') };
    const score = (weight: number) => ({ enabled: [{ name: 'NodeResourcesFit', weight }] });
    expect(nodeOf(start(withPlugins({ multiPoint, score: score(1) })))).toBe('free');
    expect(nodeOf(start(withPlugins({ multiPoint, score: score(-1) })))).toBe('full');
    // The weighted score is beyond 32 bits.
    expect(nodeOf(start(withPlugins({ multiPoint, score: score(-(2 ** 31)) })))).toBe('full');
  });

  test('a filter that is off rejects nothing', () => {
    expect(nodeOf(start(configured({})), large)).toMatchObject({ status: 'unschedulable' });
    expect(nodeOf(start(withPlugins({ filter: { disabled: named('NodeResourcesFit') } })), large)).toBe('free');
  });

  test('without plugins that score the first feasible node is taken', () => {
    const scheduler = start(withPlugins({ score: { disabled: named('*') } }));
    expect(scheduler.explain(pod)).toMatchObject({ feasible: ['full'], scoringSkipped: true });
    expect(nodeOf(scheduler)).toBe('full');
  });

  test.each([
    ['PodTopologySpread', 'reading "PreFilterPodTopologySpread" from cycleState: not found'],
    ['InterPodAffinity', 'error reading "PreFilterInterPodAffinity" from cycleState: not found'],
    ['NodeResourcesFit', 'error reading "PreFilterNodeResourcesFit" from cycleState: not found'],
    ['NodePorts', 'reading "PreFilterNodePorts" from cycleState: not found'],
    ['NodeDeclaredFeatures', 'error reading "PreFilterNodeDeclaredFeatures" from cycle-state: not found'],
    ['VolumeRestrictions', 'cannot read "PreFilterVolumeRestrictions" from cycleState'],
    ['VolumeBinding', 'not found'],
    ['DynamicResources', 'not found'],
  ])('a filter without the step before it fails the attempt in upstream words: %s', (name, reason) => {
    const multiPoint = { disabled: named('*'), enabled: named('PrioritySort', 'DefaultBinder') };
    const scheduler = start(withPlugins({ multiPoint, filter: { enabled: named(name) } }));
    const message = `running "${name}" filter plugin: ${reason}`;
    expect(scheduler.explain(pod)).toMatchObject({ status: 'error', feasible: [], nodes: [], message });
    expect([...scheduler.scheduleBatch([pod])]).toEqual([{ status: 'error', message }]);
    expect(scheduler.schedule(pod)).toEqual({ status: 'error', message });
  });

  test.each(['NodeAffinity', 'VolumeZone', 'NodeVolumeLimits'])('a filter that can do without: %s', (name) => {
    const multiPoint = { disabled: named('*'), enabled: named('PrioritySort', 'DefaultBinder') };
    expect(nodeOf(start(withPlugins({ multiPoint, filter: { enabled: named(name) } })))).toBe('full');
  });

  test.each([
    ['TaintToleration', 'failed to read "PreScoreTaintToleration" from cycleState: not found'],
    ['InterPodAffinity', 'failed to read "PreScoreInterPodAffinity" from cycleState: not found'],
    ['PodTopologySpread', 'error reading "PreScorePodTopologySpread" from cycleState: not found'],
    ['DynamicResources', 'not found'],
  ])('a score without the step before it fails the attempt in upstream words: %s', (name, reason) => {
    const multiPoint = { disabled: named('*'), enabled: named('PrioritySort', 'DefaultBinder') };
    const scheduler = start(withPlugins({ multiPoint, score: { enabled: named(name) } }));
    const message = `running Score plugins: plugin "${name}" failed with: ${reason}`;
    expect(scheduler.explain(pod)).toMatchObject({ status: 'error', message });
    expect(scheduler.schedule(pod)).toEqual({ status: 'error', message });
  });

  test('a score without the step before it fails the attempt, unless the plugin can do without', () => {
    const preScore = { disabled: named('TaintToleration', 'NodeAffinity', 'NodeResourcesBalancedAllocation') };
    const reason = 'failed to read "PreScoreTaintToleration" from cycleState: not found';
    expect(start(withPlugins({ preScore })).schedule(pod)).toEqual({
      status: 'error',
      message: `running Score plugins: plugin "TaintToleration" failed with: ${reason}`,
    });
    expect(nodeOf(start(withPlugins({ preScore, score: { disabled: named('TaintToleration') } })))).toBe('free');
  });

  test('affinity that is added to every pod', () => {
    const values = ['free'];
    const matchFields = [{ key: 'metadata.name', operator: 'NotIn', values }];
    const requiredDuringSchedulingIgnoredDuringExecution = { nodeSelectorTerms: [{ matchFields }] };
    const args = { addedAffinity: { requiredDuringSchedulingIgnoredDuringExecution } };
    const scheduler = start(withPlugins({}, [{ name: 'NodeAffinity', args }]));
    expect(scheduler.explain(pod).nodes.find(({ node }) => node === 'free')?.rejected?.reasons).toEqual([
      "node(s) didn't match scheduler-enforced node affinity",
    ]);
    expect(nodeOf(scheduler)).toBe('full');
  });

  test('extended resources that are ignored', () => {
    const args = { ignoredResources: ['a.com/x', 'cpu'], ignoredResourceGroups: ['b.com'] };
    const scheduler = start(withPlugins({}, [{ name: 'NodeResourcesFit', args }]));
    const asking = (requests: object) => makePod('p', { requests: { ...requests } });
    const reasons = (requests: object) =>
      scheduler.explain(asking(requests)).nodes.find(({ node }) => node === 'free')?.rejected?.reasons ?? [];
    expect(reasons({ 'a.com/x': 1, 'b.com/y': 1 })).toEqual([]);
    expect(reasons({ 'a.com/z': 1, cpu: 9 })).toEqual(['Insufficient cpu', 'Insufficient a.com/z']);
  });

  test('the percentage: an option first, then the profile, then the configuration', () => {
    const found = (options: object, profile: object): number | undefined => {
      const configuration = configured({ percentageOfNodesToScore: 80, profiles: [profile] });
      const scheduler = new Scheduler({ engine, configuration, ...options });
      for (let i = 0; i < 200; i++) scheduler.addNode(makeNode(`n${i}`));
      return scheduler.explain(makePod('p')).search?.numNodesToFind;
    };
    expect(found({}, {})).toBe(160);
    expect(found({}, { percentageOfNodesToScore: 60 })).toBe(120);
    expect(found({ percentageOfNodesToScore: 70 }, { percentageOfNodesToScore: 60 })).toBe(140);
  });
});

test('extenders are asked, or the pod is not decided', () => {
  const configuration = configured({ extenders: [{ urlPrefix: 'http://x', filterVerb: 'filter' }] });
  const scheduler = new Scheduler({ configuration });
  const pod = makePod('p');
  for (const decide of [
    () => scheduler.schedule(pod),
    () => scheduler.scheduleBatch([pod]),
    () => scheduler.explain(pod),
  ]) {
    expect(decide).toThrow(/^pod default\/p: an HTTP extender has to be asked: use (schedule|explain)Async$/);
  }
});

test('all engines answer alike under random profiles', () => {
  fc.assert(
    fc.property(arbitraryScript, arbitraryProfile, (script, profile) => {
      expectAlike(script, { configuration: configured({ percentageOfNodesToScore: 100, profiles: [profile] }) });
    }),
    { numRuns },
  );
});
