import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AffinityPlan } from '../../../src/engine/topology/affinity-plan.ts';
import { RequiredAffinity } from '../../../src/plugins/inter-pod-affinity/filtering.ts';
import { normalizeAffinityScores, PreferredAffinity } from '../../../src/plugins/inter-pod-affinity/scoring.ts';
import { affinityTermsOf, unrolledTermsOf } from '../../../src/plugins/inter-pod-affinity/terms.ts';
import { podOf } from '../../builders/arbitrary-cluster.ts';
import { NAMESPACES } from '../../builders/arbitrary-topology.ts';
import { makePodInfo } from '../../builders/make-cluster.ts';
import { apply, changes, podSketch, WatchedCluster } from './watched-cluster.ts';

const teams = fc.array(fc.constantFrom('one', 'two', undefined), { minLength: 3, maxLength: 3 });

test.each(['scalar', 'simd'] as const)('%s: after every change the plan has the result of counting anew', (kind) => {
  const weights = fc.record({
    hardPodAffinityWeight: fc.constantFrom(0, 1, 1, 50),
    ignorePreferredTermsOfExistingPods: fc.constantFrom(false, false, true),
  });
  fc.assert(
    fc.property(changes, podSketch, teams, weights, (script, sketch, teams, weights) => {
      const watched = new WatchedCluster(kind);
      const { cluster, index, kernels, scratch, feasible } = watched;
      const { objects } = cluster;
      for (const [i, name] of NAMESPACES.entries()) {
        const team = teams[i];
        objects.set('Namespace', { metadata: { name, labels: team === undefined ? {} : { team } } });
      }
      const pod = makePodInfo(podOf('incoming', sketch.spec, sketch));
      const terms = affinityTermsOf(pod);
      let plan: AffinityPlan | null = null;
      script.forEach((change, step) => {
        apply(cluster, change);
        // The plan is made after the first pods are there: they have to be counted, too.
        if (step < 3) return;
        plan ??= new AffinityPlan(index, pod, objects, weights);
        const nodes = watched.markAll();
        const required = new RequiredAffinity(pod, unrolledTermsOf(pod, objects));
        for (const node of nodes) for (const other of node.pods) required.update(other, node, 1);
        const violations = nodes.map((node) => required.violation(node.node));
        expect(plan.filters || violations.every((violation) => violation === null)).toBe(true);
        plan.filter(kernels, feasible, cluster.slotCount);
        expect(nodes.map(({ slot }) => plan?.violation(slot))).toEqual(violations);
        expect(nodes.map((node) => !watched.isFeasible(node))).toEqual(
          violations.map((violation) => violation !== null),
        );

        const preferred = new PreferredAffinity(pod, unrolledTermsOf(pod, objects), weights.hardPodAffinityWeight);
        for (const node of nodes) for (const other of node.pods) preferred.add(other, node);
        const hasPreferences = terms.preferredAffinity.length + terms.preferredAntiAffinity.length > 0;
        const isSkipped = preferred.isEmpty || (weights.ignorePreferredTermsOfExistingPods && !hasPreferences);
        expect(plan.score(kernels, scratch, feasible, cluster.slotCount)).toBe(!isSkipped);
        if (isSkipped) return;
        const found = nodes.filter((node) => watched.isFeasible(node));
        const raw = found.map((node) => preferred.score(node));
        expect(found.map(({ slot }) => scratch.raw.values[slot])).toEqual(raw);
        expect(found.map(({ slot }) => scratch.normalized.values[slot])).toEqual(normalizeAffinityScores(raw));
      });
    }),
    { numRuns: 150 },
  );
});
