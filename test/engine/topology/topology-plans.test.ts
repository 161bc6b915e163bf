import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import type { ObjectMeta } from '../../../src/api/meta.ts';
import type { Pod, PodSpec } from '../../../src/api/pod.ts';
import { ZONE_LABEL } from '../../../src/api/topology-spread.ts';
import { TopologyIndex } from '../../../src/engine/topology/topology-index.ts';
import { type EngineName, Scheduler } from '../../../src/index.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';
import { runs } from '../../builders/runs.ts';

interface Variant {
  readonly what: string;
  readonly metadata?: ObjectMeta;
  readonly spec?: PodSpec;
}

const onPoolY = { matchExpressions: [{ key: 'pool', operator: 'In', values: ['y'] }] };
const selector = { matchLabels: { app: 'web' } };
const evenly = { maxSkew: 1, topologyKey: ZONE_LABEL, whenUnsatisfiable: 'DoNotSchedule', labelSelector: selector };
const honoringTaints = { ...evenly, nodeTaintsPolicy: 'Honor' };
const near = { topologyKey: ZONE_LABEL, labelSelector: selector };

/** Pods that each differ from the first in one thing, and get another plan for it. */
const variants: readonly Variant[] = [
  { what: 'the base' },
  { what: 'tolerations', spec: { tolerations: [{ operator: 'Exists' }] } },
  { what: 'a node selector', spec: { nodeSelector: { pool: 'y' } } },
  {
    what: 'node affinity',
    spec: {
      affinity: {
        nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [onPoolY] } },
      },
    },
  },
  { what: 'labels that its own constraint does not count', metadata: { labels: { app: 'db' } } },
  { what: 'the namespace', metadata: { namespace: 'other', labels: { app: 'web' } } },
  { what: 'the constraint', spec: { topologySpreadConstraints: [{ ...honoringTaints, maxSkew: 2 }] } },
  { what: 'minDomains', spec: { topologySpreadConstraints: [{ ...honoringTaints, minDomains: 4 }] } },
  { what: 'the taints policy', spec: { topologySpreadConstraints: [evenly] } },
  {
    what: 'pod anti-affinity',
    spec: { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [near] } } },
  },
];

function podOf({ metadata, spec }: Variant): Pod {
  const base = makePod('incoming');
  return {
    metadata: { ...base.metadata, labels: { app: 'web' }, ...metadata },
    spec: { ...base.spec, topologySpreadConstraints: [honoringTaints], ...spec },
  };
}

/** Zones with 1, 2 and 3 web pods, the first outside pool y, and one without, where the node is tainted. */
function start(engine: EngineName): Scheduler {
  const scheduler = new Scheduler({ engine });
  const pools = ['x', 'y', 'y', 'y'];
  const taints = [{ key: 'k', value: 'v', effect: 'NoSchedule' }];
  for (const [i, pool] of pools.entries()) {
    scheduler.addNode(makeNode(`n${i}`, { zone: `z${i}`, labels: { pool }, taints: i === 3 ? taints : [] }));
  }
  for (const [i, on] of [0, 1, 1, 2, 2, 2].entries()) {
    const pod = makePod(`web-${i}`, { nodeName: `n${on}` });
    scheduler.addPod({ ...pod, metadata: { ...pod.metadata, labels: { app: 'web' } } });
  }
  return scheduler;
}

describe.each(['scalar', 'simd'] as const)(
  '%s: pods that differ in one thing only do not share what is counted',
  (engine) => {
    test.each(variants.slice(1))('$what', (variant) => {
      const pods = [podOf(variants[0] as Variant), podOf(variant)];
      const expected = pods.map((pod) => start('reference').explain(pod));
      expect(expected[0]?.nodes).not.toEqual(expected[1]?.nodes);
      const [forwards, backwards] = [start(engine), start(engine)];
      expect(pods.map((pod) => forwards.explain(pod))).toEqual(expected);
      expect(pods.toReversed().map((pod) => backwards.explain(pod))).toEqual(expected.toReversed());
    });
  },
);

test.each(['scalar', 'simd'] as const)('%s: equal terms of other pods add their weights', (engine) => {
  const [reference, subject] = (['reference', engine] as const).map((kind) => {
    const scheduler = new Scheduler({ engine: kind });
    for (const i of [0, 1, 2]) scheduler.addNode(makeNode(`n${i}`, { zone: `z${i}` }));
    for (const [i, weight] of [10, 60].entries()) {
      const pod = makePod(`friend-${i}`, { nodeName: `n${i}` });
      const podAffinity = { preferredDuringSchedulingIgnoredDuringExecution: [{ weight, podAffinityTerm: near }] };
      scheduler.addPod({ ...pod, spec: { ...pod.spec, affinity: { podAffinity } } });
    }
    return scheduler;
  });
  const web = podOf({ what: 'alone', spec: { topologySpreadConstraints: [] } });
  const explanation = subject?.explain(web);
  expect(explanation).toEqual(reference?.explain(web));
  expect(explanation?.best).toEqual(['n1']);
});

/** The zones of nodes; undefined for one without the label. */
const zoneCases = [
  { zones: ['z', ''] },
  { zones: ['z', undefined] },
  { zones: ['z', '', undefined] },
  { zones: ['', undefined] },
  { zones: ['z', '', undefined, undefined, ''] },
];

describe.each(['scalar', 'simd'] as const)(
  '%s: default spreading, where no zone and an empty zone are one',
  (engine) => {
    test.each(zoneCases)('zones $zones', ({ zones }) => {
      const [reference, subject] = (['reference', engine] as const).map((kind) => {
        const scheduler = new Scheduler({ engine: kind });
        scheduler.setObject('Service', { metadata: { name: 's' }, spec: { selector: { app: 'web' } } });
        for (const [i, zone] of zones.entries()) {
          scheduler.addNode(makeNode(`n${i}`, zone === undefined ? {} : { zone }));
          for (let pod = 0; pod <= i; pod++) {
            const { spec } = makePod('web', { nodeName: `n${i}` });
            scheduler.addPod({ metadata: { name: `web-${i}-${pod}`, labels: { app: 'web' } }, spec });
          }
        }
        return scheduler;
      });
      const web = podOf({ what: 'defaulted', spec: { topologySpreadConstraints: [] } });
      expect(subject?.explain(web)).toEqual(reference?.explain(web));
      expect(subject?.schedule(web)).toEqual(reference?.schedule(web));
      // The unlabelled node goes: the empty zone can be counted again.
      subject?.removeNode(`n${zones.length - 1}`);
      reference?.removeNode(`n${zones.length - 1}`);
      const next = { ...web, metadata: { ...web.metadata, name: 'next' } };
      expect(subject?.explain(next)).toEqual(reference?.explain(next));
    });
  },
);

/** Selects the namespaces of a team. */
const ofTeam = (team: string) => ({ ...near, namespaceSelector: { matchLabels: { team } } });
const arbitraryTeam = fc.constantFrom('a', 'b');
const arbitraryStep = fc.record({
  /** What happens before the attempt to place a pod of the namespace. */
  kind: fc.constantFrom('labels', 'labels', 'friend', 'foe', 'gone', 'none'),
  team: arbitraryTeam,
  at: fc.nat(2),
  namespace: fc.constantFrom('default', 'other'),
});
type Step = typeof arbitraryStep extends fc.Arbitrary<infer T> ? T : never;

function withLabels(namespace: string, team: string) {
  return { metadata: { name: namespace, labels: { team } } };
}

/** The decisions about pods in namespaces whose labels change, which terms of pods on nodes select. */
function playTeams(steps: readonly Step[], engine: EngineName): unknown[] {
  const scheduler = new Scheduler({ engine, tieBreak: 'first' });
  for (const i of [0, 1, 2]) scheduler.addNode(makeNode(`n${i}`, { zone: `z${i}` }));
  for (const each of ['default', 'other']) scheduler.setObject('Namespace', withLabels(each, 'a'));
  return steps.map(({ kind, team, at, namespace }, i) => {
    if (kind === 'labels') scheduler.setObject('Namespace', withLabels(namespace, team));
    const terms = [ofTeam(team)];
    const preferred = [{ weight: 7, podAffinityTerm: ofTeam(team) }];
    if (kind === 'friend' || kind === 'foe') {
      const pod = makePod(`holder-${at}`, { nodeName: `n${at}` });
      const affinity =
        kind === 'foe'
          ? { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } }
          : { podAffinity: { preferredDuringSchedulingIgnoredDuringExecution: preferred } };
      scheduler.updatePod({ ...pod, spec: { ...pod.spec, affinity } as PodSpec });
    }
    if (kind === 'gone' && scheduler.has('Pod', `holder-${at}`)) scheduler.removePod('default', `holder-${at}`);
    const { metadata, spec } = makePod('web');
    const pod = { metadata: { ...metadata, namespace, labels: { app: 'web' } }, spec: spec as PodSpec };
    const explanation = scheduler.explain(pod);
    const result = scheduler.schedule({ ...pod, metadata: { ...pod.metadata, name: `web-${i}` } });
    if (result.status === 'scheduled') scheduler.removePod(namespace, `web-${i}`);
    return [explanation, result];
  });
}

test.each(['scalar', 'simd'] as const)('%s: plans follow the labels of the namespace of their pods', (engine) => {
  fc.assert(
    fc.property(fc.array(arbitraryStep, { minLength: 5, maxLength: 25 }), (steps) => {
      expect(playTeams(steps, engine)).toEqual(playTeams(steps, 'reference'));
    }),
    { numRuns: runs(60) },
  );
});

test('labels that a namespace gets make no plan anew', () => {
  const counters = vi.spyOn(TopologyIndex.prototype, 'domainCounter');
  const steps = (['foe', 'none', 'none'] as const).map((kind) => ({ kind, team: 'b', at: 0, namespace: 'default' }));
  const [first] = steps;
  const labels = { kind: 'labels', team: 'b', at: 0, namespace: 'default' } as const;
  playTeams([...steps] as Step[], 'scalar');
  const before = counters.mock.calls.length;
  counters.mockClear();
  playTeams([first, steps[1], labels, steps[2]] as Step[], 'scalar');
  expect(counters.mock.calls.length).toBe(before);
  counters.mockRestore();
});
