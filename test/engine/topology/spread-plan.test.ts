import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { NodeSelectorTerm } from '../../../src/api/node-selector.ts';
import type { Affinity } from '../../../src/api/pod.ts';
import { SpreadPlan } from '../../../src/engine/topology/spread-plan.ts';
import type { SpreadConstraint } from '../../../src/framework/column-forms.ts';
import type { PodInfo } from '../../../src/framework/pod-info.ts';
import { type Action, compileConstraints } from '../../../src/plugins/pod-topology-spread/constraints.ts';
import { HardSpread } from '../../../src/plugins/pod-topology-spread/filtering.ts';
import { SoftSpread } from '../../../src/plugins/pod-topology-spread/scoring.ts';
import { podOf } from '../../builders/arbitrary-cluster.ts';
import { arbitrarySpread } from '../../builders/arbitrary-topology.ts';
import { makePodInfo } from '../../builders/make-cluster.ts';
import { apply, changes, podSketch, WatchedCluster } from './watched-cluster.ts';

const required = (...nodeSelectorTerms: NodeSelectorTerm[]): Affinity => ({
  nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } },
});

const spec = fc.record({
  topologySpreadConstraints: arbitrarySpread,
  nodeSelector: fc.constantFrom<(Record<string, string> | undefined)[]>(undefined, undefined, { pool: 'x' }),
  affinity: fc.constantFrom(
    undefined,
    undefined,
    required({ matchExpressions: [{ key: 'pool', operator: 'DoesNotExist' }] }),
    required({ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n1'] }] }),
  ),
});

/** The pod's constraints; those whose selector is malformed are left out. */
function constraintsOf({ pod }: PodInfo, action: Action): SpreadConstraint[] {
  return (pod.spec?.topologySpreadConstraints ?? []).flatMap((constraint) => {
    const compiled = compileConstraints([constraint], pod, action);
    return 'error' in compiled ? [] : compiled;
  });
}

test.each(['scalar', 'simd'] as const)('%s: after every change the plan has the result of counting anew', (kind) => {
  fc.assert(
    fc.property(changes, podSketch, spec, fc.boolean(), (script, sketch, spread, requireAllKeys) => {
      const watched = new WatchedCluster(kind);
      const { cluster, index, kernels, scratch, feasible } = watched;
      const pod = makePodInfo(podOf('incoming', spread, sketch));
      const [hard, soft] = [constraintsOf(pod, 'DoNotSchedule'), constraintsOf(pod, 'ScheduleAnyway')];
      let plan: SpreadPlan | null = null;
      script.forEach((change, step) => {
        apply(cluster, change);
        // The plan is made after the first pods are there: they have to be counted, too.
        if (step < 3) return;
        plan ??= new SpreadPlan(index, pod, hard, soft, requireAllKeys);
        const nodes = watched.markAll();
        const counted = HardSpread.count(pod, hard, nodes);
        const violations = nodes.map((node) => counted.violation(node.node));
        plan.filter(kernels, feasible, cluster.slotCount);
        expect(nodes.map(({ slot }) => plan?.violation(slot))).toEqual(violations);
        expect(nodes.map((node) => !watched.isFeasible(node))).toEqual(
          violations.map((violation) => violation !== null),
        );

        if (plan.isAmbiguous(cluster.nodeCount)) return;
        const found = nodes.filter((node) => watched.isFeasible(node));
        expect(plan.score(kernels, scratch, feasible, cluster.slotCount)).toBe(soft.length > 0);
        if (soft.length === 0) return;
        const recount = new SoftSpread(pod, soft, found, nodes, requireAllKeys);
        const raw = found.map((node) => recount.score(node));
        const scored = found.map(({ slot }) => (scratch.scored.values[slot] === 0 ? 0 : scratch.raw.values[slot]));
        expect(scored).toEqual(raw);
        expect(found.map(({ slot }) => scratch.normalized.values[slot])).toEqual(recount.normalize(found, raw));
      });
    }),
    { numRuns: 150 },
  );
});
