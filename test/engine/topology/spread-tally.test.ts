import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SpreadPlan } from '../../../src/engine/topology/spread-plan.ts';
import { SpreadTally } from '../../../src/engine/topology/spread-tally.ts';
import { compileConstraints } from '../../../src/plugins/pod-topology-spread/constraints.ts';
import { HardSpread } from '../../../src/plugins/pod-topology-spread/filtering.ts';
import { podOf } from '../../builders/arbitrary-cluster.ts';
import { arbitrarySpread } from '../../builders/arbitrary-topology.ts';
import { makePodInfo } from '../../builders/make-cluster.ts';
import { apply, changes, podSketch, WatchedCluster } from './watched-cluster.ts';

const spec = fc.record({ topologySpreadConstraints: arbitrarySpread });
const guests = fc.array(podSketch, { maxLength: 2 });

test('a tally answers as the plugin does on a copy of its counts', () => {
  fc.assert(
    fc.property(changes, podSketch, spec, guests, (script, sketch, spread, guests) => {
      const { cluster, index } = new WatchedCluster('simd');
      for (const change of script) apply(cluster, change);
      const pod = makePodInfo(podOf('incoming', spread, sketch));
      const hard = (pod.pod.spec?.topologySpreadConstraints ?? []).flatMap((constraint) => {
        const compiled = compileConstraints([constraint], pod.pod, 'DoNotSchedule');
        return 'error' in compiled ? [] : compiled;
      });
      const { constraints } = new SpreadPlan(index, pod, hard, [], true).counted();
      const nodes = [...cluster.knownNodes()];
      const counted = HardSpread.count(pod, hard, nodes);
      const expected = guests.map((guest, i) => makePodInfo(podOf(`guest${i}`, guest.spec, guest)));
      for (const node of nodes) {
        const copy = counted.clone();
        for (const other of expected) copy.update(pod, other, node, 1);
        const tally = new SpreadTally(pod, constraints, node.slot, expected);
        expect(tally.violation()).toBe(copy.violation(node.node));
        for (const other of node.pods) {
          copy.update(pod, other, node, -1);
          tally.move(other, -1);
          expect(tally.violation()).toBe(copy.violation(node.node));
          if (!tally.isMoved) expect(tally.violation()).toBe(counted.violation(node.node));
        }
      }
    }),
    { numRuns: 150 },
  );
});
