import { hostModule } from '../lib/host-modules.ts';

/** The number of threads that the machine runs at once; one where threads cannot be started. */
export function parallelism(): number {
  return hostModule('node:os')?.availableParallelism() ?? 1;
}
