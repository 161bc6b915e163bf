import type { BenchContext } from '../../src/benchmark/bench-case.ts';
import { runCase } from '../../src/benchmark/run-case.ts';
import { type ClusterKind, gatesOfKind, syntheticCluster } from '../../src/benchmark/suite.ts';
import type { SchedulerOptions } from '../../src/core/scheduler-options.ts';
import { readPods } from './read-pods.ts';

/** What a pod costs, beside the least that it could cost. */
export interface FloorPoint {
  /** The loop that only reads the pods and writes a result for each; the least of its rounds. */
  readonly floorMicros: number;
  /** A whole decision through `scheduleBatch`; the median of the runs. */
  readonly micros: number;
}

const SEED = 1;
const ROUNDS = 20;

export function floorPoint(
  kind: ClusterKind,
  { nodes, pods, repeat }: { readonly nodes: number; readonly pods: number; readonly repeat: number },
  options: Omit<SchedulerOptions, 'engine'>,
  context: BenchContext,
): FloorPoint {
  const cluster = syntheticCluster(kind, nodes, pods, SEED);
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const start = context.clock.nowMillis();
    readPods(cluster.pods);
    least = Math.min(least, context.clock.nowMillis() - start);
  }
  const featureGates = gatesOfKind(kind);
  const benchCase = { suite: 'floor', kind, cluster, engine: 'simd', options: { ...options, featureGates } } as const;
  const { result } = runCase(benchCase, { repeat }, context);
  return { floorMicros: (least * 1000) / cluster.pods.length, micros: (result.seconds * 1e6) / result.pods };
}
