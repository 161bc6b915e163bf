import type { Code } from './status.ts';

/** The answer of a plugin; null or nothing is Success. `timeoutMillis` is the longest wait of a `Wait` status. */
export interface PluginStatus {
  readonly code: Code;
  readonly reasons: readonly string[];
  readonly timeoutMillis?: number;
}

/** The answer of a plugin's method; nothing stands for success. */
export type PluginAnswer = PluginStatus | null | undefined;
