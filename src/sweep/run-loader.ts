import type { RunResult } from './rows.ts';
import type { Settings } from './settings.ts';

/** What a run needs, read and checked; runs that differ only in their seed share it. */
export interface LoadedRun {
  /** Things that the owner of the input should know, one sentence each. */
  readonly warnings: readonly string[];
  /** Runs it; the seed is used for everything that is random. */
  run(seed: number): RunResult;
}

/** Reads and checks what runs need. */
export interface RunLoader {
  /** @throws CodedError */
  load(settings: Settings): Promise<LoadedRun>;
}
