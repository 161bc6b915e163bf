import { type BenchReport, type BenchResult, REPORT_FORMAT, REPORT_VERSION } from '../../src/benchmark/result.ts';

/** 5 nodes, 10 pods, 0.02 s: what is not given follows from that. */
export function benchResult(fields: Partial<BenchResult> = {}): BenchResult {
  const { nodes = 5, pods = 10, seconds = 0.02 } = fields;
  return {
    suite: 'core',
    kind: 'basic',
    engine: 'simd',
    index: true,
    workers: 1,
    nodes,
    pods,
    scheduled: pods,
    preemptions: 0,
    seconds,
    secondsOfRuns: [seconds],
    podsPerSecond: pods / seconds,
    latencyMicros: { p50: 8.25, p90: 10, p99: 40.04, samples: 5 },
    nodeEvaluationsPerSecond: (pods * nodes) / seconds,
    percentageOfNodesScored: 100,
    bytesPerNode: 350,
    classBytesPerNode: 20,
    bytesPerPod: 180,
    peakRssBytes: 2 ** 27,
    decisionHash: '0123456789abcdef0123456789abcdef',
    ...fields,
  };
}

export const MACHINE: BenchReport['machine'] = {
  cpu: 'Test CPU',
  cores: 2,
  memoryBytes: 8 * 2 ** 30,
  node: 'v20.20.0',
  platform: 'linux x64',
};

export function benchReport(results: readonly BenchResult[], more: Partial<BenchReport> = {}): BenchReport {
  return { format: REPORT_FORMAT, version: REPORT_VERSION, machine: MACHINE, results, ...more };
}
