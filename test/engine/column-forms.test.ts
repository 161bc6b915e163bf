import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { explainPod } from '../../src/core/decision/explain-pod.ts';
import { ColumnEngine } from '../../src/engine/columns/column-engine.ts';
import { ReferenceEngine } from '../../src/engine/reference/reference-engine.ts';
import { PodEncoder } from '../../src/engine/signature/pod-encoder.ts';
import { ClusterState } from '../../src/framework/cluster/cluster-state.ts';
import { withoutExtenderCalls } from '../../src/framework/extender-calls.ts';
import { NodeSearch } from '../../src/framework/node-search.ts';
import type { FilterPlugin, Plugin, ScorePlugin } from '../../src/framework/plugin.ts';
import { podRequirements } from '../../src/framework/pod-info.ts';
import { Framework } from '../../src/framework/runtime/framework.ts';
import type { Explanation, Node, Pod } from '../../src/index.ts';
import { InterPodAffinity } from '../../src/plugins/inter-pod-affinity/plugin.ts';
import { NodeResourcesBalancedAllocation } from '../../src/plugins/node-resources/balanced-allocation.ts';
import { NodeResourcesFit } from '../../src/plugins/node-resources/fit.ts';
import { PodTopologySpread } from '../../src/plugins/pod-topology-spread/plugin.ts';
import { InlineRunner } from '../../src/pool/inline-runner.ts';
import {
  arbitraryPodAffinity,
  arbitraryPodLabels,
  arbitrarySpread,
  topologyLabels,
} from '../builders/arbitrary-topology.ts';
import { atEveryPoint } from '../builders/framework-plugins.ts';
import { makeNode } from '../builders/make-node.ts';
import { makePod } from '../builders/make-pod.ts';
import { runs } from '../builders/runs.ts';
import { differences } from '../parity/differences.ts';

type KernelPlugin = Plugin & Partial<FilterPlugin & ScorePlugin>;

/** The methods and forms of a plugin under a name that no engine knows. Its calls on nodes are counted. */
function renamed(plugin: KernelPlugin, name: string, calls: { count: number }): Plugin {
  const copy: Record<string, unknown> = { ...plugin };
  const prototype = Object.getPrototypeOf(plugin) as object;
  for (const key of Object.getOwnPropertyNames(prototype)) {
    const member: unknown = Reflect.get(plugin, key);
    if (typeof member !== 'function' || key === 'constructor') continue;
    copy[key] = (...args: unknown[]): unknown => {
      if (key === 'filter' || key === 'score') calls.count++;
      return Reflect.apply(member, plugin, args);
    };
  }
  return { ...copy, name };
}

interface World {
  readonly nodes: readonly Node[];
  readonly placed: readonly Pod[];
  readonly pods: readonly Pod[];
}

/** What is said of the pods, and how often a plugin was asked about a node on the way. */
function explain(kind: 'reference' | 'scalar' | 'simd', world: World): { said: Explanation[]; asked: number } {
  const calls = { count: 0 };
  let requirementsOf = podRequirements;
  const cluster = new ClusterState((pod) => requirementsOf(pod));
  const plugins = [
    renamed(new NodeResourcesFit(), 'Room', calls),
    renamed(new PodTopologySpread(cluster), 'Apart', calls),
    renamed(new InterPodAffinity(cluster), 'Near', calls),
    renamed(new NodeResourcesBalancedAllocation(), 'Even', calls),
  ];
  const framework = new Framework(atEveryPoint(plugins, new Map(plugins.map(({ name }, i) => [name, i + 1]))));
  if (kind !== 'reference') {
    const encoder = new PodEncoder(framework);
    requirementsOf = (pod) => encoder.encode(pod);
  }
  const engine =
    kind === 'reference'
      ? new ReferenceEngine(framework, cluster)
      : new ColumnEngine(kind, framework, cluster, true, (modules) => new InlineRunner(modules));
  for (const node of world.nodes) cluster.addNode(node);
  for (const pod of world.placed) cluster.pods.add(pod);
  const said = world.pods.map((pod) => {
    const profile = {
      ...{ framework, engine, cluster, percentageOfNodesToScore: 100, preemption: false, extenders: [] },
      ...{ asksGates: true },
      ...{ search: new NodeSearch(), tieBreak: 'first' as const, draw: () => 0 },
    };
    return withoutExtenderCalls(explainPod(profile, cluster.pods.info(pod)));
  });
  return { said, asked: calls.count };
}

const pod = fc
  .record({
    cpu: fc.constantFrom(0, 1, 2),
    labels: arbitraryPodLabels,
    topologySpreadConstraints: fc.option(arbitrarySpread, { nil: undefined }),
    podAffinity: fc.option(arbitraryPodAffinity, { nil: undefined }),
    podAntiAffinity: fc.option(arbitraryPodAffinity, { nil: undefined }),
  })
  .map(({ cpu, labels, topologySpreadConstraints, ...affinity }) => {
    const { metadata, spec } = makePod('', { requests: { cpu } });
    return { metadata: { ...metadata, labels }, spec: { ...spec, affinity, topologySpreadConstraints } } as Pod;
  });

const named = (given: Pod, name: string, nodeName = ''): Pod => ({
  metadata: { ...given.metadata, name },
  spec: { ...given.spec, nodeName } as NonNullable<Pod['spec']>,
});

const worlds: fc.Arbitrary<World> = fc.record({
  nodes: fc
    .array(topologyLabels, { minLength: 2, maxLength: 8 })
    .map((all) => all.map((labels, i) => makeNode(`n${i}`, { labels, cpu: 3 + (i % 3) }))),
  placed: fc
    .array(fc.tuple(pod, fc.nat(7)), { maxLength: 8 })
    .map((all) => all.map(([given, node], i) => named(given, `placed-${i}`, `n${node}`))),
  pods: fc.array(pod, { minLength: 1, maxLength: 4 }).map((all) => all.map((given, i) => named(given, `p${i}`))),
});

describe.each(['scalar', 'simd'] as const)('%s kernels do the work of whoever describes it', (kind) => {
  test('under any name they say what the methods say', () => {
    fc.assert(
      fc.property(worlds, (world) => {
        expect(differences('', explain('reference', world).said, explain(kind, world).said).slice(0, 3)).toEqual([]);
      }),
      { numRuns: runs(60) },
    );
  });

  test('and the methods are not called', () => {
    const nodes = ['a', 'b'].map((zone, i) => makeNode(`n${i}`, { zone }));
    const world = { nodes, placed: [], pods: [makePod('p', { requests: { cpu: 1 } })] };
    expect(explain('reference', world).asked).toBeGreaterThan(0);
    expect(explain(kind, world).asked).toBe(0);
  });
});

test('a plugin that leaves its work to kernels without describing it is refused', () => {
  const silent = { name: 'Silent', scoreReads: 'kernel' as const, score: () => 0 };
  const framework = new Framework(atEveryPoint([silent], new Map()));
  const cluster = new ClusterState(podRequirements);
  const make = () => new ColumnEngine('simd', framework, cluster, true, (modules) => new InlineRunner(modules));
  expect(make).toThrow('Silent leaves its score to kernels and does not say how');
});
