import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AffinityPlan } from '../../../src/engine/topology/affinity-plan.ts';
import { AffinityTally, areActive, standingViolation } from '../../../src/engine/topology/affinity-tally.ts';
import { RequiredAffinity } from '../../../src/plugins/inter-pod-affinity/filtering.ts';
import { unrolledTermsOf } from '../../../src/plugins/inter-pod-affinity/terms.ts';
import { podOf } from '../../builders/arbitrary-cluster.ts';
import { makePodInfo } from '../../builders/make-cluster.ts';
import { apply, changes, podSketch, WatchedCluster } from './watched-cluster.ts';

const weights = { hardPodAffinityWeight: 1, ignorePreferredTermsOfExistingPods: false };
const guests = fc.array(podSketch, { maxLength: 2 });

test('a tally answers as the plugin does on a copy of its counts', () => {
  fc.assert(
    fc.property(changes, podSketch, guests, (script, sketch, guests) => {
      const { cluster, index } = new WatchedCluster('simd');
      for (const change of script) apply(cluster, change);
      const { objects } = cluster;
      const pod = makePodInfo(podOf('incoming', sketch.spec, sketch));
      const terms = new AffinityPlan(index, pod, objects, weights).counted();
      const nodes = [...cluster.knownNodes()];
      const counted = new RequiredAffinity(pod, unrolledTermsOf(pod, objects));
      for (const node of nodes) for (const other of node.pods) counted.update(other, node, 1);
      expect(areActive(terms)).toBe(!counted.isTrivial);
      const expected = guests.map((guest, i) => makePodInfo(podOf(`guest${i}`, guest.spec, guest)));
      for (const node of nodes) {
        expect(standingViolation(terms, node.slot)).toBe(counted.violation(node.node));
        const [alone, beside] = [counted.clone(), counted.clone()];
        for (const other of expected) beside.update(other, node, 1);
        const tally = new AffinityTally(terms, node, expected);
        const compare = (): void => {
          expect(tally.violation(false)).toBe(alone.violation(node.node));
          expect(tally.violation(true)).toBe(beside.violation(node.node));
          if (!tally.isMoved) expect(tally.violation(true)).toBe(counted.violation(node.node));
        };
        compare();
        for (const other of node.pods) {
          for (const copy of [alone, beside]) copy.update(other, node, -1);
          tally.move(other, -1);
          compare();
        }
      }
    }),
    { numRuns: 150 },
  );
});
