import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Affinity } from '../../../src/api/pod.ts';
import type { PodAffinityTerm } from '../../../src/api/pod-affinity.ts';
import { CycleState } from '../../../src/framework/cycle-state.ts';
import { InterPodAffinity } from '../../../src/plugins/inter-pod-affinity/plugin.ts';
import { clusterOf, node, pod } from '../sample-cluster.ts';

const labelsOf = fc.record(
  { zone: fc.constantFrom('', 'a', 'b'), rack: fc.constantFrom('1', '2') },
  { requiredKeys: [] },
) as fc.Arbitrary<Record<string, string>>;

const term: fc.Arbitrary<PodAffinityTerm> = fc.record({
  topologyKey: fc.constantFrom('zone', 'rack'),
  labelSelector: fc.constantFrom(undefined, {}, { matchLabels: { app: 'web' } }, { matchLabels: { app: 'db' } }),
  namespaces: fc.constantFrom(undefined, ['other']),
  namespaceSelector: fc.constantFrom(undefined, {}, { matchLabels: { team: 'x' } }),
});

const terms = fc.record({ requiredDuringSchedulingIgnoredDuringExecution: fc.array(term, { maxLength: 2 }) });
const affinity: fc.Arbitrary<Affinity> = fc.record({ podAffinity: terms, podAntiAffinity: terms });

const step = fc.record({
  node: fc.nat({ max: 3 }),
  app: fc.constantFrom('web', 'db'),
  namespace: fc.constantFrom('default', 'other', 'unknown'),
  affinity,
  remove: fc.boolean(),
  clone: fc.boolean(),
});

describe('InterPodAffinity addPod and removePod', () => {
  test('a state that followed every change filters like one that was counted afresh', () => {
    fc.assert(
      fc.property(
        fc.array(labelsOf, { minLength: 4, maxLength: 4 }),
        affinity,
        fc.array(step, { maxLength: 12 }),
        (nodeLabels, own, steps) => {
          const cluster = clusterOf(nodeLabels.map((labels, i) => node(`n${i}`, labels)));
          cluster.objects.set('Namespace', { metadata: { name: 'default', labels: { team: 'x' } } });
          cluster.objects.set('Namespace', { metadata: { name: 'other' } });
          const plugin = new InterPodAffinity(cluster);
          const incoming = cluster.pods.info(pod('p', { app: 'web' }, { affinity: own }));
          let state = new CycleState();
          // A skipped plugin is not notified of changes.
          fc.pre(plugin.preFilter(state, incoming) === null);

          steps.forEach(({ node: index, app, namespace, affinity: theirs, remove, clone }, i) => {
            if (clone) state = state.clone();
            const target = cluster.node(`n${index}`);
            if (target === undefined) throw new Error('no such node');
            const [gone] = target.pods;
            if (remove && gone !== undefined) {
              cluster.pods.remove(gone.namespace, gone.name);
              plugin.removePod(state, incoming, gone, target);
            } else {
              cluster.pods.add(pod(`x${i}`, { app }, { nodeName: target.name, affinity: theirs }, namespace));
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
    const cluster = clusterOf([node('a', { zone: 'a' })]);
    const plugin = new InterPodAffinity(cluster);
    const labelSelector = { matchLabels: { app: 'db' } };
    const anti = { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'zone', labelSelector }] };
    const incoming = cluster.pods.info(pod('p', {}, { affinity: { podAntiAffinity: anti } }));
    const state = new CycleState();
    plugin.preFilter(state, incoming);
    const [a] = cluster.nodeInfos();
    if (a === undefined) throw new Error('no such node');
    const copy = state.clone();
    plugin.addPod(copy, incoming, cluster.pods.info(pod('x', { app: 'db' })), a);
    expect(plugin.filter(copy, incoming, a)?.code).toBe('Unschedulable');
    expect(plugin.filter(state, incoming, a)).toBeNull();
  });
});
