/** `npm run soak -- --minutes 5 --seed 1`: one long life; exit code 1 at a difference. */
import { parseArgs } from 'node:util';
import { RealClock } from '../../src/lib/clock.ts';
import { Soak, type SoakFigures } from './run-soak.ts';

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '5' }, seed: { type: 'string', default: '1' } },
});
const [minutes, seed] = [Number(values.minutes), Number(values.seed)];
if (!(minutes > 0) || !Number.isSafeInteger(seed) || seed < 0) {
  console.error('soak: --minutes is a number above 0, --seed an integer from 0 on');
  process.exit(2);
}

const clock = new RealClock();
const end = clock.nowMillis() + minutes * 60_000;
const MEBIBYTE = 2 ** 20;

function report({ calls, refusals, maxMillis, p9999Millis, microsPerCall, kernelBytes }: SoakFigures): void {
  const heap = process.memoryUsage().heapUsed / MEBIBYTE;
  const times = `${microsPerCall.toFixed(0)} us a call, p99.99 ${p9999Millis.toFixed(1)} ms, max ${maxMillis.toFixed(1)} ms`;
  const memory = `heap ${heap.toFixed(0)} MiB, kernels ${(kernelBytes / MEBIBYTE).toFixed(0)} MiB`;
  console.log(`soak: ${calls} calls, ${refusals} refused; ${times}; ${memory}`);
}

const goesOn = (): boolean => clock.nowMillis() < end;
const difference = new Soak({ seed, nodes: 500, interval: 10_000, clock, goesOn, report }).run();
if (difference !== null) {
  console.log(`soak: seed ${seed}: ${difference}`);
  process.exitCode = 1;
} else console.log(`soak: seed ${seed}: no difference`);
