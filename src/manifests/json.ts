import { findJsonSyntaxError, positionOf } from './json-syntax.ts';
import { decodeUtf8, manifestError, megabytes, type SourceDocument } from './source-document.ts';

/** A document needs memory for its text, and several times that for its objects. */
const JSON_DOCUMENT_MAX_BYTES = 256 * 2 ** 20;

const LINE_FEED = 0x0a;

/** Reads the file as one JSON document. */
export function* jsonDocuments(bytes: Uint8Array, file: string): Generator<SourceDocument> {
  if (bytes.length > JSON_DOCUMENT_MAX_BYTES) {
    throw manifestError(
      'DocumentTooLarge',
      `${file}: one JSON document of ${megabytes(bytes.length)}; the limit is ${megabytes(JSON_DOCUMENT_MAX_BYTES)} ` +
        '(one object a line has no such limit: jq -c .items[])',
    );
  }
  yield { value: parseJson(decodeUtf8(bytes, file, 1), file, 1), line: 1, endByte: bytes.length };
}

/** Reads one JSON object a line (NDJSON); empty lines are skipped. */
export function* jsonLines(bytes: Uint8Array, file: string): Generator<SourceDocument> {
  let line = 0;
  for (let start = 0; start < bytes.length; ) {
    line++;
    const lineFeed = bytes.indexOf(LINE_FEED, start);
    const end = lineFeed < 0 ? bytes.length : lineFeed;
    const text = decodeUtf8(bytes.subarray(start, end), file, line);
    start = end + 1;
    if (text.trim() !== '') yield { value: parseJson(text, file, line), line, endByte: start };
  }
}

/** Whether the first line is a complete JSON value and more lines follow. */
export function looksLikeJsonLines(bytes: Uint8Array): boolean {
  const start = bytes.findIndex(isInk);
  const end = bytes.indexOf(LINE_FEED, start);
  if (start < 0 || end < 0 || !bytes.subarray(end).some(isInk)) return false;
  try {
    JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('utf8'));
    return true;
  } catch {
    return false;
  }
}

function isInk(byte: number): boolean {
  return byte > 0x20;
}

function parseJson(text: string, file: string, firstLine: number): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const found = findJsonSyntaxError(text);
    if (found === null) throw error;
    const { line, column } = positionOf(text, found.offset);
    throw manifestError('InvalidSyntax', `${file}:${firstLine + line - 1}:${column}: malformed JSON: ${found.reason}`);
  }
}
