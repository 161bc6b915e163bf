/** Pods that spread softly by two keys, of which searches score each pair of numbers once. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Pod, type PodSpec, Scheduler, type SchedulerOptions } from '../../src/index.ts';
import { Prng } from '../../src/lib/prng.ts';
import { makeNode } from '../builders/make-node.ts';
import { makePod } from '../builders/make-pod.ts';
import { runs } from '../builders/runs.ts';

const numRuns = runs(25);

const HOST = 'kubernetes.io/hostname';
const ENGINES = ['simd', 'scalar', 'reference'] as const;

const options: fc.Arbitrary<SchedulerOptions> = fc.constantFrom(
  { tieBreak: 'upstream', percentageOfNodesToScore: 0 },
  { tieBreak: 'upstream', percentageOfNodesToScore: 70 },
  { tieBreak: 'upstream', percentageOfNodesToScore: 100 },
  { tieBreak: 'first', percentageOfNodesToScore: 70 },
  { tieBreak: 'first', percentageOfNodesToScore: 100 },
);

const constraint = fc.record({
  key: fc.constantFrom(HOST, 'zone', 'rack', 'region', 'alias'),
  maxSkew: fc.integer({ min: 1, max: 4 }),
  app: fc.constantFrom('a', 'b'),
});

const script = fc.record({
  options,
  nodeCount: fc.integer({ min: 90, max: 150 }),
  zones: fc.integer({ min: 1, max: 5 }),
  /** Nodes with one value of the label `alias`, which may be a value for each node. */
  perAlias: fc.constantFrom(1, 2, 40),
  constraints: fc.uniqueArray(constraint, { minLength: 2, maxLength: 3, selector: ({ key }) => key }),
  /** The most pods that are on a node already, but for one that has many more if there is a crowd. */
  mostPods: fc.integer({ min: 0, max: 4 }),
  crowd: fc.constantFrom(0, 0, 60),
  pods: fc.array(fc.constantFrom('a', 'a', 'b'), { minLength: 8, maxLength: 30 }),
  seed: fc.nat(1000),
});

test('they go where the reference engine places them, in a batch and one by one', () => {
  fc.assert(
    fc.property(script, ({ options: given, nodeCount, zones, perAlias, constraints, mostPods, crowd, pods, seed }) => {
      const spreading = constraints.map(({ key, maxSkew, app }) => ({
        ...{ topologyKey: key, maxSkew, whenUnsatisfiable: 'ScheduleAnyway' as const },
        labelSelector: { matchLabels: { app } },
      }));
      const podOf = (name: string, app: string, spec: Partial<PodSpec>): Pod => {
        const pod = makePod(name, { requests: { cpu: spec.nodeName ? '1m' : '1500m' } });
        return { ...pod, metadata: { ...pod.metadata, labels: { app } }, spec: { ...(pod.spec as PodSpec), ...spec } };
      };
      const outcomes = ENGINES.flatMap((engine) =>
        [true, false].map((isBatch) => {
          const prng = new Prng(seed);
          const scheduler = new Scheduler({ ...given, engine });
          for (let i = 0; i < nodeCount; i++) {
            const labels = {
              zone: `z${i % zones}`,
              rack: `r${i % 17}`,
              region: 'r',
              alias: `a${Math.floor(i / perAlias)}`,
            };
            scheduler.addNode(
              makeNode(`n${i}`, { cpu: 2 + 6 * (i % zones) + prng.below(3), labels: { ...labels, [HOST]: `n${i}` } }),
            );
          }
          let number = 0;
          const place = (node: number): void => {
            const name = `placed-${number++}`;
            scheduler.updatePod(podOf(name, prng.below(4) === 0 ? 'b' : 'a', { nodeName: `n${node}` }));
          };
          for (let i = 0; i < nodeCount; i++) for (let left = prng.below(mostPods + 1); left > 0; left--) place(i);
          for (let i = 0; i < crowd; i++) place(0);
          const all = pods.map((app, i) => podOf(`p${i}`, app, { topologySpreadConstraints: spreading }));
          const results = isBatch ? [...scheduler.scheduleBatch(all)] : all.map((pod) => scheduler.schedule(pod));
          // Ties are not counted in a batch.
          return results.map((result) => (result.status === 'scheduled' ? [result.node, result.score] : result));
        }),
      );
      for (const outcome of outcomes) expect(outcome).toEqual(outcomes.at(-1));
    }),
    { numRuns },
  );
}, 60_000);
