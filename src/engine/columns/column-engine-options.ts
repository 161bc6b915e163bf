import type { KernelHostFactory } from '../../kernels/kernel-host.ts';
import type { RunnerModules } from '../../pool/new-runner.ts';
import type { TaskRunner } from '../../pool/task-runner.ts';

/** Limits for all that is kept for pod signatures. */
export interface EngineLimits {
  /** The most signatures, verdicts, plans and counters together; each takes some kilobytes of JavaScript. */
  readonly objects: number;
  /** The most bytes of the kernels' memory. */
  readonly bytes: number;
}

export const DEFAULT_LIMITS: EngineLimits = { objects: 50_000, bytes: 2 ** 30 };

export interface ColumnEngineOptions {
  readonly limits?: EngineLimits | undefined;
  /** Replaces the kernels as they were built, which run over memory of their own. */
  readonly newKernelHost?: KernelHostFactory | undefined;
}

/** Makes the runner of the engine's programs. */
export type RunnerFactory = (modules: Omit<RunnerModules, 'clock' | 'logger'>) => TaskRunner;
