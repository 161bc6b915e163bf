import type { SkippingEventLoop } from '../../lib/skipping-event-loop.ts';
import { unlessRefused } from '../../store/objects/api-error.ts';
import type { NameSource } from '../../store/objects/names.ts';
import type { Store } from '../../store/store.ts';
import type { Driver } from './driver.ts';
import type { Measurement } from './measurement.ts';
import type { PodWatch } from './pod-watch.ts';
import { startTicker, type Ticker } from './ticker.ts';

/**
 * The number of objects created in one task: fewer than the scheduler attempts in one, so that it keeps up, as it does
 * with an API server, which takes longer for a pod than the scheduler.
 */
const OBJECTS_PER_TASK = 64;

/** The longest time that an operation waits for one namespace, on the loop's clock, as upstream. */
export const WAIT_MILLIS_MAX = 10 * 60_000;

/** The state that the operations of one workload share. */
export interface RunContext {
  readonly store: Store;
  readonly loop: SkippingEventLoop;
  readonly driver: Driver;
  readonly pods: PodWatch;
  /** Generates names of objects that must be known before the objects are created. */
  readonly names: NameSource;
  readonly measurement: Measurement;
  /** Tickers that go on while later operations run. */
  readonly background: Ticker[];
  /** The namespaces that were created, and for each the number of pods that no operation has waited for. */
  readonly unawaited: Map<string, number>;
}

/** Creates the namespace unless it was created before. */
export function needNamespace({ store, unawaited }: RunContext, name: string): void {
  if (unawaited.has(name)) return;
  unawaited.set(name, 0);
  unlessRefused(['AlreadyExists'], () => store.create('namespaces', { metadata: { name } }));
}

/** Calls `work` for each number below `count`, so many times a second; it goes on while later operations run. */
export function atRate({ loop, background }: RunContext, perSecond: number, count: number, work: (i: number) => void) {
  let next = 0;
  const ticker = startTicker(loop, 1000 / perSecond, () => {
    work(next++);
    return next < count ? 'again' : 'over';
  });
  background.push(ticker);
  return ticker;
}

/** Calls `work` for each number below `count`, in tasks that alternate with those of the scheduler. */
export async function inTasks({ loop, driver }: RunContext, count: number, work: (i: number) => void): Promise<void> {
  let next = 0;
  let failure: { readonly error: unknown } | undefined;
  const task = (): void => {
    try {
      for (const end = Math.min(next + OBJECTS_PER_TASK, count); next < end; next++) work(next);
      if (next < count) loop.soon(task);
    } catch (error) {
      failure = { error };
    }
  };
  loop.soon(task);
  await driver.until(() => next >= count || failure !== undefined, Number.POSITIVE_INFINITY);
  if (failure !== undefined) throw failure.error;
}

/** Runs all tasks that are due now. */
export async function runDueTasks({ loop, driver }: RunContext): Promise<void> {
  await driver.until(() => loop.nextMillis > loop.nowMillis(), 0);
}
