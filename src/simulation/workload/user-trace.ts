import type { ReadingOptions } from './read-objects.ts';
import type { NamedObject } from './submitted-object.ts';
import type { ReadChanges } from './workload-changes.ts';

/** What a trace of users is played beside. */
export interface BesideTrace {
  readonly objects: readonly NamedObject[];
  readonly reading: ReadingOptions;
}

/**
 * Reads a trace that holds only what users did with their objects, and not what became of them. Undefined for a file of
 * another format.
 *
 * @throws CodedError with file, field and reason
 */
export type ReadUserTrace = (bytes: Uint8Array, file: string, beside: BesideTrace) => Promise<ReadChanges | undefined>;
