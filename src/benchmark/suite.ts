import type { FeatureGates } from '../config/feature-gates.ts';
import type { ClusterManifest } from '../manifests/cluster-manifest.ts';
import type { EngineName } from './subject.ts';
import { affinityCluster, antiAffinityCluster } from './synthetic/affinity.ts';
import { basicCluster } from './synthetic/basic.ts';
import { draCluster } from './synthetic/dra.ts';
import { extendedCluster } from './synthetic/extended.ts';
import { GANG_GATES, gangCluster } from './synthetic/gang.ts';
import { heteroCluster } from './synthetic/hetero.ts';
import { type PreemptionStyle, preemptionCluster } from './synthetic/preemption.ts';
import { realCluster } from './synthetic/real.ts';
import { spreadCluster } from './synthetic/spread.ts';

/** Kinds of synthetic clusters, by the name in results. */
export const BENCH_KINDS = [
  ...(['basic', 'hetero', 'spread', 'antiaffinity', 'affinity', 'preemption', 'real'] as const),
  ...(['dra', 'gang'] as const),
] as const;
export type BenchKind = (typeof BENCH_KINDS)[number];

/** Kinds that are measured only when they are named: tours and suites leave them out. */
const FURTHER_KINDS = [
  ...(['extended', 'preemption-spread', 'preemption-antiaffinity'] as const),
  ...(['preemption-ports', 'preemption-extended', 'preemption-claims', 'preemption-volumes'] as const),
] as const;
export const CLUSTER_KINDS = [...BENCH_KINDS, ...FURTHER_KINDS] as const;
export type ClusterKind = (typeof CLUSTER_KINDS)[number];

/**
 * The engines, fastest first: the memory peak is that of the process, and the reference engine keeps the most objects.
 */
export const ENGINES: readonly EngineName[] = ['simd', 'scalar', 'reference'];

export const DEFAULT_SUITE = 'core';

const CLUSTERS: Readonly<Record<ClusterKind, (nodes: number, pods: number, seed: number) => ClusterManifest>> = {
  basic: basicCluster,
  hetero: heteroCluster,
  spread: spreadCluster,
  antiaffinity: antiAffinityCluster,
  affinity: affinityCluster,
  preemption: preempting('plain'),
  real: realCluster,
  dra: draCluster,
  gang: gangCluster,
  extended: extendedCluster,
  'preemption-spread': preempting('spread'),
  'preemption-antiaffinity': preempting('antiaffinity'),
  'preemption-ports': preempting('ports'),
  'preemption-extended': preempting('extended'),
  'preemption-claims': preempting('claims'),
  'preemption-volumes': preempting('volumes'),
};

function preempting(style: PreemptionStyle): (nodes: number, pods: number) => ClusterManifest {
  return (nodes, pods) => preemptionCluster(nodes, pods, style);
}

export function syntheticCluster(
  kind: ClusterKind,
  nodeCount: number,
  podCount: number,
  seed: number,
): ClusterManifest {
  return CLUSTERS[kind](nodeCount, podCount, seed);
}

const OF_PREEMPTION = { kernels: 2000, reference: 100 };

/**
 * How many pods a tour places on 5,000 nodes. The reference engine takes 1 to 70 ms for each and places only the first
 * ones, as many as a rung of the pod ladder; the kernels place enough that the cost of a new pod signature does not
 * matter.
 */
export const TOUR_PODS: Readonly<Record<ClusterKind, { readonly kernels: number; readonly reference: number }>> = {
  basic: { kernels: 50_000, reference: 500 },
  hetero: { kernels: 50_000, reference: 500 },
  spread: { kernels: 20_000, reference: 500 },
  antiaffinity: { kernels: 20_000, reference: 500 },
  affinity: { kernels: 20_000, reference: 500 },
  preemption: OF_PREEMPTION,
  real: { kernels: 10_000, reference: 50 },
  dra: { kernels: 2000, reference: 20 },
  gang: { kernels: 3200, reference: 64 },
  extended: { kernels: 2000, reference: 20 },
  'preemption-spread': OF_PREEMPTION,
  'preemption-antiaffinity': OF_PREEMPTION,
  'preemption-ports': OF_PREEMPTION,
  'preemption-extended': OF_PREEMPTION,
  'preemption-claims': OF_PREEMPTION,
  'preemption-volumes': OF_PREEMPTION,
};

/** The gates that a kind needs beside the defaults. */
export function gatesOfKind(kind: string): Partial<FeatureGates> {
  return kind === 'gang' ? GANG_GATES : {};
}

/**
 * The reference engine runs for seconds where the kernels run for milliseconds, so one run is as steady as five of
 * theirs.
 */
export function defaultRepeat(engine: EngineName): number {
  return engine === 'reference' ? 1 : 5;
}
