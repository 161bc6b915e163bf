import type { ClusterObjects } from '../cluster-objects.ts';
import { basicCluster } from '../synthetic/basic.ts';
import { heteroCluster } from '../synthetic/hetero.ts';
import type { EngineName } from './subject.ts';

/** Kinds of synthetic clusters, by the name that results carry. */
export const BENCH_KINDS = ['basic', 'hetero'] as const;
export type BenchKind = (typeof BENCH_KINDS)[number];

/** Fastest first: the peak of memory is of the process, and the reference keeps the most objects. */
export const ENGINES: readonly EngineName[] = ['simd', 'scalar', 'reference'];

export const DEFAULT_SUITE = 'core';

export function syntheticCluster(kind: BenchKind, nodeCount: number, podCount: number, seed: number): ClusterObjects {
  return kind === 'basic' ? basicCluster(nodeCount, podCount) : heteroCluster(nodeCount, podCount, seed);
}

/** The reference runs for seconds where the kernels run for milliseconds: once is as steady as they are in five. */
export function defaultRepeat(engine: EngineName): number {
  return engine === 'reference' ? 1 : 5;
}
