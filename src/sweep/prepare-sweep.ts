import type { FileSource } from '../manifests/file-source.ts';
import type { Executor } from './executor.ts';
import { Simulator } from './simulator.ts';
import { type SweepPlan, SweepRuns } from './sweep-plan.ts';

export interface PreparedSweep {
  /** The contents of all files that runs read, by name. */
  readonly contents: ReadonlyMap<string, Uint8Array>;
  /** Things that the owner of the input should know, one sentence each. */
  readonly warnings: readonly string[];
}

/**
 * Reads every file that a sweep needs, and checks each value of each parameter, so that a sweep does not begin that
 * cannot end.
 *
 * @throws CodedError with the first problem
 */
export async function prepareSweep(plan: SweepPlan, source: FileSource, executor: Executor): Promise<PreparedSweep> {
  const contents = new Map<string, Uint8Array>();
  const remembering: FileSource = {
    async read(name, maxBytes) {
      const bytes = contents.get(name) ?? (await source.read(name, maxBytes));
      contents.set(name, bytes);
      return bytes;
    },
  };
  const simulator = new Simulator(plan, remembering, executor);
  const warnings = new Set<string>();
  for (const settings of new SweepRuns(plan).samples()) {
    for (const warning of (await simulator.load(settings)).warnings) warnings.add(warning);
  }
  return { contents, warnings: [...warnings] };
}
