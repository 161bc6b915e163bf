/**
 * `npm run soak -- --minutes 5 --seed 1`: one long life; exit code 1 at a difference. `--calls N`: that many calls
 * instead of a time. `--most-millis N`: exit code 1 also if a call about one object takes longer.
 */
import { existsSync, openSync, readSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { RealClock } from '../../src/lib/clock.ts';
import { nextTurn } from '../../src/lib/next-turn.ts';
import { countedMillis, pausedMillis, type Span } from './long-calls.ts';
import { Soak, type SoakFigures } from './run-soak.ts';

const USAGE = 'usage: npm run -s soak -- [--minutes N | --calls N] [--seed S] [--most-millis N]';
const MILLIS_PER_MINUTE = 60_000;
const MEBIBYTE = 2 ** 20;
const LEAST_PAUSE_MILLIS = 0.5;
/** What Linux says of the calling thread: nanoseconds on a processor first. */
const THREAD_TIMES = '/proc/thread-self/schedstat';
const threadTimes = existsSync(THREAD_TIMES) ? openSync(THREAD_TIMES, 'r') : null;
const text = Buffer.alloc(64);

async function main(): Promise<number> {
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
  const collections: Span[] = [];
  observeCollections(collections);
  const life = soak.life();
  let step = life.next();
  while (!step.done) {
    // Collections are reported when the process is idle.
    await new Promise<void>(nextTurn);
    step = life.next();
  }
  await new Promise<void>(nextTurn);
  const difference = step.value;
  reportTimes(soak);
  reportLongest(soak, collections);
  console.log(`soak: seed ${seed}: ${difference ?? 'no difference'}`);
  if (difference !== null) return 1;
  const [longest] = soak.longest.all;
  const longestMillis = longest === undefined ? 0 : countedMillis(longest);
  if (longestMillis <= mostMillis) return 0;
  console.log(`soak: a call about one object took ${longestMillis.toFixed(1)} ms, more than ${mostMillis} ms`);
  return 1;
}

/** Lists the pauses of the garbage collector that are long enough to matter. */
function observeCollections(collections: Span[]): void {
  const observer = new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) {
      if (duration >= LEAST_PAUSE_MILLIS) collections.push({ startMillis: startTime, millis: duration });
    }
  });
  observer.observe({ entryTypes: ['gc'] });
}

/**
 * The time for which the calling thread had a processor, so that neither other processes count nor threads that compile
 * and collect meanwhile; where the system does not say that, the time of the whole process.
 */
function cpuMillis(): number {
  if (threadTimes === null) {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  }
  const bytes = readSync(threadTimes, text, 0, text.length, 0);
  return Number(text.toString('latin1', 0, bytes).split(' ')[0]) / 1e6;
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

function reportLongest({ longest }: Soak, collections: readonly Span[]): void {
  console.log('soak: the longest calls: by the clock, on a processor, of the former garbage collection (milliseconds)');
  for (const call of longest.all) {
    const times = [call.millis, call.cpuMillis, pausedMillis(call, collections)].map((millis) => millis.toFixed(1));
    const grown = call.grownBytes > 0 ? `; kernels grew by ${mebibytes(call.grownBytes)} MiB` : '';
    console.log(`soak: call ${call.number} ${call.method}: ${times.join(', ')}${grown}`);
  }
}

function mebibytes(bytes: number): string {
  return (bytes / MEBIBYTE).toFixed(0);
}

process.exitCode = await main();
