/**
 * A piece of a stream of documents, which is decoded by itself: a whole document, or, of a List that is too large to be
 * held at once, one item, and in the end the rest: the document with an empty list of items.
 */
export interface SourcePiece {
  readonly part: 'document' | 'item' | 'rest';
  readonly bytes: Uint8Array;
  /** Where the piece begins, both from 1. */
  readonly line: number;
  readonly column: number;
  /** The bytes of the stream up to the end of the piece. */
  readonly endByte: number;
}

/** A document of fewer bytes is never taken apart. */
export const WHOLE_DOCUMENT_MAX_BYTES = 2 ** 20;

/** An object of more bytes is refused in every format: its text has to fit into one string. */
export const PIECE_MAX_BYTES = 256 * 2 ** 20;
