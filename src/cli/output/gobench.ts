import type { BenchReport, BenchResult, Machine } from '../../benchmark/result.ts';

/** Go's names of processors and systems by Node's. */
const GO_ARCH: ReadonlyMap<string, string> = new Map([
  ['x64', 'amd64'],
  ['ia32', '386'],
]);
const GO_OS: ReadonlyMap<string, string> = new Map([
  ['win32', 'windows'],
  ['sunos', 'solaris'],
]);

/**
 * Go's benchmark lines for benchstat, one for each repetition. An operation is one pod, so that lines stay comparable
 * when the number of pods changes. As in Go, that number follows the name, and the name ends with the number of cores.
 */
export function formatGoBench({ machine, results }: BenchReport): string {
  const head = [...goBenchHead(machine), 'Unit pods/s better=higher'];
  const lines = results.flatMap((result) =>
    result.secondsOfRuns.map((seconds) => benchLine(result, seconds, machine.cores)),
  );
  return `${[...head, ...lines].join('\n')}\n`;
}

/** The header lines: where the results were measured. */
export function goBenchHead({ platform, cpu }: Machine): string[] {
  const [os = '', arch = ''] = platform.split(' ');
  return [`goos: ${GO_OS.get(os) ?? os}`, `goarch: ${GO_ARCH.get(arch) ?? arch}`, 'pkg: berth', `cpu: ${cpu}`];
}

function benchLine(result: BenchResult, seconds: number, cores: number): string {
  const { pods, podsPerSecond } = result;
  const nanosPerPod = ((seconds * 1e9) / pods).toFixed(1);
  // For kind preemption, the rate counts preemptions.
  const rate = seconds > 0 ? (podsPerSecond * result.seconds) / seconds : 0;
  return `Benchmark${benchName(result)}-${cores}\t${pods}\t${nanosPerPod} ns/op\t${rate.toFixed(0)} pods/s`;
}

function benchName(result: BenchResult): string {
  const { suite, kind, nodes, engine, index, workers, percentageOfNodesScored } = result;
  const parts = [
    `${suite.charAt(0).toUpperCase()}${suite.slice(1)}`,
    `kind=${kind}`,
    `nodes=${nodes}`,
    `engine=${engine}`,
    `index=${index ? 'on' : 'off'}`,
    ...(workers === 1 ? [] : [`workers=${workers}`]),
    ...(percentageOfNodesScored === 100 ? [] : [`scored=${Math.round(percentageOfNodesScored)}`]),
  ];
  return parts.join('/');
}
