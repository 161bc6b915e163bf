import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Pod, Scheduler } from '../../../src/index.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';
import { runs } from '../../builders/runs.ts';

const numRuns = runs(60);
const NODES = 24;

const change = fc.record({
  do: fc.constantFrom('fill', 'empty', 'taint', 'resize', 'remove', 'nominate', 'nothing'),
  node: fc.nat(NODES - 1),
});
/** The node for which a pod is nominated before it is scheduled; null: none. */
const nominated = fc.option(fc.nat(NODES - 1), { freq: 3 });
const life = fc.record({
  rounds: fc.array(fc.record({ changes: fc.array(change, { maxLength: 3 }), pod: fc.nat(4), own: nominated }), {
    maxLength: 15,
  }),
  order: fc.boolean(),
  preemption: fc.boolean(),
});

const spread = (topologyKey: string, app: string) => ({
  ...{ maxSkew: 1, topologyKey, whenUnsatisfiable: 'DoNotSchedule' as const },
  labelSelector: { matchLabels: { app } },
});
const ZONE = 'topology.kubernetes.io/zone';
const APART = {
  podAntiAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: [
      { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'low' } } },
    ],
  },
};
const HIGH = { priority: 20 };
const DISK = { name: 'disk', gcePersistentDisk: { pdName: 'disk' } };

/** Pods that fit nowhere, one after the other, while few nodes change between them. */
const PODS = [
  { requests: { cpu: 3 } },
  { requests: { cpu: 3, memory: '1Gi' }, spec: { priority: 10 } },
  {
    requests: { cpu: 1 },
    spec: {
      priority: 5,
      topologySpreadConstraints: [spread(ZONE, 'low')],
    },
  },
  { requests: { cpu: 1 }, spec: { topologySpreadConstraints: [spread(ZONE, 'low'), spread('none', 'low')] } },
  {
    requests: { cpu: 1 },
    spec: { topologySpreadConstraints: [spread('none', 'low')], affinity: APART, volumes: [DISK] },
  },
];

function play(
  scheduler: Scheduler,
  { rounds, order }: typeof life extends fc.Arbitrary<infer L> ? L : never,
): unknown[] {
  const lows = new Set<number>();
  const present = new Set<number>();
  const setNode = (i: number, cpu: number, taints: { key: string; effect: string }[] = []): void => {
    const node = makeNode(`n${i}`, { cpu, pods: 4, taints, ...(i % 7 > 0 && { zone: `z${i % 3}` }) });
    if (present.has(i)) scheduler.updateNode(node);
    else scheduler.addNode(node);
    present.add(i);
  };
  for (let i = 0; i < NODES; i++) setNode(order ? i : NODES - 1 - i, 2);
  const nominate = (pod: Pod, node: number): void =>
    scheduler.updatePod({ ...pod, status: { nominatedNodeName: `n${node}` } });
  return rounds.flatMap(({ changes, pod, own }, round) => {
    for (const { do: what, node } of changes) {
      if (what === 'fill' && !lows.has(node)) {
        lows.add(node);
        const { spec, metadata } = makePod(`low${node}`, { requests: { cpu: 2 }, nodeName: `n${node}` });
        const volumes = node % 2 === 0 ? [DISK] : [];
        scheduler.addPod({ metadata: { ...metadata, labels: { app: 'low' } }, spec: { ...spec, volumes } });
      }
      if (what === 'empty' && lows.delete(node)) scheduler.removePod('default', `low${node}`);
      if (what === 'taint') setNode(node, 4, [{ key: `k${round % 2}`, effect: 'NoSchedule' }]);
      if (what === 'resize') setNode(node, (round % 3) + 2);
      if (what === 'nominate') nominate(makePod(`nominated${node % 3}`, { requests: { cpu: 2 }, spec: HIGH }), node);
      if (what === 'remove' && present.delete(node)) scheduler.removeNode(`n${node}`);
    }
    return [0, 1].map((i) => {
      const incoming = makePod(`p${round}-${i}`, PODS[pod]);
      if (own !== null && i === 0) nominate(incoming, own);
      return scheduler.schedule(incoming);
    });
  });
}

test.each(['simd', 'scalar'] as const)('engine %s: the reasons that are kept are those of each attempt', (engine) => {
  fc.assert(
    fc.property(life, (plan) => {
      const { preemption } = plan;
      const expected = play(new Scheduler({ engine: 'reference', preemption }), plan);
      expect(play(new Scheduler({ engine, preemption }), plan)).toEqual(expected);
    }),
    { numRuns },
  );
});
