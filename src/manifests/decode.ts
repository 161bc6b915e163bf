import { refuseCompressed, type SourceDocument } from './source-document.ts';
import { StreamDecoder } from './stream-decoder.ts';

/** The documents of a file that is in memory. */
export function* decodeDocuments(bytes: Uint8Array, file: string): Generator<SourceDocument> {
  refuseCompressed(bytes, file);
  const decoder = new StreamDecoder(file, Number.POSITIVE_INFINITY);
  yield* decoder.push(bytes);
  yield* decoder.end();
}
