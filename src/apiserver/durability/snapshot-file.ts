import { gunzipSync, gzipSync } from 'node:zlib';
import { isObject } from '../../api/validation/check.ts';
import { CodedError } from '../../lib/errors.ts';
import type { Ledger, ShelvedObject } from '../../store/ledger/ledger.ts';
import { restoredObject, type SavedLedger } from './saved-ledger.ts';

/**
 * A snapshot is compressed NDJSON: a head, then a line for each object, then a line that says how many there were, so
 * that one that was cut off is noticed.
 */
const FORMAT = 'berth-snapshot';
const FORMAT_VERSION = 1;
const BYTES_MAX = 4 * 2 ** 30;
/** Text is compressed in pieces, so that it is never one string. */
const PIECE_LENGTH = 1 << 20;

interface Head {
  readonly format?: unknown;
  readonly formatVersion?: unknown;
  readonly ledgerVersion?: unknown;
  readonly clockMillis?: unknown;
}

/** The pieces of a snapshot of all that the ledger holds now. */
export function* snapshotPieces(ledger: Ledger, clockMillis: number): Iterable<Uint8Array> {
  const head = { format: FORMAT, formatVersion: FORMAT_VERSION, ledgerVersion: ledger.version, clockMillis };
  let text = `${JSON.stringify(head)}\n`;
  let objects = 0;
  for (const { shelf, object } of ledger.everything()) {
    text += `${JSON.stringify(shelf)} ${JSON.stringify(object)}\n`;
    objects++;
    if (text.length < PIECE_LENGTH) continue;
    yield gzipSync(text);
    text = '';
  }
  yield gzipSync(`${text}${JSON.stringify({ objects })}\n`);
}

/** Reads a snapshot. @throws CodedError InvalidSnapshot */
export function readSnapshot(bytes: Uint8Array, file: string): SavedLedger {
  const refuse = (why: string): CodedError<'InvalidSnapshot'> => new CodedError('InvalidSnapshot', `${file}: ${why}`);
  let lines: string[];
  try {
    lines = gunzipSync(bytes, { maxOutputLength: BYTES_MAX }).toString().trimEnd().split('\n');
  } catch (error) {
    throw refuse(`no snapshot: ${error instanceof Error ? error.message : error}`);
  }
  const { format, formatVersion, ledgerVersion, clockMillis } = parsed(lines[0] ?? '') as Head;
  if (format !== FORMAT) throw refuse('no snapshot of berth');
  if (formatVersion !== FORMAT_VERSION) throw refuse(`format version ${String(formatVersion)}, not ${FORMAT_VERSION}`);
  if (!Number.isSafeInteger(ledgerVersion) || !Number.isFinite(clockMillis))
    throw refuse('line 1: no version and time');
  const { objects } = parsed(lines.at(-1) ?? '') as { objects?: unknown };
  if (objects !== lines.length - 2) throw refuse('the snapshot was cut off');
  return {
    objects: lines.slice(1, -1).map((line, i) => shelved(line) ?? fail(refuse(`line ${i + 2}: no object`))),
    version: ledgerVersion as number,
    clockMillis: clockMillis as number,
  };
}

function shelved(line: string): ShelvedObject | undefined {
  const [, name = '', text = ''] = /^("[^" ]*") (\{.*\})$/s.exec(line) ?? [];
  const shelf = parsed(name);
  if (typeof shelf !== 'string' || !isObject(parsed(text))) return undefined;
  const object = restoredObject(text);
  return object.metadata?.name ? { shelf, object } : undefined;
}

/** The value of a JSON text; an empty object for a text that is none. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}

function fail(error: Error): never {
  throw error;
}
