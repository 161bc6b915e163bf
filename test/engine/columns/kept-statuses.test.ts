import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Scheduler } from '../../../src/index.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';

const numRuns = Number(process.env['BERTH_RUNS'] ?? 60);
const NODES = 24;

const change = fc.record({
  do: fc.constantFrom('fill', 'empty', 'taint', 'resize', 'remove', 'nothing'),
  node: fc.nat(NODES - 1),
});
const life = fc.record({
  rounds: fc.array(fc.record({ changes: fc.array(change, { maxLength: 3 }), pod: fc.nat(2) }), { maxLength: 15 }),
  order: fc.boolean(),
});

/** Pods that fit nowhere, one after the other, while few nodes change between them. */
const PODS = [
  { requests: { cpu: 3 } },
  { requests: { cpu: 3, memory: '1Gi' }, spec: { priority: 10 } },
  {
    requests: { cpu: 1 },
    spec: {
      priority: 5,
      topologySpreadConstraints: [
        {
          maxSkew: 1,
          topologyKey: 'topology.kubernetes.io/zone',
          whenUnsatisfiable: 'DoNotSchedule' as const,
          labelSelector: { matchLabels: { app: 'low' } },
        },
      ],
    },
  },
];

function play(
  scheduler: Scheduler,
  { rounds, order }: typeof life extends fc.Arbitrary<infer L> ? L : never,
): unknown[] {
  const lows = new Set<number>();
  const present = new Set<number>();
  const setNode = (i: number, cpu: number, taints: { key: string; effect: string }[] = []): void => {
    const node = makeNode(`n${i}`, { cpu, pods: 4, taints, zone: `z${i % 3}` });
    if (present.has(i)) scheduler.updateNode(node);
    else scheduler.addNode(node);
    present.add(i);
  };
  for (let i = 0; i < NODES; i++) setNode(order ? i : NODES - 1 - i, 2);
  return rounds.flatMap(({ changes, pod }, round) => {
    for (const { do: what, node } of changes) {
      if (what === 'fill' && !lows.has(node)) {
        lows.add(node);
        const { spec, metadata } = makePod(`low${node}`, { requests: { cpu: 2 }, nodeName: `n${node}` });
        scheduler.addPod({ metadata: { ...metadata, labels: { app: 'low' } }, spec });
      }
      if (what === 'empty' && lows.delete(node)) scheduler.removePod('default', `low${node}`);
      if (what === 'taint') setNode(node, 4, [{ key: `k${round % 2}`, effect: 'NoSchedule' }]);
      if (what === 'resize') setNode(node, (round % 3) + 2);
      if (what === 'remove' && present.delete(node)) scheduler.removeNode(`n${node}`);
    }
    return [0, 1].map((i) => scheduler.schedule(makePod(`p${round}-${i}`, PODS[pod])));
  });
}

test.each(['simd', 'scalar'] as const)('engine %s: the reasons that are kept are those of each attempt', (engine) => {
  fc.assert(
    fc.property(life, (plan) => {
      expect(play(new Scheduler({ engine }), plan)).toEqual(play(new Scheduler({ engine: 'reference' }), plan));
    }),
    { numRuns },
  );
});
