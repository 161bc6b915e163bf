import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Node } from '../../../src/api/node.ts';
import type { Pod } from '../../../src/api/pod.ts';
import { ClusterState } from '../../../src/framework/cluster/cluster-state.ts';
import { CycleState } from '../../../src/framework/cycle-state.ts';
import { type PodRequirements, podRequirements } from '../../../src/framework/pod-info.ts';
import type { Framework } from '../../../src/framework/runtime/framework.ts';
import { DisruptionBudgets } from '../../../src/plugins/default-preemption/disruption-budgets.ts';
import { type DryRunModules, ObjectDryRun } from '../../../src/plugins/default-preemption/dry-run.ts';
import { type DryRunMemory, NumericDryRun } from '../../../src/plugins/default-preemption/numeric-dry-run.ts';
import { defaultFramework } from '../../builders/default-framework.ts';
import { makeCluster } from '../../builders/make-cluster.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';

const NODES = ['n0', 'n1', 'n2'];
const GPU = 'example.com/gpu';

const node = fc.record({
  cpu: fc.constantFrom(1, 3, 6),
  memory: fc.constantFrom('1Gi', '4Gi', '9007199254740995'),
  pods: fc.constantFrom(0, 2, 5, 110),
  gpus: fc.constantFrom(0, 1, 3),
  tainted: fc.constantFrom(false, false, false, true),
});

const sketch = fc.record({
  cpu: fc.constantFrom('0', '500m', '1', '3'),
  memory: fc.constantFrom('0', '1Gi', '4503599627370497'),
  gpus: fc.nat(1),
  priority: fc.constantFrom(undefined, -(2 ** 31), 1, 1, 5, 9),
  app: fc.constantFrom(undefined, 'web', 'db'),
  startSecond: fc.constantFrom(undefined, 1, 1, 2),
});
type Sketch = typeof sketch extends fc.Arbitrary<infer S> ? S : never;

const cluster = fc.record({
  nodes: fc.array(node, { minLength: NODES.length, maxLength: NODES.length }),
  running: fc.array(fc.record({ sketch, on: fc.constantFrom(...NODES) }), { maxLength: 16, size: 'max' }),
  nominated: fc.array(fc.record({ sketch, on: fc.constantFrom(...NODES) }), { maxLength: 3 }),
  budgets: fc.array(fc.record({ app: fc.constantFrom('web', 'db'), allowed: fc.nat(2) }), { maxLength: 2 }),
});

function podOf(name: string, { cpu, memory, gpus, priority, app, startSecond }: Sketch, status = {}): Pod {
  const { spec } = makePod(name, { requests: { cpu, memory, ...(gpus > 0 && { [GPU]: gpus }) } });
  return {
    metadata: { name, namespace: 'default', labels: app === undefined ? undefined : { app } },
    spec: { ...spec, priority },
    status: { startTime: startSecond === undefined ? undefined : `2026-01-01T00:00:0${startSecond}Z`, ...status },
  };
}

function nodeOf(
  name: string,
  { cpu, memory, pods, gpus, tainted }: typeof node extends fc.Arbitrary<infer N> ? N : never,
): Node {
  const taints = tainted ? [{ key: 'k', effect: 'NoSchedule' }] : [];
  return makeNode(name, { cpu, memory, pods, allocatable: { [GPU]: gpus }, taints });
}

/** Pods with equal containers share their requirements, as the engines' encoder sees to it: answers go by that. */
function sharingCluster(): ClusterState {
  const known = new Map<string, PodRequirements>();
  return new ClusterState((pod) => {
    const key = JSON.stringify(pod.spec?.containers);
    const requirements = known.get(key) ?? podRequirements(pod);
    known.set(key, requirements);
    return requirements;
  });
}

function modulesFor(cluster: ClusterState, framework: Framework, pod: Pod): DryRunModules {
  const state = new CycleState();
  const info = cluster.podToSchedule(pod);
  framework.runPreFilter(state, info, cluster);
  const budgets = new DisruptionBudgets(cluster.objects);
  return { framework, nominator: cluster, budgets, state, filters: framework.activeFilters(state), pod: info };
}

describe('NumericDryRun', () => {
  test('finds the victims, or the reason, that trying it out on copies finds; remembered or not', () => {
    fc.assert(
      fc.property(cluster, fc.array(sketch, { minLength: 1, maxLength: 4 }), (drawn, incoming) => {
        const built = sharingCluster();
        drawn.nodes.forEach((shape, i) => {
          built.addNode(nodeOf(`n${i}`, shape));
        });
        drawn.running.forEach(({ sketch, on }, i) => {
          const pod = podOf(`r${i}`, sketch);
          built.addPod({ ...pod, spec: { ...pod.spec, nodeName: on } });
        });
        drawn.nominated.forEach(({ sketch, on }, i) => {
          built.addPod(podOf(`w${i}`, sketch, { nominatedNodeName: on }));
        });
        drawn.budgets.forEach(({ app, allowed }, i) => {
          built.objects.set('PodDisruptionBudget', {
            metadata: { name: `b${i}`, namespace: 'default' },
            spec: { selector: { matchLabels: { app } } },
            status: { disruptionsAllowed: allowed },
          });
        });
        built.updateSnapshot();
        const framework = defaultFramework(built);
        const memory: DryRunMemory = [];
        const waiting = drawn.nominated.map(({ sketch, on }, i) => podOf(`w${i}`, sketch, { nominatedNodeName: on }));
        const pods = [...incoming.map((shape, i) => podOf(`p${i}`, shape)), ...waiting];
        // Twice: the second time the answers come from memory.
        for (const pod of [...pods, ...pods]) {
          const modules = modulesFor(built, framework, pod);
          const [numeric, object] = [NumericDryRun.for(modules, memory), new ObjectDryRun(modules)];
          expect(numeric).not.toBeNull();
          for (const info of built.nodeInfos()) expect(numeric?.run(info)).toEqual(object.run(info));
        }
      }),
      { numRuns: 150 },
    );
  });

  test('does not speak where a plugin looks at the pods of a node', () => {
    const built = makeCluster([makeNode('n0')]);
    const framework = defaultFramework(built);
    const plain = podOf('plain', { cpu: '1', memory: '0', gpus: 0, priority: 1, app: 'web', startSecond: 1 });
    const onPort = { ...plain, spec: { ...makePod('x', { ports: [{ containerPort: 80, hostPort: 80 }] }).spec } };
    expect(NumericDryRun.for(modulesFor(built, framework, plain), [])).not.toBeNull();
    expect(NumericDryRun.for(modulesFor(built, framework, onPort), [])).toBeNull();
  });
});
