import type { KernelHostFactory } from '../../kernels/kernel-host.ts';
import type { RunnerModules } from '../../pool/new-runner.ts';
import type { TaskRunner } from '../../pool/task-runner.ts';

/** Limits for all that is kept for pod signatures. Beyond them, what was used longest ago is given up bit by bit. */
export interface EngineLimits {
  /**
   * The most pod signatures and topology plans together: half of them may be signatures, half plans. Each takes about
   * ten kilobytes of JavaScript, and a few bytes a node of the kernels' memory.
   */
  readonly objects: number;
  /** The most bytes of the kernels' memory beside the columns of the nodes. */
  readonly bytes: number;
}

export const DEFAULT_LIMITS: EngineLimits = { objects: 16_000, bytes: 2 ** 30 };

export interface ColumnEngineOptions {
  readonly limits?: EngineLimits | undefined;
  /** Replaces the kernels as they were built, which run over memory of their own. */
  readonly newKernelHost?: KernelHostFactory | undefined;
}

/** Makes the runner of the engine's programs. */
export type RunnerFactory = (modules: Omit<RunnerModules, 'clock' | 'logger'>) => TaskRunner;
