import { FakeClock } from '../../src/lib/clock.ts';
import { type Logger, NO_LOGGER } from '../../src/lib/logger.ts';
import type { PoolThread } from '../../src/pool/pool-thread.ts';
import { PooledRunner, type PooledRunnerModules, type PooledRunnerOptions } from '../../src/pool/pooled-runner.ts';
import type { SharingPolicy } from '../../src/pool/sharing-policy.ts';

const PAUSE_MILLIS = 1;
const PAUSES_MAX = 20_000;

/** A policy that shares every step, and counts the steps in which another thread helped. */
export class AlwaysShare implements SharingPolicy {
  helpedSteps = 0;

  isShared(): boolean {
    return true;
  }

  finished(_work: number, isHelped: boolean): void {
    if (isHelped) this.helpedSteps++;
  }
}

export interface SharingRunner {
  readonly runner: PooledRunner;
  readonly policy: AlwaysShare;
}

/** A runner that shares every step, in small chunks, as soon as another thread serves. */
export function sharingRunner(
  modules: Pick<PooledRunnerModules, 'memory' | 'kernels' | 'kind' | 'table'> & {
    readonly clock?: FakeClock;
    readonly logger?: Logger;
    readonly startThread?: () => PoolThread;
  },
  options: Partial<PooledRunnerOptions> = {},
): SharingRunner {
  const policy = new AlwaysShare();
  const clock = modules.clock ?? new FakeClock();
  const runner = new PooledRunner(
    { logger: NO_LOGGER, ...modules, clock, policy },
    { workers: 2, slotsMin: 1, buildSlotsMin: 1, chunkSlots: 16, ...options },
  );
  return { runner, policy };
}

/** Threads start, work and end without a turn of this thread's event loop: it may sleep meanwhile. */
export function waitUntil(isSo: () => boolean, what: string): void {
  const nothing = new Int32Array(new SharedArrayBuffer(4));
  for (let pauses = 0; !isSo(); pauses++) {
    if (pauses === PAUSES_MAX) throw new Error(`waited in vain until ${what}`);
    Atomics.wait(nothing, 0, 0, PAUSE_MILLIS);
  }
}
