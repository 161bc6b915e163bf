import { whole } from '../../lib/shown-count.ts';
import type { BenchResult, Figure } from '../result.ts';
import type { KernelThroughput } from './kernel-case.ts';

type Measured = number | undefined;

/** `disagreements`: the number of variants that decided differently. */
export function figuresOf(
  results: readonly BenchResult[],
  kernel: KernelThroughput | undefined,
  disagreements: number,
): Figure[] {
  const find = (kind: string, nodes: number, wanted: Partial<BenchResult> = {}) =>
    findResult(results, kind, nodes, wanted);
  const speed = (kind: string, nodes: number): Measured => find(kind, nodes)?.podsPerSecond;
  const podsPerSecond = (kind: string, nodes: number, wanted: number) =>
    atLeast(`${kind}, ${whole(nodes)} nodes`, 'pods/s', wanted, speed(kind, nodes));
  const topology = ['spread', 'antiaffinity', 'affinity'];
  const scan = (nodes: number, wanted: Partial<BenchResult> = {}) => find('hetero', nodes, { index: false, ...wanted });
  const sampling = (nodes: number) =>
    atLeast(
      `hetero, ${whole(nodes)} nodes, index off: adaptive sampling over every node`,
      'x',
      1,
      ratio(sampledScan(results, nodes)?.podsPerSecond, scan(nodes)?.podsPerSecond),
    );
  const large = find('hetero', 1_000_000);
  const reference = find('hetero', 5000, { engine: 'reference', index: false });
  return [
    atLeast(`basic, ${whole(5000)} nodes, in the kernel`, 'pods/s', 5_000_000, kernel?.podsPerSecond),
    podsPerSecond('basic', 5000, 1_500_000),
    podsPerSecond('hetero', 5000, 1_000_000),
    atLeast(
      'hetero, 5,000 nodes: over the reference',
      'x',
      100,
      ratio(speed('hetero', 5000), reference?.podsPerSecond),
    ),
    podsPerSecond('hetero', 100_000, 500_000),
    ...topology.map((kind) => podsPerSecond(kind, 5000, 150_000)),
    ...topology.map((kind) => podsPerSecond(kind, 50_000, 50_000)),
    podsPerSecond('dra', 5000, 50_000),
    podsPerSecond('gang', 5000, 30_000),
    atMost('hetero, 5,000 nodes, index off: full scan', 'ns per pod and node', 4, nanosPerPodAndNode(scan(5000))),
    atLeast(
      'hetero, 50,000 nodes, index off: two workers over one',
      'x',
      1.6,
      ratio(scan(50_000, { workers: 2 })?.podsPerSecond, scan(50_000)?.podsPerSecond),
    ),
    podsPerSecond('hetero', 1_000_000, 200_000),
    atMost('hetero, 1,000,000 nodes: kept of a node', 'bytes', 400, large?.bytesPerNode),
    atMost(
      'hetero, 1,000,000 nodes: kept of a node by all classes',
      'bytes',
      null,
      large?.classBytesPerNode ?? undefined,
    ),
    atMost('hetero, 1,000,000 nodes: kept of a pod', 'bytes', null, large?.bytesPerPod ?? undefined),
    sampling(5000),
    sampling(50_000),
    atMost('variants that decided differently', '', 0, results.length > 1 ? disagreements : undefined),
  ];
}

function atLeast(name: string, unit: string, wanted: number | null, measured: Measured): Figure {
  return figure(name, unit, 'atLeast', wanted, measured);
}

function atMost(name: string, unit: string, wanted: number | null, measured: Measured): Figure {
  return figure(name, unit, 'atMost', wanted, measured);
}

function figure(name: string, unit: string, bound: Figure['bound'], wanted: number | null, measured: Measured): Figure {
  if (measured === undefined) return { name, unit, bound, wanted, measured: null, isMet: null };
  const isMet = wanted === null ? null : bound === 'atLeast' ? measured >= wanted : measured <= wanted;
  return { name, unit, bound, wanted, measured, isMet };
}

/**
 * Finds the result that scored every node, on one thread of the SIMD engine with its index, unless `wanted` says
 * otherwise.
 */
function findResult(results: readonly BenchResult[], kind: string, nodes: number, wanted: Partial<BenchResult>) {
  const all = { kind, nodes, engine: 'simd', index: true, workers: 1, percentageOfNodesScored: 100, ...wanted };
  const entries = Object.entries(all) as [keyof BenchResult, unknown][];
  return results.find((result) => entries.every(([field, value]) => result[field] === value));
}

function sampledScan(results: readonly BenchResult[], nodes: number): BenchResult | undefined {
  const sampled = results.filter(({ percentageOfNodesScored }) => percentageOfNodesScored < 100);
  const percentageOfNodesScored = sampled.find((result) => result.nodes === nodes)?.percentageOfNodesScored ?? 100;
  return findResult(sampled, 'hetero', nodes, { index: false, percentageOfNodesScored });
}

function ratio(a: Measured, b: Measured): Measured {
  return a === undefined || b === undefined || b === 0 ? undefined : a / b;
}

function nanosPerPodAndNode(result: BenchResult | undefined): Measured {
  return result === undefined ? undefined : (result.seconds * 1e9) / (result.pods * result.nodes);
}
