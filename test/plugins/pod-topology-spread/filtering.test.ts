import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TopologySpreadConstraint } from '../../../src/api/topology-spread.ts';
import { CycleState } from '../../../src/framework/cycle-state.ts';
import { PodTopologySpread } from '../../../src/plugins/pod-topology-spread/plugin.ts';
import { clusterOf, node, pod } from '../sample-cluster.ts';

const web = { app: 'web' };

const labelsOf = fc.record(
  { zone: fc.constantFrom('', 'a', 'b'), rack: fc.constantFrom('1', '2') },
  { requiredKeys: [] },
) as fc.Arbitrary<Record<string, string>>;

const constraint: fc.Arbitrary<TopologySpreadConstraint> = fc.record({
  maxSkew: fc.integer({ min: 1, max: 3 }),
  topologyKey: fc.constantFrom('zone', 'rack'),
  whenUnsatisfiable: fc.constant('DoNotSchedule'),
  minDomains: fc.constantFrom(undefined, 1, 3),
  labelSelector: fc.constantFrom({ matchLabels: web }, undefined),
  nodeAffinityPolicy: fc.constantFrom(undefined, 'Ignore'),
});

const step = fc.record({
  node: fc.nat({ max: 3 }),
  app: fc.constantFrom('web', 'db'),
  namespace: fc.constantFrom('default', 'other'),
  remove: fc.boolean(),
  clone: fc.boolean(),
});

describe('PodTopologySpread addPod and removePod', () => {
  test('a state that followed every change filters like one that was counted afresh', () => {
    fc.assert(
      fc.property(
        fc.array(labelsOf, { minLength: 4, maxLength: 4 }),
        fc.array(constraint, { minLength: 1, maxLength: 2 }),
        fc.array(step, { maxLength: 12 }),
        (nodeLabels, topologySpreadConstraints, steps) => {
          const cluster = clusterOf(nodeLabels.map((labels, i) => node(`n${i}`, labels)));
          const plugin = new PodTopologySpread(cluster);
          const nodeSelector = { rack: '1' };
          const incoming = cluster.pods.info(pod('p', web, { topologySpreadConstraints, nodeSelector }));
          let state = new CycleState();
          expect(plugin.preFilter(state, incoming)).toBeNull();

          steps.forEach(({ node: index, app, namespace, remove, clone }, i) => {
            if (clone) state = state.clone();
            const target = cluster.node(`n${index}`);
            if (target === undefined) throw new Error('no such node');
            const [gone] = target.pods;
            if (remove && gone !== undefined) {
              cluster.pods.remove(gone.namespace, gone.name);
              plugin.removePod(state, incoming, gone, target);
            } else {
              cluster.pods.add(pod(`x${i}`, { app }, { nodeName: target.name }, namespace));
              plugin.addPod(state, incoming, target.pods.at(-1) as never, target);
            }
          });

          const fresh = new CycleState();
          plugin.preFilter(fresh, incoming);
          for (const each of cluster.nodeInfos()) {
            expect(plugin.filter(state, incoming, each)).toEqual(plugin.filter(fresh, incoming, each));
          }
        },
      ),
    );
  });

  test('a copy of the state leaves the original alone', () => {
    const cluster = clusterOf([node('a', { zone: 'a' }), node('b', { zone: 'b' })]);
    const plugin = new PodTopologySpread(cluster);
    const incoming = cluster.pods.info(
      pod('p', web, {
        topologySpreadConstraints: [
          { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', labelSelector: { matchLabels: web } },
        ],
      }),
    );
    const state = new CycleState();
    plugin.preFilter(state, incoming);
    const [a] = cluster.nodeInfos();
    if (a === undefined) throw new Error('no such node');
    const copy = state.clone();
    plugin.addPod(copy, incoming, cluster.pods.info(pod('x', web)), a);
    expect(plugin.filter(copy, incoming, a)?.code).toBe('Unschedulable');
    expect(plugin.filter(state, incoming, a)).toBeNull();
  });
});
