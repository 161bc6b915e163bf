import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Node } from '../../../src/api/node.ts';
import type { Pod } from '../../../src/api/pod.ts';
import { ClusterState } from '../../../src/framework/cluster/cluster-state.ts';
import { CycleState } from '../../../src/framework/cycle-state.ts';
import type { FilterPlugin, PreFilterExtensions } from '../../../src/framework/plugin.ts';
import { type PodRequirements, podRequirements } from '../../../src/framework/pod-info.ts';
import { Framework } from '../../../src/framework/runtime/framework.ts';
import { canTally } from '../../../src/framework/runtime/tallied-filters.ts';
import { errorStatus, unschedulable } from '../../../src/framework/status.ts';
import { DisruptionBudgets } from '../../../src/plugins/default-preemption/disruption-budgets.ts';
import {
  DryRunMemory,
  type DryRunOptions,
  objectDryRun,
  tallyDryRun,
} from '../../../src/plugins/default-preemption/dry-run.ts';
import { NodeResourcesFit } from '../../../src/plugins/node-resources/fit.ts';
import { defaultFramework } from '../../builders/default-framework.ts';
import { makeCluster } from '../../builders/make-cluster.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';
import { claimVolume, makeClaim, makeVolume } from '../../builders/make-storage.ts';

const NODES = ['n0', 'n1', 'n2'];
const GPU = 'example.com/gpu';

const node = fc.record({
  cpu: fc.constantFrom(1, 3, 6),
  memory: fc.constantFrom('1Gi', '4Gi', '9007199254740995'),
  pods: fc.constantFrom(0, 2, 5, 110),
  gpus: fc.constantFrom(0, 1, 3),
  tainted: fc.constantFrom(false, false, false, true),
  /** The number of volumes that a CSI driver can attach; undefined without a CSINode. */
  volumes: fc.constantFrom(undefined, 1, 2, 8),
});

const hostPort = fc.record({
  hostPort: fc.constantFrom(80, 80, 81),
  hostIP: fc.constantFrom(undefined, '1.1.1.1', '::'),
});

const sketch = fc.record({
  cpu: fc.constantFrom('0', '500m', '1', '3'),
  memory: fc.constantFrom('0', '1Gi', '4503599627370497'),
  gpus: fc.nat(1),
  priority: fc.constantFrom(undefined, -(2 ** 31), 1, 1, 5, 9),
  app: fc.constantFrom(undefined, 'web', 'db'),
  startSecond: fc.constantFrom(undefined, 1, 1, 2),
  // Several pods of a node may use the same port, because bound pods are not checked.
  ports: fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, fc.array(hostPort, { maxLength: 2 })),
  /** The claims that the pod mounts; that of `far` is bound to a volume which only the node n0 reaches. */
  claims: fc.constantFrom<string[]>([], [], ['near'], ['far'], ['near', 'other'], ['far', 'other']),
});
type Sketch = typeof sketch extends fc.Arbitrary<infer S> ? S : never;

const budget = fc.record({ app: fc.constantFrom('web', 'db'), allowed: fc.nat(2) });

const cluster = fc.record({
  nodes: fc.array(node, { minLength: NODES.length, maxLength: NODES.length }),
  running: fc.array(fc.record({ sketch, on: fc.constantFrom(...NODES) }), { maxLength: 16, size: 'max' }),
  nominated: fc.array(fc.record({ sketch, on: fc.constantFrom(...NODES) }), { maxLength: 3 }),
  budgets: fc.array(budget, { maxLength: 2 }),
  /** What changes once there are answers to remember. */
  later: fc.record({
    running: fc.array(fc.record({ sketch, on: fc.constantFrom(...NODES) }), { maxLength: 2 }),
    nominated: fc.array(fc.record({ sketch, on: fc.constantFrom(...NODES) }), { maxLength: 1 }),
    budgets: fc.array(budget, { minLength: 1, maxLength: 2 }),
  }),
});
type Drawn = typeof cluster extends fc.Arbitrary<infer C> ? C : never;

function podOf(
  name: string,
  { cpu, memory, gpus, priority, app, startSecond, ports, claims }: Sketch,
  status = {},
): Pod {
  const { spec } = makePod(name, { requests: { cpu, memory, ...(gpus > 0 && { [GPU]: gpus }) }, ports });
  return {
    metadata: { name, namespace: 'default', labels: app === undefined ? undefined : { app } },
    spec: { ...spec, priority, ...(claims.length > 0 && { volumes: claims.map(claimVolume) }) },
    status: { startTime: startSecond === undefined ? undefined : `2026-01-01T00:00:0${startSecond}Z`, ...status },
  };
}

function nodeOf(
  name: string,
  { cpu, memory, pods, gpus, tainted }: typeof node extends fc.Arbitrary<infer N> ? N : never,
): Node {
  const taints = tainted ? [{ key: 'k', effect: 'NoSchedule' }] : [];
  return makeNode(name, { cpu, memory, pods, allocatable: { [GPU]: gpus }, taints, labels: { zone: name } });
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

function fill(built: ClusterState, { running, nominated, budgets }: Drawn['later'], prefix: string): void {
  running.forEach(({ sketch, on }, i) => {
    const pod = podOf(`${prefix}r${i}`, sketch);
    built.pods.add({ ...pod, spec: { ...pod.spec, containers: pod.spec?.containers ?? [], nodeName: on } });
  });
  nominated.forEach(({ sketch, on }, i) => {
    built.pods.add(podOf(`${prefix}w${i}`, sketch, { nominatedNodeName: on }));
  });
  budgets.forEach(({ app, allowed }, i) => {
    built.objects.set('PodDisruptionBudget', {
      metadata: { name: `${prefix}b${i}`, namespace: 'default' },
      spec: { selector: { matchLabels: { app } } },
      status: { disruptionsAllowed: allowed },
    });
  });
  built.updateSnapshot();
}

/** The volumes of all claims, and how many each node can have. */
function setVolumes({ objects }: ClusterState, nodes: Drawn['nodes']): void {
  for (const name of ['near', 'far', 'other']) {
    objects.set('PersistentVolumeClaim', makeClaim(name, { volume: name }));
    objects.set('PersistentVolume', makeVolume(name, name === 'far' ? { zone: 'n0' } : {}));
  }
  nodes.forEach(({ volumes: count }, i) => {
    if (count === undefined) return;
    const drivers = [{ name: 'csi.example', nodeID: `n${i}`, allocatable: { count } }];
    objects.set('CSINode', { metadata: { name: `n${i}` }, spec: { drivers } });
  });
}

/** A profile of which these are the last filters. */
function frameworkWith(...plugins: readonly FilterPlugin[]): Framework {
  const fit = new NodeResourcesFit();
  return new Framework({ byPoint: { preFilter: [fit], filter: [fit, ...plugins] }, scoreWeights: new Map() });
}

function optionsFor(cluster: ClusterState, framework: Framework, pod: Pod): DryRunOptions {
  const state = new CycleState();
  const info = cluster.pods.toSchedule(pod);
  framework.runPreFilter(state, info, cluster);
  const budgets = new DisruptionBudgets(cluster.objects);
  return { framework, nominator: cluster, budgets, state, filters: framework.activeFilters(state), pod: info };
}

describe('a dry run by tallies', () => {
  test('finds the victims, or the reason, that trying it out on copies finds; remembered or not', () => {
    fc.assert(
      fc.property(cluster, fc.array(sketch, { minLength: 1, maxLength: 4 }), (drawn, incoming) => {
        const built = sharingCluster();
        drawn.nodes.forEach((shape, i) => {
          built.addNode(nodeOf(`n${i}`, shape));
        });
        setVolumes(built, drawn.nodes);
        fill(built, drawn, '');
        const framework = defaultFramework(built);
        const memory = new DryRunMemory();
        const waiting = drawn.nominated.map(({ sketch, on }, i) => podOf(`w${i}`, sketch, { nominatedNodeName: on }));
        const pods = [...incoming.map((shape, i) => podOf(`p${i}`, shape)), ...waiting];
        const compare = (): void => {
          for (const pod of pods) {
            const options = optionsFor(built, framework, pod);
            const [tallied, object] = [tallyDryRun({ ...options, topology: null }, memory), objectDryRun(options)];
            expect(canTally(options.filters)).toBe(true);
            for (const info of built.nodeInfos()) expect(tallied(info)).toEqual(object(info));
          }
          // The pod that came last is the one that is remembered: it comes first the next time.
          pods.reverse();
        };
        compare();
        // Now the answers come from memory, then only those that still hold.
        compare();
        fill(built, { ...drawn.later, running: [], nominated: [] }, 'later-');
        compare();
        fill(built, { ...drawn.later, budgets: [] }, 'later-');
        compare();
      }),
      { numRuns: 150 },
    );
  });

  const shape: Sketch = {
    cpu: '1',
    memory: '0',
    gpus: 0,
    priority: 1,
    app: 'web',
    startSecond: 1,
    ports: [],
    claims: [],
  };
  const plain = podOf('plain', shape);

  test('is there where every filter tallies the pods of a node, or does not ask for them', () => {
    const built = makeCluster([makeNode('n0')]);
    const framework = defaultFramework(built);
    const term = { topologyKey: 'zone', labelSelector: {} };
    const podAntiAffinity = { requiredDuringSchedulingIgnoredDuringExecution: [term] };
    const affine = { ...plain, spec: { ...plain.spec, containers: [], affinity: { podAntiAffinity } } };
    const onPort = podOf('on-port', { ...shape, ports: [{ hostPort: 80, hostIP: undefined }] });
    const isThere = (pod: Pod): boolean => canTally(optionsFor(built, framework, pod).filters);
    expect([plain, onPort, affine].map(isThere)).toEqual([true, true, false]);
  });

  test('is not there where a filter has PreFilter extensions', () => {
    const built = makeCluster([makeNode('n0')]);
    const counting: FilterPlugin & PreFilterExtensions = {
      ...{ name: 'Counting', filterReads: 'node', filter: () => null },
      ...{ addPod: () => null, removePod: () => null },
    };
    const { addPod: _add, removePod: _remove, ...deaf } = counting;
    const isThere = (plugin: FilterPlugin): boolean =>
      canTally(optionsFor(built, frameworkWith(plugin), plain).filters);
    expect([deaf, counting].map(isThere)).toEqual([true, false]);
  });

  test.each([
    ['fails', errorStatus('Late', 'no idea')],
    ['rejects the node, whatever pods are there', unschedulable('Late', 'not here')],
  ])('returns what the framework returns where a filter after the full one %s', (_, status) => {
    const built = makeCluster([makeNode('n0', { cpu: 1 })]);
    const running = podOf('r', { ...shape, priority: 0 });
    built.pods.add({
      ...running,
      spec: { ...running.spec, containers: running.spec?.containers ?? [], nodeName: 'n0' },
    });
    const late: FilterPlugin = { name: 'Late', filterReads: 'node', filter: () => status };
    const options = optionsFor(built, frameworkWith(late), plain);
    const [tallied, object] = [tallyDryRun({ ...options, topology: null }, new DryRunMemory()), objectDryRun(options)];
    for (const node of built.nodeInfos()) {
      const answer = object(node);
      expect(answer).toMatchObject({ code: status.code, plugin: 'Late' });
      expect(tallied(node)).toEqual(answer);
    }
  });
});
