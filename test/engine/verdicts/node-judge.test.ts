import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type PodSpec, Scheduler } from '../../../src/index.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';
import { runs } from '../../builders/runs.ts';

const numRuns = runs(60);
const NODES = 6;

const taint = { key: 'a', effect: 'NoSchedule' };
const seen = fc.record({
  pool: fc.constantFrom(undefined, 'x', 'y'),
  isTainted: fc.boolean(),
  unschedulable: fc.constantFrom(undefined, true),
  hasImage: fc.boolean(),
});
const step = fc.oneof(
  fc.record({ do: fc.constant('node' as const), node: fc.nat(NODES - 1), seen }),
  fc.record({ do: fc.constant('pod' as const), kind: fc.nat(5) }),
  fc.record({ do: fc.constant('pod' as const), kind: fc.nat(5) }),
  fc.record({ do: fc.constant('leave' as const), pod: fc.nat(20) }),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

const port = [{ hostPort: 80, containerPort: 80 }];
const tolerations = [{ key: 'a', operator: 'Exists' as const }];
const image = 'registry.k8s.io/pause:3';

/** Pods with and without host ports, images, tolerations and a pool. */
const KINDS: readonly Partial<PodSpec>[] = [
  { containers: [{ name: 'c', ports: port }] },
  { containers: [{ name: 'c', ports: port, image }], tolerations },
  { containers: [{ name: 'c', ports: port }], nodeSelector: { pool: 'x' } },
  { containers: [{ name: 'c', image }], nodeSelector: { pool: 'y' } },
  { containers: [{ name: 'c', image }], tolerations },
  { containers: [{ name: 'c' }] },
];

function play(scheduler: Scheduler, steps: readonly Step[]): unknown[] {
  for (let i = 0; i < NODES; i++) scheduler.addNode(makeNode(`n${i}`));
  const placed = new Set<number>();
  return steps.map((given, i) => {
    if (given.do === 'node') {
      const { pool, isTainted, unschedulable, hasImage } = given.seen;
      const parts = {
        labels: pool === undefined ? {} : { pool },
        taints: isTainted ? [taint] : [],
        images: hasImage ? { [image]: 500 * 2 ** 20 } : {},
        ...(unschedulable && { unschedulable }),
      };
      scheduler.updateNode(makeNode(`n${given.node}`, parts));
      return null;
    }
    if (given.do === 'leave') {
      if (placed.delete(given.pod)) scheduler.removePod('default', `p${given.pod}`);
      return null;
    }
    const result = scheduler.schedule(makePod(`p${i}`, { spec: { containers: [], ...KINDS[given.kind] } }));
    if (result.status === 'scheduled') placed.add(i);
    return result;
  });
}

test.each(['simd', 'scalar'] as const)('engine %s judges nodes that look alike as those that are asked', (engine) => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30, size: 'max' }), (steps) => {
      expect(play(new Scheduler({ engine }), steps)).toEqual(play(new Scheduler({ engine: 'reference' }), steps));
    }),
    { numRuns },
  );
});
