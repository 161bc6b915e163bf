import { parseExactly } from './exact-integers.ts';
import type { JsonPiece } from './json-cutter.ts';
import { findDuplicateKey } from './json-duplicates.ts';
import { findJsonSyntaxError, positionOf } from './json-syntax.ts';
import type { SharedImages } from './shared-images.ts';
import type { SharedParts } from './shared-parts.ts';
import { decodeUtf8, manifestError } from './source-document.ts';

/** What a piece has in common with the pieces of the file before it. */
export interface SharedBefore {
  readonly images: Pick<SharedImages, 'parse'>;
  readonly parts: Pick<SharedParts, 'share'>;
}

/**
 * The value of a piece of JSON.
 *
 * @throws CodedError `InvalidSyntax` with file, line and column, also for a key that an object has twice
 */
export function parseJsonPiece(piece: JsonPiece, file: string, { images, parts }: SharedBefore): unknown {
  const text = decodeUtf8(piece.bytes, file, piece.line);
  const node = images.parse(text, piece.members);
  if (node !== undefined) return node;
  const value = parsed(text, piece, file);
  const shape = parts.share(value);
  if (shape === null) return value;
  const duplicate = shape.members === piece.members ? null : findDuplicateKey(text);
  if (duplicate === null) return shape.hasLargeNumbers ? parseExactly(text) : value;
  throw malformed(text, duplicate.offset, `the key ${duplicate.path} is there twice`, piece, file);
}

function parsed(text: string, piece: JsonPiece, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const found = findJsonSyntaxError(text);
    if (found === null) throw error;
    throw malformed(text, found.offset, found.reason, piece, file);
  }
}

function malformed(text: string, offset: number, reason: string, piece: JsonPiece, file: string) {
  const { line, column } = positionOf(text, offset);
  const shownColumn = line === 1 ? piece.column + column - 1 : column;
  return manifestError('InvalidSyntax', `${file}:${piece.line + line - 1}:${shownColumn}: malformed JSON: ${reason}`);
}
