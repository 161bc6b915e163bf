import { latePackage } from '../lib/host-modules.ts';
import { isDeepYaml } from '../lib/yaml-depth.ts';
import { BEYOND_BLOCK_YAML, readBlockYaml } from './block-yaml.ts';
import { withFittingIntegers } from './exact-integers.ts';
import { positionOf } from './json-syntax.ts';
import type { KeptStrings } from './kept-strings.ts';
import { decodeUtf8, manifestError, megabytes } from './source-document.ts';
import type { SourcePiece } from './source-piece.ts';

/** The syntax tree that the complete parser makes of a text takes about ninety times its size. */
const SYNTAX_TREE_MAX_BYTES = 16 * 2 ** 20;

const CONTENT_FREE = /^\s*([#%]|---\s*($|#)|\.\.\.\s*$|$)/;

export interface YamlValue {
  readonly value: unknown;
  /** The line of the first content. */
  readonly line: number;
}

/**
 * The value of a piece of YAML, or null when it has no content. The value of an item is that of its only entry.
 *
 * @throws CodedError `InvalidSyntax` with file, line and column
 */
export function parseYamlPiece(piece: SourcePiece, file: string, strings: KeptStrings): YamlValue | null {
  const text = decodeUtf8(piece.bytes, file, piece.line);
  if (isBlank(text)) return null;
  const block = readBlockYaml(text, strings.keep);
  const value = block === BEYOND_BLOCK_YAML ? withFittingIntegers(parseCompletely(text, piece, file)) : block;
  if (value === null) return null;
  const isItem = piece.part === 'item' && Array.isArray(value) && value.length === 1;
  return { value: isItem ? (value[0] as unknown) : value, line: firstContentLine(text, piece.line) };
}

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

/** The parser's own message, on one line. It reports an overflow of its stack as an error of the text. */
function reasonOf(message: string): string {
  return /call stack/.test(message) ? 'nested too deeply' : (message.split('\n')[0] as string);
}

function parseCompletely(text: string, piece: SourcePiece, file: string): unknown {
  const fail = (offset: number, reason: string) => {
    const { line, column } = positionOf(text, offset);
    return manifestError('InvalidSyntax', `${file}:${piece.line + line - 1}:${column}: malformed YAML: ${reason}`);
  };
  if (piece.bytes.length > SYNTAX_TREE_MAX_BYTES) {
    throw manifestError(
      'DocumentTooLarge',
      `${file}:${piece.line}: one YAML object of ${megabytes(piece.bytes.length)} that is not in plain block style; ` +
        `the limit is ${megabytes(SYNTAX_TREE_MAX_BYTES)} (use kubectl get -o json; or put --- between the objects)`,
    );
  }
  if (isDeepYaml(text)) throw fail(0, 'nested too deeply');
  try {
    // Merge keys belong to YAML 1.1, but kubectl reads them.
    const options = { merge: true, prettyErrors: false, logLevel: 'error', intAsBigInt: true } as const;
    const document = latePackage('yaml').parseDocument(text, options);
    const error = document.errors[0];
    if (error !== undefined) throw fail(error.pos[0], reasonOf(error.message));
    return document.toJS() as unknown;
  } catch (error) {
    if (error instanceof RangeError) throw fail(0, 'nested too deeply');
    // The document has an unknown alias, or far too many aliases.
    if (error instanceof ReferenceError) throw fail(0, error.message);
    throw error;
  }
}
