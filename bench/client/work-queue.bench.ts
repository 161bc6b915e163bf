import { ItemExponentialFailureRateLimiter } from '../../src/client/queue/rate-limiter.ts';
import {
  DelayedWorkQueue,
  FifoWorkQueue,
  RateLimitedWorkQueue,
  type WorkQueue,
} from '../../src/client/queue/work-queues.ts';
import { WorkerPool } from '../../src/client/worker-pool.ts';
import { VirtualEventLoop } from '../../src/lib/event-loop.ts';
import type { SuiteOptions } from '../kernels/kernel-suite.ts';
import { measureRates, type Rate } from '../rate-suite.ts';

export function workQueueSuite(options: SuiteOptions): Rate[] {
  const keys = Array.from({ length: options.tiny ? 10 : 10_000 }, (_, index) => `default/job-${index}`);
  const cases = {
    'add, get, done': () => {
      const queue = new FifoWorkQueue();
      for (const key of keys) queue.add(key);
      return takeAll(queue);
    },
    'add what is there': () => {
      const queue = new FifoWorkQueue();
      queue.add('default/job-0');
      for (const _ of keys) queue.add('default/job-0');
      return queue.length;
    },
    'addAfter, get, done': () => {
      const loop = new VirtualEventLoop();
      const queue = new DelayedWorkQueue(loop);
      for (const [index, key] of keys.entries()) queue.addAfter(key, 1 + ((index * 7919) % 1000));
      loop.runUntilIdle();
      return takeAll(queue);
    },
    'sync with nothing to do': () => {
      const loop = new VirtualEventLoop();
      const queue = new RateLimitedWorkQueue(loop, new ItemExponentialFailureRateLimiter(1000, 60_000));
      let synced = 0;
      const sync = (): void => {
        synced++;
      };
      const pool = new WorkerPool({ loop, queue, sync, reportError: () => {} }, { name: 'job', workers: 5 });
      for (const key of keys) queue.add(key);
      pool.start();
      loop.runUntilIdle();
      return synced;
    },
  };
  const perKey = Object.entries(cases).map(([name, run]) => [name, { operations: keys.length, run }] as const);
  return measureRates('work queue', Object.fromEntries(perKey), options);
}

function takeAll(queue: WorkQueue<string>): number {
  let count = 0;
  for (let key = queue.get(); key !== undefined; key = queue.get()) {
    queue.done(key);
    count++;
  }
  return count;
}
