import { availableParallelism } from 'node:os';
import { InlineRunner } from './inline-runner.ts';
import { PooledRunner, type PooledRunnerModules } from './pooled-runner.ts';
import type { TaskRunner } from './task-runner.ts';

export type RunnerModules = Omit<PooledRunnerModules, 'policy' | 'startThread'>;

/**
 * `workers`: how many threads share a step at most, the caller's included; `auto`: as many as the machine runs at the
 * same time.
 */
export function newRunner(modules: RunnerModules, workers: number | 'auto'): TaskRunner {
  const count = workers === 'auto' ? availableParallelism() : workers;
  return count > 1 ? new PooledRunner(modules, { workers: count }) : new InlineRunner(modules);
}
