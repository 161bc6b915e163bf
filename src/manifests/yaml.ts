import { latePackage } from '../lib/host-modules.ts';
import { positionOf } from './json-syntax.ts';
import { decodeUtf8, manifestError, megabytes, type SourceDocument } from './source-document.ts';

/** The syntax tree of a YAML document takes about ninety times its size. */
const YAML_DOCUMENT_MAX_BYTES = 16 * 2 ** 20;

const LINE_FEED = 0x0a;

/**
 * The documents of a YAML file. The file is split at its document markers first, and the pieces are parsed one by one,
 * so that memory depends on the largest document only. The split is exact: a line that begins with a marker is one even
 * inside a block scalar.
 */
export function* yamlDocuments(bytes: Uint8Array, file: string): Generator<SourceDocument> {
  for (const piece of cut(bytes)) {
    const size = piece.end - piece.start;
    if (size > YAML_DOCUMENT_MAX_BYTES) {
      throw manifestError(
        'DocumentTooLarge',
        `${file}:${piece.line}: one YAML document of ${megabytes(size)}; the limit is ` +
          `${megabytes(YAML_DOCUMENT_MAX_BYTES)} (use JSON: kubectl get -o json; or put --- between the objects)`,
      );
    }
    const text = decodeUtf8(bytes.subarray(piece.start, piece.end), file, piece.line);
    if (isBlank(text)) continue;
    const value = parseYaml(text, file, piece.line);
    if (value !== null) yield { value, line: firstContentLine(text, piece.line), endByte: piece.end };
  }
}

interface Piece {
  readonly start: number;
  readonly end: number;
  readonly line: number;
}

function* cut(bytes: Uint8Array): Generator<Piece> {
  let start = 0;
  let startLine = 1;
  let line = 1;
  for (let lineStart = 0; lineStart < bytes.length; line++) {
    const lineFeed = bytes.indexOf(LINE_FEED, lineStart);
    const next = lineFeed < 0 ? bytes.length : lineFeed + 1;
    if (isMarker(bytes, lineStart, 0x2d) && lineStart > start) {
      yield { start, end: lineStart, line: startLine };
      start = lineStart;
      startLine = line;
    } else if (isMarker(bytes, lineStart, 0x2e)) {
      yield { start, end: next, line: startLine };
      start = next;
      startLine = line + 1;
    }
    lineStart = next;
  }
  if (start < bytes.length) yield { start, end: bytes.length, line: startLine };
}

/** Whether there is `---` or `...` at the start of a line, followed by white space or the end. */
function isMarker(bytes: Uint8Array, at: number, char: number): boolean {
  if (bytes[at] !== char || bytes[at + 1] !== char || bytes[at + 2] !== char) return false;
  const after = bytes[at + 3];
  return after === undefined || after === 0x20 || after === 0x09 || after === 0x0a || after === 0x0d;
}

const CONTENT_FREE = /^\s*([#%]|---\s*($|#)|\.\.\.\s*$|$)/;

/** Whether the text consists only of comments, markers and directives. */
function isBlank(text: string): boolean {
  return text.length < 4096 && text.split('\n').every((line) => CONTENT_FREE.test(line));
}

function firstContentLine(text: string, pieceLine: number): number {
  let line = pieceLine;
  for (let start = 0; start < text.length; line++) {
    const lineFeed = text.indexOf('\n', start);
    const end = lineFeed < 0 ? text.length : lineFeed;
    if (!CONTENT_FREE.test(text.slice(start, end))) return line;
    start = end + 1;
  }
  return pieceLine;
}

function parseYaml(text: string, file: string, firstLine: number): unknown {
  const fail = (offset: number, reason: string) => {
    const { line, column } = positionOf(text, offset);
    return manifestError('InvalidSyntax', `${file}:${firstLine + line - 1}:${column}: malformed YAML: ${reason}`);
  };
  try {
    // Merge keys belong to YAML 1.1, but kubectl reads them.
    const document = latePackage('yaml').parseDocument(text, { merge: true, prettyErrors: false, logLevel: 'error' });
    const error = document.errors[0];
    if (error !== undefined) throw fail(error.pos[0], error.message.split('\n')[0] ?? error.code);
    return document.toJS() as unknown;
  } catch (error) {
    if (error instanceof RangeError) throw fail(0, 'nested too deeply');
    // The document has an unknown alias, or far too many aliases.
    if (error instanceof ReferenceError) throw fail(0, error.message);
    throw error;
  }
}
