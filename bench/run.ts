/**
 * `npm run bench:kernels [-- --tiny]`: nanoseconds per slot, row, pod or call of every kernel, scalar and SIMD; and how
 * much a second the parts of the control plane do. `--first-decisions NODES [--workers N]`, nothing else: milliseconds
 * until the first pod of a signature is placed, and the next one; line by line what is new in the signature.
 */
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { informerSuite } from './client/informer.bench.ts';
import { workQueueSuite } from './client/work-queue.bench.ts';
import { jobControllerSuite } from './controllers/job-controller.bench.ts';
import { firstDecisions } from './core/first-decision.bench.ts';
import { podSignatureSuite } from './core/pod-signature.bench.ts';
import { filterSuite } from './kernels/filter.bench.ts';
import { fullScanSuite } from './kernels/full-scan.bench.ts';
import type { KernelTiming } from './kernels/kernel-suite.ts';
import { scoreSuite } from './kernels/score.bench.ts';
import { selectSuite } from './kernels/select.bench.ts';
import { signatureIndexSuite } from './kernels/signature-index.bench.ts';
import type { Rate } from './rate-suite.ts';
import { schedulingQueueSuite } from './scheduler/scheduling-queue.bench.ts';
import { storeSuite } from './store/store.bench.ts';

const ROUNDS = 40;

const { values } = parseArgs({
  options: {
    tiny: { type: 'boolean', default: false },
    'first-decisions': { type: 'string' },
    workers: { type: 'string', default: '1' },
  },
});

console.log(`${cpus()[0]?.model.trim() ?? 'unknown processor'}, Node ${process.version}`);
if (values['first-decisions'] === undefined) runSuites();
else printFirstDecisions(Number(values['first-decisions']), Number(values.workers));

function printFirstDecisions(nodes: number, workers: number): void {
  console.log(`${`${nodes} nodes, ${workers} workers; new is`.padEnd(44)}first ms   second ms`);
  for (const { signature, firstMillis, secondMillis } of firstDecisions({ nodes, workers, rounds: ROUNDS })) {
    console.log(`${signature.padEnd(44)}${firstMillis.toFixed(3).padStart(8)}${secondMillis.toFixed(3).padStart(12)}`);
  }
}

function runSuites(): void {
  console.log(`${'ns per slot, or as named'.padEnd(64)}scalar      simd   speed-up  result`);
  for (const suite of [filterSuite, scoreSuite, selectSuite, fullScanSuite, signatureIndexSuite]) {
    const timings = suite(values);
    for (let index = 0; index < timings.length; index += 2) {
      console.log(row(timings[index] as KernelTiming, timings[index + 1] as KernelTiming));
    }
  }

  console.log(`${'a second'.padEnd(52)}    rate          result`);
  const rateSuites = [storeSuite, workQueueSuite, informerSuite, schedulingQueueSuite, jobControllerSuite];
  for (const suite of [...rateSuites, podSignatureSuite]) {
    for (const rate of suite(values)) console.log(rateRow(rate));
  }
}

function rateRow({ suite, operation, perSecond, errorPercent, result }: Rate): string {
  const rate = Math.round(perSecond).toLocaleString('en-US').padStart(12);
  return `${`${suite}: ${operation}`.padEnd(44)}${rate}${`±${errorPercent.toFixed(0)}%`.padEnd(6)}  ${result}`;
}

function row(scalar: KernelTiming, simd: KernelTiming): string {
  const unit = scalar.unit === 'slot' ? '' : ` (per ${scalar.unit})`;
  const name = `${scalar.suite}: ${scalar.kernel}${unit}`.padEnd(56);
  const speedUp = (scalar.nanosPerUnit / simd.nanosPerUnit).toFixed(1).padStart(9);
  const result = scalar.hash === simd.hash ? scalar.hash : `DIFFERENT ${scalar.hash} ${simd.hash}`;
  return `${name}${nanos(scalar)}${nanos(simd)}${speedUp}x  ${result}`;
}

function nanos({ nanosPerUnit, errorPercent }: KernelTiming): string {
  return `${nanosPerUnit.toFixed(2).padStart(8)}${`±${errorPercent.toFixed(0)}%`.padEnd(4)}`;
}
