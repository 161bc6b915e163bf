import { isAscii } from 'node:buffer';
import { CodedError } from '../lib/errors.ts';

/** A decoded document of a file. */
export interface SourceDocument {
  /** The items of a large List come first, then the rest of it, with an empty list of items. */
  readonly part: 'document' | 'item' | 'rest';
  readonly value: unknown;
  /** The line where it begins, from 1. */
  readonly line: number;
  /** The bytes of the file up to the end of the document. */
  readonly endByte: number;
}

export type ManifestErrorCode =
  | 'InvalidSyntax'
  | 'DocumentTooLarge'
  | 'UnsupportedKind'
  | 'InvalidObject'
  | 'DuplicateName'
  | 'UnknownNode'
  | 'UnknownPriorityClass';

export function manifestError(code: ManifestErrorCode, message: string): CodedError<ManifestErrorCode> {
  return new CodedError(code, message);
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/** How a file begins that is compressed, and what undoes it. */
const COMPRESSED = [
  { format: 'gzip', beginning: [0x1f, 0x8b], command: 'gunzip' },
  { format: 'zstd', beginning: [0x28, 0xb5, 0x2f, 0xfd], command: 'unzstd' },
] as const;

/** Refuses a compressed file where only manifests may be compressed. @throws CodedError `InvalidSyntax` */
export function refuseCompressed(bytes: Uint8Array, file: string): void {
  for (const { format, beginning, command } of COMPRESSED) {
    if (!beginning.every((byte, i) => bytes[i] === byte)) continue;
    const reason = `is ${format}-compressed, as only manifests (-f) may be: ${command} it first`;
    throw manifestError('InvalidSyntax', `${file}: ${reason}`);
  }
}

/** @throws CodedError `InvalidSyntax` when the bytes are not UTF-8 */
export function decodeUtf8(bytes: Uint8Array, file: string, line: number): string {
  if (line === 1) refuseCompressed(bytes, file);
  // Nearly every text is, and its bytes are copied as they are.
  if (Buffer.isBuffer(bytes) && isAscii(bytes)) return bytes.toString('latin1');
  try {
    return decoder.decode(bytes);
  } catch {
    throw manifestError('InvalidSyntax', `${file}:${line}: not UTF-8 text`);
  }
}

export function megabytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MiB`;
}
