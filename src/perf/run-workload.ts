import type { Clock } from '../lib/clock.ts';
import type { StoreSchedulerOptions } from '../scheduler/store-scheduler.ts';
import type { DataItem } from './collect/data-item.ts';
import { HistogramCollector } from './collect/histograms.ts';
import { PerfError } from './config/perf-error.ts';
import { PerfStack } from './perf-stack.ts';
import { schedulerGates } from './prepare/feature-gates.ts';
import type { PreparedWorkload } from './prepare/prepare-workload.ts';
import { Driver, type Pause } from './run/driver.ts';
import { measurementOf } from './run/measurement.ts';
import { PodWatch } from './run/pod-watch.ts';
import type { RunContext } from './run/run-context.ts';

/** A time that is longer than an empty cache takes to sync. */
const START_MILLIS_MAX = 60_000;

export interface WorkloadRunOptions {
  readonly clock: Clock;
  readonly seed: number;
  readonly scheduler: Omit<StoreSchedulerOptions, 'configuration'>;
  readonly pause?: Pause | undefined;
  /** The workload is aborted after this much work; absent: never. */
  readonly workMillisMax?: number | undefined;
  /** Called before each measurement, so that it does not pay for what the preparations have left. */
  readonly collectYoungGarbage?: (() => void) | undefined;
  /** Receives the stack before it starts. */
  readonly onStack?: ((stack: PerfStack) => void) | undefined;
  readonly onStep?: ((done: number, total: number, title: string) => void) | undefined;
}

/** Runs one workload and returns its measurements. @throws PerfError `WorkloadFailed` */
export async function runWorkload(
  { name, testCase, steps, configuration, gates, hasClaims }: PreparedWorkload,
  { clock, seed, scheduler, pause, workMillisMax, collectYoungGarbage, onStack, onStep }: WorkloadRunOptions,
): Promise<{ readonly items: readonly DataItem[]; readonly seconds: number; readonly workSeconds: number }> {
  const queueingHints = gates.get('SchedulerQueueingHints') ?? true;
  const featureGates = { ...scheduler.featureGates, ...schedulerGates(gates) };
  const options = { ...scheduler, configuration, queueingHints, featureGates };
  const stack = new PerfStack({ scheduler: options, clock, seed, hasClaims });
  const { loop, store, names, metrics } = stack;
  const pods = new PodWatch(stack.pods);
  const driver = new Driver(loop, pause, workMillisMax);
  const histograms = new HistogramCollector(metrics.families, testCase.metrics);
  const measurement = measurementOf(name, { clock: loop, pods, histograms, collectYoungGarbage });
  const context: RunContext = {
    ...{ store, loop, driver, pods, names, measurement },
    background: [],
    unawaited: new Map(),
  };
  const startMillis = loop.nowMillis();
  const startWorkedMillis = loop.workedMillis();
  onStack?.(stack);
  stack.start();
  try {
    await driver.until(() => stack.isReady, START_MILLIS_MAX);
    for (const [i, { title, run }] of steps.entries()) {
      onStep?.(i, steps.length, title);
      await locate(title, () => run(context));
      const [error] = stack.errors;
      if (error !== undefined) throw failed(title, error);
    }
  } finally {
    for (const ticker of context.background) ticker.stop();
    stack.stop();
  }
  refuseLeftEvents(stack);
  stack.release();
  return {
    items: measurement.items,
    seconds: (loop.nowMillis() - startMillis) / 1000,
    workSeconds: (loop.workedMillis() - startWorkedMillis) / 1000,
  };
}

/**
 * Checks that the queue has dropped all events of in-flight pods once no pod is in flight, as upstream's benchmark
 * does.
 */
function refuseLeftEvents({ scheduler: { queue } }: PerfStack): void {
  const [left] = queue.inFlightEvents();
  if (left === undefined) return;
  throw new PerfError('WorkloadFailed', `events are kept for pods in flight: ${left.event.label} and others`);
}

async function locate(title: string, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    // The operation has not failed if the user has asked for the end.
    throw error instanceof PerfError && error.code === 'Interrupted' ? error : failed(title, error);
  }
}

/** The error of an operation. A configuration error that is found only now keeps its code. */
function failed(title: string, error: unknown): PerfError {
  const message = error instanceof Error ? error.message : String(error);
  return new PerfError('WorkloadFailed', `${title}: ${message}`);
}
