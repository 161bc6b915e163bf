import type { KernelHostFactory } from '../../kernels/kernel-host.ts';
import type { RunnerModules } from '../../pool/new-runner.ts';
import type { TaskRunner } from '../../pool/task-runner.ts';

/** How much may be kept for pod signatures. */
export interface EngineLimits {
  /** Classes, nodeVerdicts, plans and counters, each some kilobytes of JavaScript. */
  readonly objects: number;
  /** Of the kernels' memory. */
  readonly bytes: number;
}

export const DEFAULT_LIMITS: EngineLimits = { objects: 50_000, bytes: 2 ** 30 };

export interface ColumnEngineOptions {
  readonly limits?: EngineLimits | undefined;
  /** Absent: kernels as built, over memory of their own. */
  readonly newKernelHost?: KernelHostFactory | undefined;
}

/** Makes who runs the engine's programs. */
export type RunnerFactory = (modules: Omit<RunnerModules, 'clock' | 'logger'>) => TaskRunner;
