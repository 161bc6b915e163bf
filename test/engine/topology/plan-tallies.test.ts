import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Pod } from '../../../src/api/pod.ts';
import { type EngineName, Scheduler } from '../../../src/index.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';
import { runs } from '../../builders/runs.ts';

const numRuns = runs(60);
const HOST = 'kubernetes.io/hostname';
const ZONE = 'topology.kubernetes.io/zone';

const app = fc.constantFrom('web', 'db', 'log');
const key = fc.constantFrom(HOST, ZONE, 'rack');
const term = fc.record({ app, topologyKey: key });
const terms = fc.array(term, { maxLength: 2 });
const spread = fc.record({
  app,
  topologyKey: key,
  maxSkew: fc.constantFrom(1, 1, 2),
  minDomains: fc.constantFrom(undefined, 2, 4),
  honors: fc.boolean(),
});
const pod = fc.record({
  app,
  namespace: fc.constantFrom('default', 'default', 'other'),
  cpu: fc.constantFrom('0', '1', '2'),
  port: fc.constantFrom(0, 0, 80),
  priority: fc.constantFrom(0, 1, 5, 9),
  near: terms,
  apart: terms,
  spreads: fc.uniqueArray(spread, { maxLength: 2, selector: ({ topologyKey }) => topologyKey }),
});
type Sketch = typeof pod extends fc.Arbitrary<infer S> ? S : never;

const node = fc.nat(5);
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('schedule' as const), pod }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('place' as const), pod, node, isEnding: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('again' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('evict' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const), rank: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('relabel' as const), node, zone: fc.nat(2) }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

function podOf(name: string, sketch: Sketch, nodeName?: string): Pod {
  const required = (list: Sketch['near']) => ({
    requiredDuringSchedulingIgnoredDuringExecution: list.map(({ app, topologyKey }) => ({
      topologyKey,
      labelSelector: { matchLabels: { app } },
    })),
  });
  const affinity = { podAffinity: required(sketch.near), podAntiAffinity: required(sketch.apart) };
  const topologySpreadConstraints = sketch.spreads.map(({ app, topologyKey, maxSkew, minDomains, honors }) => ({
    ...{ maxSkew, topologyKey, minDomains, whenUnsatisfiable: 'DoNotSchedule' },
    ...{ labelSelector: { matchLabels: { app } }, nodeTaintsPolicy: honors ? 'Honor' : 'Ignore' },
  }));
  const ports = sketch.port === 0 ? [] : [{ containerPort: 1, hostPort: sketch.port }];
  const { spec } = makePod(name, { requests: { cpu: sketch.cpu }, ports, ...(nodeName && { nodeName }) });
  const labels = { app: sketch.app };
  return {
    metadata: { name, namespace: sketch.namespace, labels },
    spec: { ...spec, priority: sketch.priority, affinity, topologySpreadConstraints },
  };
}

function nodeOf(i: number, zone: number) {
  const taints = i === 5 ? [{ key: 'k', effect: 'NoSchedule' }] : [];
  const rack = i % 2 === 0 ? { rack: `r${i % 4}` } : {};
  return makeNode(`n${i}`, { cpu: 3, pods: 4, taints, zone: `z${zone}`, labels: { [HOST]: `n${i}`, ...rack } });
}

/** Plays the steps, with an explanation after each; returns all answers. */
function play(scheduler: Scheduler, steps: readonly Step[], probe: Sketch): unknown[] {
  const there: Pod[] = [];
  let last: { pod: Pod; victims: readonly string[] } | null = null;
  const remove = ({ metadata }: Pod): void => scheduler.removePod(metadata?.namespace ?? '', metadata?.name ?? '');
  const schedule = (each: Pod): unknown => {
    const result = scheduler.schedule(each);
    if (result.status === 'scheduled') there.push(each);
    last = { pod: each, victims: (result.status === 'unschedulable' && result.victims) || [] };
    return result;
  };
  for (let i = 0; i < 6; i++) scheduler.addNode(nodeOf(i, i % 3));
  return steps.map((each, i) => {
    let answer: unknown = null;
    if (each.do === 'schedule') answer = schedule(podOf(`p${i}`, each.pod));
    if (each.do === 'again' && last !== null && !there.includes(last.pod)) answer = schedule(last.pod);
    if (each.do === 'place') {
      const { metadata, spec } = podOf(`r${i}`, each.pod, `n${each.node}`);
      const ending = each.isEnding ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {};
      const placed = { metadata: { ...metadata, ...ending }, spec: { ...spec, containers: spec?.containers ?? [] } };
      scheduler.addPod(placed);
      there.push(placed);
    }
    if (each.do === 'evict' && last !== null) {
      for (const victim of last.victims) {
        const at = there.findIndex(({ metadata }) => `${metadata?.namespace}/${metadata?.name}` === victim);
        for (const gone of at < 0 ? [] : there.splice(at, 1)) remove(gone);
      }
    }
    if (each.do === 'remove') for (const gone of there.splice(each.rank, 1)) remove(gone);
    if (each.do === 'relabel') scheduler.updateNode(nodeOf(each.node, each.zone));
    return [answer, scheduler.explain(podOf('probe', probe))];
  });
}

test.each<[EngineName, boolean]>([
  ['simd', true],
  ['simd', false],
  ['scalar', true],
])('engine %s, index %s: preemption by tallies of a plan is that by the plugins', (engine, index) => {
  const plan = fc.record({ steps: fc.array(step, { maxLength: 20, size: 'max' }), probe: pod });
  fc.assert(
    fc.property(plan, ({ steps, probe }) => {
      const wanted = play(new Scheduler({ engine: 'reference' }), steps, probe);
      expect(play(new Scheduler({ engine, index }), steps, probe)).toEqual(wanted);
    }),
    { numRuns },
  );
});
