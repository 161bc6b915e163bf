/** `npm run soak -- --minutes 5 --seed 1`: one long life; exit code 1 at a difference. */
import { parseArgs } from 'node:util';
import { RealClock } from '../../src/lib/clock.ts';
import { Soak, type SoakFigures } from './run-soak.ts';

const USAGE = 'usage: npm run -s soak -- --minutes N [--seed S]';
const MILLIS_PER_MINUTE = 60_000;
const MEBIBYTE = 2 ** 20;

function main(): number {
  const { values } = parseArgs({
    options: { minutes: { type: 'string', default: '5' }, seed: { type: 'string', default: '1' } },
  });
  const [minutes, seed] = [Number(values.minutes), Number(values.seed)];
  if (!(minutes > 0) || !Number.isSafeInteger(seed) || seed < 0) {
    console.error(USAGE);
    return 2;
  }
  const clock = new RealClock();
  const end = clock.nowMillis() + minutes * MILLIS_PER_MINUTE;
  const goesOn = (): boolean => clock.nowMillis() < end;
  const difference = new Soak({ seed, nodes: 500, interval: 5000, clock, goesOn, report }).run();
  console.log(`soak: seed ${seed}: ${difference ?? 'no difference'}`);
  return difference === null ? 0 : 1;
}

function report({ calls, refusals, maxMillis, p9999Millis, microsPerCall, kernelBytes }: SoakFigures): void {
  const heapBytes = process.memoryUsage().heapUsed;
  const times = `p99.99 ${p9999Millis.toFixed(1)} ms, max ${maxMillis.toFixed(1)} ms`;
  const memory = `heap ${mebibytes(heapBytes)} MiB, kernels ${mebibytes(kernelBytes)} MiB`;
  console.log(`soak: ${calls} calls, ${refusals} refused; ${microsPerCall.toFixed(0)} us a call, ${times}; ${memory}`);
}

function mebibytes(bytes: number): string {
  return (bytes / MEBIBYTE).toFixed(0);
}

process.exitCode = main();
