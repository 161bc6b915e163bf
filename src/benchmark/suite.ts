import type { ClusterObjects } from '../manifests/cluster-objects.ts';
import type { EngineName } from './subject.ts';
import { affinityCluster, antiAffinityCluster } from './synthetic/affinity.ts';
import { basicCluster } from './synthetic/basic.ts';
import { heteroCluster } from './synthetic/hetero.ts';
import { preemptionCluster } from './synthetic/preemption.ts';
import { spreadCluster } from './synthetic/spread.ts';

/** Kinds of synthetic clusters, by the name that results carry. */
export const BENCH_KINDS = ['basic', 'hetero', 'spread', 'antiaffinity', 'affinity', 'preemption'] as const;
export type BenchKind = (typeof BENCH_KINDS)[number];

/** Fastest first: the peak of memory is of the process, and the reference keeps the most objects. */
export const ENGINES: readonly EngineName[] = ['simd', 'scalar', 'reference'];

export const DEFAULT_SUITE = 'core';

const CLUSTERS: Readonly<Record<BenchKind, (nodes: number, pods: number, seed: number) => ClusterObjects>> = {
  basic: basicCluster,
  hetero: heteroCluster,
  spread: spreadCluster,
  antiaffinity: antiAffinityCluster,
  affinity: affinityCluster,
  preemption: preemptionCluster,
};

export function syntheticCluster(kind: BenchKind, nodeCount: number, podCount: number, seed: number): ClusterObjects {
  return CLUSTERS[kind](nodeCount, podCount, seed);
}

/**
 * How many pods a tour places on 5,000 nodes. The reference takes 1 to 15 ms for each and places the first of them, as
 * many as on a rung of the pod ladder; for the kernels there are enough that what a class costs once does not decide.
 */
export const TOUR_PODS: Readonly<Record<BenchKind, { readonly kernels: number; readonly reference: number }>> = {
  basic: { kernels: 50_000, reference: 500 },
  hetero: { kernels: 50_000, reference: 500 },
  spread: { kernels: 20_000, reference: 500 },
  antiaffinity: { kernels: 20_000, reference: 500 },
  affinity: { kernels: 20_000, reference: 500 },
  preemption: { kernels: 2000, reference: 100 },
};

/** The reference runs for seconds where the kernels run for milliseconds: once is as steady as they are in five. */
export function defaultRepeat(engine: EngineName): number {
  return engine === 'reference' ? 1 : 5;
}
