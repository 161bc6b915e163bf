/**
 * `npm run soak -- --minutes 5 --seed 1`: one long life; exit code 1 at a difference. `--calls N`: that many calls
 * instead of a time. `--most-millis N`: exit code 1 also if a call about one object takes longer.
 */
import { parseArgs } from 'node:util';
import { RealClock } from '../../src/lib/clock.ts';
import { Soak, type SoakFigures } from './run-soak.ts';

const USAGE = 'usage: npm run -s soak -- [--minutes N | --calls N] [--seed S] [--most-millis N]';
const MILLIS_PER_MINUTE = 60_000;
const MEBIBYTE = 2 ** 20;

function main(): number {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '5' },
      calls: { type: 'string' },
      seed: { type: 'string', default: '1' },
      'most-millis': { type: 'string', default: 'Infinity' },
    },
  });
  const [minutes, seed, mostMillis] = [Number(values.minutes), Number(values.seed), Number(values['most-millis'])];
  const mostCalls = values.calls === undefined ? null : Number(values.calls);
  if (!(minutes > 0 && mostMillis > 0 && (mostCalls ?? 1) > 0) || !Number.isSafeInteger(seed) || seed < 0) {
    console.error(USAGE);
    return 2;
  }
  const clock = new RealClock();
  const end = clock.nowMillis() + minutes * MILLIS_PER_MINUTE;
  const goesOn = (calls: number): boolean => (mostCalls === null ? clock.nowMillis() < end : calls < mostCalls);
  const soak = new Soak({ seed, nodes: 500, interval: 5000, clock, cpuMillis, goesOn, report });
  const difference = soak.run();
  reportTimes(soak);
  console.log(`soak: seed ${seed}: ${difference ?? 'no difference'}`);
  if (difference !== null) return 1;
  if (soak.longestMillis <= mostMillis) return 0;
  console.log(`soak: a call about one object took ${soak.longestMillis.toFixed(1)} ms, more than ${mostMillis} ms`);
  return 1;
}

function cpuMillis(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function report({ calls, refusals, microsPerCall, kernelBytes }: SoakFigures): void {
  const { heapUsed, rss } = process.memoryUsage();
  const memory = `heap ${mebibytes(heapUsed)} MiB, kernels ${mebibytes(kernelBytes)} MiB, all ${mebibytes(rss)} MiB`;
  console.log(`soak: ${calls} calls, ${refusals} refused; ${microsPerCall.toFixed(0)} us a call; ${memory}`);
}

function reportTimes({ times }: Soak): void {
  console.log('soak: milliseconds    calls    median    p99.99       max');
  for (const [method, each] of times) {
    const figures = [each.quantile(0.5), each.quantile(0.9999), each.maxMillis].map((millis) => millis.toFixed(3));
    const columns = [String(each.count), ...figures].map((text) => text.padStart(9)).join(' ');
    console.log(`soak: ${method.padEnd(13)}${columns}`);
  }
}

function mebibytes(bytes: number): string {
  return (bytes / MEBIBYTE).toFixed(0);
}

process.exitCode = main();
