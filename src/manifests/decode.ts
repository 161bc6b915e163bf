import { jsonDocuments, jsonLines, looksLikeJsonLines } from './json.ts';
import { manifestError, type SourceDocument } from './source-document.ts';
import { yamlDocuments } from './yaml.ts';

/**
 * The documents of a file. The format follows from the extension (`.ndjson`, `.jsonl`, `.json`), otherwise from the
 * first character. JSON in a `.yaml` file is read as JSON if it is valid JSON, which is a hundred times faster.
 */
export function decodeDocuments(input: Uint8Array, file: string): Iterable<SourceDocument> {
  const bytes = withoutByteOrderMark(input);
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) {
    throw manifestError('InvalidSyntax', `${file}: is gzip-compressed (try: gunzip -c FILE | berth schedule -f -)`);
  }
  if (/\.(ndjson|jsonl)$/i.test(file)) return jsonLines(bytes, file);
  const first = bytes.find((byte) => byte > 0x20);
  if (first === undefined) return [];
  const looksLikeJson = first === 0x7b || first === 0x5b;
  if (!looksLikeJson && !/\.json$/i.test(file)) return yamlDocuments(bytes, file);
  if (looksLikeJsonLines(bytes)) return jsonLines(bytes, file);
  if (!/\.ya?ml$/i.test(file)) return jsonDocuments(bytes, file);
  try {
    return [...jsonDocuments(bytes, file)];
  } catch {
    return yamlDocuments(bytes, file);
  }
}

function withoutByteOrderMark(bytes: Uint8Array): Uint8Array {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}
