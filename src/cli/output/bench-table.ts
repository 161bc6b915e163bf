import Table from 'cli-table3';
import type { BenchResult, Machine } from '../../cluster/bench/result.ts';

/** The results as a table; speed-ups are over the reference engine on the same cluster, where that was run. */
export function formatBenchTable(machine: Machine, results: readonly BenchResult[]): string {
  const table = new Table({
    head: [
      'kind',
      'nodes',
      'pods',
      'engine',
      'placed',
      'seconds',
      'pods/s',
      'speed-up',
      'p50 µs',
      'p99 µs',
      'decisions',
    ],
    colAligns: ['left', 'right', 'right', 'left', 'right', 'right', 'right', 'right', 'right', 'right', 'left'],
    // No colours: the table must read the same in a file.
    style: { head: [], border: [] },
  });
  for (const result of results) {
    table.push([
      result.kind,
      whole(result.nodes),
      whole(result.pods),
      result.engine,
      whole(result.scheduled),
      result.seconds.toPrecision(3),
      whole(result.podsPerSecond),
      speedUp(result, results),
      result.latencyMicros.p50.toFixed(1),
      result.latencyMicros.p99.toFixed(1),
      result.decisionHash.slice(0, 12),
    ]);
  }
  const memory = `${(machine.memoryBytes / 2 ** 30).toFixed(0)} GiB`;
  const about = `${machine.cpu}, ${machine.cores} cores, ${memory}, Node ${machine.node}, ${machine.platform}`;
  return `${about}\n${table.toString()}\n`;
}

/** One sentence a cluster: did all engines decide the same? */
export function formatAgreement(results: readonly BenchResult[]): string[] {
  return [...new Set(results.map(clusterOf))].flatMap((cluster) => {
    const group = results.filter((result) => clusterOf(result) === cluster);
    const first = group[0];
    if (first === undefined || group.length < 2) return [];
    const name = `${first.kind}, ${first.nodes} nodes, ${first.pods} pods`;
    const agree = group.every(({ decisionHash }) => decisionHash === first.decisionHash);
    const engines = group.map(({ engine }) => engine).join(', ');
    return [`${name}: ${engines} made ${agree ? 'the same decisions' : 'DIFFERENT decisions'}`];
  });
}

function speedUp(result: BenchResult, results: readonly BenchResult[]): string {
  const reference = results.find((other) => other.engine === 'reference' && clusterOf(other) === clusterOf(result));
  if (reference === undefined || reference.podsPerSecond === 0) return '-';
  return `${(result.podsPerSecond / reference.podsPerSecond).toFixed(1)}x`;
}

function clusterOf({ kind, nodes, pods }: BenchResult): string {
  return `${kind} ${nodes} ${pods}`;
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}
