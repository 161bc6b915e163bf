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

/** @throws CodedError `InvalidSyntax` when the bytes are not UTF-8 */
export function decodeUtf8(bytes: Uint8Array, file: string, line: number): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw manifestError('InvalidSyntax', `${file}:${line}: not UTF-8 text`);
  }
}

export function megabytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MiB`;
}

/** A whole number with separators: `1,234,568`. */
export function whole(value: number): string {
  return value.toLocaleString('en-US');
}
