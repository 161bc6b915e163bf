import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Node } from '../../src/api/node.ts';
import type { ResourceList } from '../../src/api/quantity.ts';
import { explainPod } from '../../src/core/decision/explain-pod.ts';
import { ColumnEngine } from '../../src/engine/columns/column-engine.ts';
import type { Engine } from '../../src/engine/cycle/engine.ts';
import { ReferenceEngine } from '../../src/engine/reference/reference-engine.ts';
import { PodEncoder } from '../../src/engine/signature/pod-encoder.ts';
import { ClusterState } from '../../src/framework/cluster/cluster-state.ts';
import type { ResourceSpec } from '../../src/framework/column-forms.ts';
import { withoutExtenderCalls } from '../../src/framework/extender-calls.ts';
import { NodeSearch } from '../../src/framework/node-search.ts';
import { podRequirements } from '../../src/framework/pod-info.ts';
import { Framework } from '../../src/framework/runtime/framework.ts';
import type { Explanation, Pod } from '../../src/index.ts';
import { NodeResourcesBalancedAllocation } from '../../src/plugins/node-resources/balanced-allocation.ts';
import { NodeResourcesFit } from '../../src/plugins/node-resources/fit.ts';
import type { ScoringStrategy } from '../../src/plugins/node-resources/fit-args.ts';
import { InlineRunner } from '../../src/pool/inline-runner.ts';
import { atEveryPoint } from '../builders/framework-plugins.ts';
import { makePod } from '../builders/make-pod.ts';
import { runs } from '../builders/runs.ts';
import { differences } from '../parity/differences.ts';

interface Case {
  readonly strategy: ScoringStrategy;
  readonly balanced: readonly ResourceSpec[];
  readonly nodes: readonly Node[];
  readonly pods: readonly Pod[];
}

const NAMES = ['cpu', 'memory', 'ephemeral-storage', 'example.com/gpu', 'hugepages-2Mi', 'no-such-kind'];
const LARGEST_EXACT = 90_071_992_547_409;

/** Small numbers make ties and quotients without remainder; large ones reach for the limits of doubles. */
const amount = fc.oneof(
  { weight: 8, arbitrary: fc.nat(12) },
  { weight: 4, arbitrary: fc.nat(2 ** 36) },
  { weight: 1, arbitrary: fc.integer({ min: LARGEST_EXACT - 9, max: LARGEST_EXACT + 9 }) },
  { weight: 1, arbitrary: fc.integer({ min: 2 ** 46, max: 2 ** 53 - 1 }) },
);
const amounts: fc.Arbitrary<ResourceList> = fc
  .tuple(fc.subarray(NAMES), fc.array(amount, { minLength: NAMES.length, maxLength: NAMES.length }))
  .map(([names, all]) =>
    Object.fromEntries(names.map((name, i) => [name, name === 'cpu' ? `${all[i]}m` : (all[i] ?? 0)])),
  );

const resources: fc.Arbitrary<ResourceSpec[]> = fc
  .uniqueArray(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 4 })
  .chain((names) =>
    fc.tuple(...names.map((name) => fc.record({ name: fc.constant(name), weight: fc.integer({ min: 1, max: 100 }) }))),
  );

const shape = fc
  .uniqueArray(fc.record({ utilization: fc.nat(100), score: fc.nat(10) }), {
    selector: ({ utilization }) => utilization,
    minLength: 1,
    maxLength: 5,
  })
  .map((points) => points.toSorted((a, b) => a.utilization - b.utilization));

const strategy: fc.Arbitrary<ScoringStrategy> = fc.oneof(
  fc.record({ type: fc.constant('LeastAllocated' as const), resources }),
  fc.record({ type: fc.constant('MostAllocated' as const), resources }),
  fc.record({
    type: fc.constant('RequestedToCapacityRatio' as const),
    resources,
    requestedToCapacityRatio: fc.record({ shape }),
  }),
);

const cases: fc.Arbitrary<Case> = fc.record({
  strategy,
  balanced: resources,
  nodes: fc.array(amounts, { minLength: 2, maxLength: 13, size: 'max' }).map((all) =>
    all.map((allocatable, i) => ({
      metadata: { name: `n${i}` },
      status: { allocatable: { pods: 9, ...allocatable } },
    })),
  ),
  pods: fc
    .array(fc.record({ requests: amounts, node: fc.nat(12) }), { maxLength: 12 })
    .map((all) => all.map(({ requests, node }, i) => makePod(`p${i}`, { requests, nodeName: `n${node}` }))),
});

function explain(
  kind: 'reference' | 'scalar' | 'simd',
  { strategy, balanced, nodes, pods }: Case,
  fit: NodeResourcesFit,
): Explanation[] {
  const plugins = [fit, new NodeResourcesBalancedAllocation(balanced)];
  const weights = new Map(plugins.map(({ name }, i) => [name, 3 - i]));
  const framework = new Framework(atEveryPoint(plugins, weights));
  const encoder = new PodEncoder(framework);
  const cluster = new ClusterState(kind === 'reference' ? podRequirements : (pod) => encoder.encode(pod));
  const engine: Engine =
    kind === 'reference'
      ? new ReferenceEngine(framework, cluster)
      : new ColumnEngine(kind, framework, cluster, true, (modules) => new InlineRunner(modules));
  for (const node of nodes) cluster.addNode(node);
  for (const pod of pods) cluster.pods.add(pod);
  expect(fit.resourceScore).toMatchObject({ strategy: strategy.type, resources: strategy.resources });
  // Requests of the pods that are there, asked for once more, and a pod without any.
  return [...pods, makePod('free')].map(({ metadata, spec }) => {
    const pod = cluster.pods.info({ metadata, spec: { ...spec, nodeName: '' } });
    const profile = {
      framework,
      engine,
      cluster,
      search: new NodeSearch(),
      percentageOfNodesToScore: 100,
      tieBreak: 'first' as const,
      draw: () => 0,
      preemption: true,
      asksGates: true,
      extenders: [],
    };
    return withoutExtenderCalls(explainPod(profile, pod));
  });
}

describe.each(['scalar', 'simd'] as const)('%s kernels score as the plugins do', (kind) => {
  test('under every strategy, with any resources, weights and shapes', () => {
    fc.assert(
      fc.property(cases, (random) => {
        const fit = new NodeResourcesFit({ scoringStrategy: random.strategy });
        const found = differences('', explain('reference', random, fit), explain(kind, random, fit));
        expect(found.slice(0, 3)).toEqual([]);
      }),
      { numRuns: runs(150) },
    );
  });
});

test('the cases above do score nodes, with many different results', () => {
  const scores = fc.sample(cases, { numRuns: 50, seed: 1 }).flatMap((random) => {
    const fit = new NodeResourcesFit({ scoringStrategy: random.strategy });
    return explain('reference', random, fit).flatMap(({ nodes }) => nodes.flatMap((node) => node.scores));
  });
  expect(new Set(scores.map(({ raw }) => raw)).size).toBeGreaterThan(30);
});
