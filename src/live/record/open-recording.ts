import { createReadStream, renameSync, rmSync, statSync } from 'node:fs';
import { CodedError } from '../../lib/errors.ts';
import { fileErrorReason } from '../../lib/file-errors.ts';
import { KnownObjects } from '../../recording/known-objects.ts';
import { recordedLines } from '../../recording/read-lines.ts';
import { RECORDING_FORMAT, RECORDING_VERSION } from '../../recording/recording-lines.ts';
import { RecordingFile } from './recording-file.ts';

/** A recording that is open for more lines. */
export interface OpenRecording {
  readonly file: RecordingFile;
  /** What the recording has already. */
  readonly known: KnownObjects;
  /** Whether the recording was there before. */
  readonly isResumed: boolean;
}

/**
 * Begins a recording, or goes on with one that is there. When its writer was killed in the middle of a write, the whole
 * lines are written anew first, since nothing behind the damage could be read.
 *
 * A recording without names cannot go on, since a name might get another one than before; one with names must not lose
 * them midway.
 *
 * @throws CodedError `FileNotReadable`, `FileNotWritable`, `NotARecording`; `InvalidSyntax` for damaged data;
 *   `CannotGoOn`
 */
export async function openRecording(name: string, origin: RecordingOrigin): Promise<OpenRecording> {
  const { berth, time, anonymised } = origin;
  const sizeBytes = statSync(name, { throwIfNoEntry: false })?.size ?? 0;
  const known = sizeBytes === 0 ? null : await knownIn(name);
  if (known !== null && (known.isAnonymised || anonymised)) {
    const why = known.isAnonymised ? 'its names were replaced' : 'it has names, and --anonymise replaces them';
    throw new CodedError('CannotGoOn', `${name}: the recording cannot go on: ${why}; record into another file`);
  }
  const file = new RecordingFile(name, 'a');
  const head = { format: RECORDING_FORMAT, version: RECORDING_VERSION, berth, time };
  if (known === null) file.write({ ...head, ...(anonymised && { anonymised }) });
  else file.write({ time, type: 'RESUMED' });
  file.flush();
  return { file, known: known?.objects ?? new KnownObjects(), isResumed: known !== null };
}

/** Who records, and when it was begun. */
export interface RecordingOrigin {
  readonly berth: string;
  readonly time: string;
  /** Names are replaced. */
  readonly anonymised?: true;
}

interface KnownRecording {
  readonly objects: KnownObjects;
  readonly isAnonymised: boolean;
}

/** What the recording has; null if it has no line. */
async function knownIn(name: string): Promise<KnownRecording | null> {
  try {
    return await readKnown(name);
  } catch (error) {
    if (!(error instanceof CodedError) || error.code !== 'InvalidSyntax') throw error;
  }
  await repair(name);
  return readKnown(name);
}

async function readKnown(name: string): Promise<KnownRecording | null> {
  const objects = new KnownObjects();
  let isEmpty = true;
  let isAnonymised = false;
  for await (const line of recordedLines(chunksOf(name), name, false)) {
    isEmpty = false;
    if ('type' in line) objects.take(line);
    else isAnonymised = line.anonymised === true;
  }
  return isEmpty ? null : { objects, isAnonymised };
}

async function repair(name: string): Promise<void> {
  const whole = `${name}.whole`;
  const file = new RecordingFile(whole, 'w');
  try {
    for await (const line of recordedLines(chunksOf(name), name, true)) file.write(line);
    file.close();
    renameSync(whole, name);
  } catch (error) {
    rmSync(whole, { force: true });
    throw error;
  }
}

async function* chunksOf(name: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(name) as AsyncIterable<Buffer>;
  } catch (error) {
    throw new CodedError('FileNotReadable', `${name}: ${fileErrorReason(error, 'read')}`);
  }
}
