import { manifestError, type SourceDocument } from './source-document.ts';
import { StreamDecoder } from './stream-decoder.ts';

/** The documents of a file that is in memory. */
export function* decodeDocuments(bytes: Uint8Array, file: string): Generator<SourceDocument> {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) {
    throw manifestError('InvalidSyntax', `${file}: is gzip-compressed (try: gunzip -c FILE | berth schedule -f -)`);
  }
  const decoder = new StreamDecoder(file, Number.POSITIVE_INFINITY);
  yield* decoder.push(bytes);
  yield* decoder.end();
}
