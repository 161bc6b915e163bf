import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { DataDirectory } from '../apiserver/durability/data-directory.ts';
import type { SavedLedger } from '../apiserver/durability/saved-ledger.ts';
import { readSnapshot, snapshotPieces } from '../apiserver/durability/snapshot-file.ts';
import { CodedError } from '../lib/errors.ts';
import type { EventLoop } from '../lib/event-loop.ts';
import { fileErrorReason } from '../lib/file-errors.ts';
import { processTable } from '../lib/process-table.ts';
import type { Ledger } from '../store/ledger/ledger.ts';
import { ServeError } from './serve-options.ts';

export interface KeptStateOptions {
  /** The directory in which every write is kept. */
  readonly data?: string;
  /** The file from which a new cluster begins, and in which its end is kept. */
  readonly snapshot?: string;
}

/** What a served cluster has from an earlier run, and what it leaves to a later one. */
export class KeptState {
  readonly data: DataDirectory | undefined;
  /** The objects that the cluster starts with; undefined for a new cluster. */
  readonly saved: SavedLedger | undefined;
  readonly #snapshot: string | undefined;

  /** @throws CodedError */
  constructor({ data, snapshot }: KeptStateOptions, timers: EventLoop) {
    this.#snapshot = snapshot;
    // A file that cannot be written is reported before there is anything to lose.
    if (snapshot !== undefined) beginSnapshot(snapshot, true);
    this.data = data === undefined ? undefined : DataDirectory.open(data, { timers, processes: processTable() });
    this.saved = this.data?.saved() ?? (snapshot === undefined ? undefined : savedIn(snapshot));
  }

  /** `nowMillis`: the time of the cluster. */
  restoreTo(ledger: Ledger, nowMillis: () => number): void {
    if (this.saved !== undefined) ledger.restore(this.saved.objects, this.saved.version);
    this.data?.follow(ledger, nowMillis);
  }

  /** Keeps the end of the cluster, whose clock has stopped. @throws ServeError `FileNotWritable` */
  async close(ledger: Ledger, clockMillis: number): Promise<void> {
    await this.data?.close();
    if (this.#snapshot !== undefined) writeSnapshot(this.#snapshot, ledger, clockMillis);
  }
}

/** The snapshot in a file, if there is one yet. @throws CodedError */
function savedIn(name: string): SavedLedger | undefined {
  if (!existsSync(name)) return undefined;
  try {
    return readSnapshot(readFileSync(name), name);
  } catch (error) {
    if (error instanceof CodedError) throw error;
    throw new CodedError('FileNotReadable', `${name}: ${fileErrorReason(error, 'read')}`);
  }
}

/** Makes an empty file beside the snapshot; a trial is removed again. @throws ServeError `FileNotWritable` */
function beginSnapshot(name: string, isTrial: boolean): string {
  const unfinished = `${name}.unfinished`;
  try {
    writeFileSync(unfinished, '', { mode: 0o600 });
    if (isTrial) rmSync(unfinished);
  } catch (error) {
    throw new ServeError('FileNotWritable', `${name}: ${fileErrorReason(error, 'written')}`);
  }
  return unfinished;
}

/** Writes beside the old snapshot, which is there until the new one is complete. */
function writeSnapshot(name: string, ledger: Ledger, clockMillis: number): void {
  const unfinished = beginSnapshot(name, false);
  try {
    for (const piece of snapshotPieces(ledger, clockMillis)) writeFileSync(unfinished, piece, { flag: 'a' });
    renameSync(unfinished, name);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw new ServeError('FileNotWritable', `${name}: ${fileErrorReason(error, 'written')}`);
  }
}
