import { InlineRunner } from './inline-runner.ts';
import { parallelism } from './parallelism.ts';
import { PooledRunner, type PooledRunnerModules } from './pooled-runner.ts';
import type { TaskRunner } from './task-runner.ts';

export type RunnerModules = Omit<PooledRunnerModules, 'policy' | 'startThread'>;

/**
 * Makes a runner. `workers`: the maximum number of threads that share a step, including the caller's; `auto`: as many
 * as the machine runs at once.
 */
export function newRunner(modules: RunnerModules, workers: number | 'auto'): TaskRunner {
  const count = workers === 'auto' ? parallelism() : workers;
  return count > 1 ? new PooledRunner(modules, { workers: count }) : new InlineRunner(modules);
}
