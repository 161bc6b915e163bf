import type { SkippingEventLoop } from '../../lib/skipping-event-loop.ts';
import { isApiError } from '../../store/objects/api-error.ts';
import type { NameSource } from '../../store/objects/names.ts';
import type { Store } from '../../store/store.ts';
import type { Driver } from './driver.ts';
import type { Measurement } from './measurement.ts';
import type { PodWatch } from './pod-watch.ts';
import type { Ticker } from './ticker.ts';

/** So many objects are created before others get their turn: it takes about as long as a task of the scheduler. */
const OBJECTS_PER_TASK = 500;

/** What the operations of one workload work on. */
export interface RunContext {
  readonly store: Store;
  readonly loop: SkippingEventLoop;
  readonly driver: Driver;
  readonly pods: PodWatch;
  /** Of objects whose names have to be known before they are created. */
  readonly names: NameSource;
  readonly measurement: Measurement;
  /** What goes on while later operations run. */
  readonly background: Ticker[];
  /** Namespaces that were made, and how many pods of each nobody has waited for. */
  readonly unawaited: Map<string, number>;
}

/** Makes the namespace, if nobody has. */
export function needNamespace({ store, unawaited }: RunContext, name: string): void {
  if (unawaited.has(name)) return;
  unawaited.set(name, 0);
  try {
    store.create('namespaces', { metadata: { name } });
  } catch (error) {
    if (!isApiError(error, 'AlreadyExists')) throw error;
  }
}

/** Calls for each number below `count`, as tasks of the loop beside those of the scheduler. */
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

/** Lets everything happen that is due now. */
export async function settle({ loop, driver }: RunContext): Promise<void> {
  await driver.until(() => loop.nextMillis > loop.nowMillis(), 0);
}
