import type { EngineName } from '../engine/cycle/engine.ts';

/** Who computes; it changes no result. */
export interface Executor {
  readonly engine: EngineName;
  readonly index: boolean;
}
