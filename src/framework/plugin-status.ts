import type { Code } from './status.ts';

/** What a plugin answers: null or nothing is Success. `timeoutMillis`: with `Wait`, how long at most. */
export interface PluginStatus {
  readonly code: Code;
  readonly reasons: readonly string[];
  readonly timeoutMillis?: number;
}

export type PluginAnswer = PluginStatus | null | undefined;
