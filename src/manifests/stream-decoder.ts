import { JsonCutter, type JsonPiece } from './json-cutter.ts';
import { parseJsonPiece, type SharedBefore } from './json-document.ts';
import { KeptStrings } from './kept-strings.ts';
import { SharedImages } from './shared-images.ts';
import { SharedParts } from './shared-parts.ts';
import type { SourceDocument } from './source-document.ts';
import { type SourcePiece, WHOLE_DOCUMENT_MAX_BYTES } from './source-piece.ts';
import { YamlCutter } from './yaml-cutter.ts';
import { parseYamlPiece } from './yaml-document.ts';

const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * Decodes the documents of one file, which comes in chunks. The format follows from the extension (`.ndjson`, `.jsonl`,
 * `.json`, `.yaml`, `.yml`), otherwise from the first character. JSON in a `.yaml` file is read as JSON if it is valid
 * JSON, which is much faster. The items of large Lists come as documents of their own, before the rest of their List.
 */
export class StreamDecoder {
  readonly #file: string;
  readonly #wholeMaxBytes: number;
  readonly #strings = new KeptStrings();
  readonly #shared: SharedBefore = { images: new SharedImages(), parts: new SharedParts() };
  /** The beginning, until the format is known; null from then on. */
  #beginning: Buffer | null = Buffer.alloc(0);
  #json: JsonCutter | null = null;
  #yaml: YamlCutter | null = null;

  /** @param wholeMaxBytes the size up to which a document is never taken apart */
  constructor(file: string, wholeMaxBytes: number = WHOLE_DOCUMENT_MAX_BYTES) {
    this.#file = file;
    this.#wholeMaxBytes = wholeMaxBytes;
  }

  /** The documents that end in the chunk. */
  *push(chunk: Uint8Array): Generator<SourceDocument> {
    let bytes = chunk;
    if (this.#beginning !== null) {
      bytes = this.#beginning = Buffer.concat([this.#beginning, chunk]);
      if (bytes.length < BYTE_ORDER_MARK.length) return;
      if (BYTE_ORDER_MARK.equals(bytes.subarray(0, BYTE_ORDER_MARK.length)))
        bytes = bytes.subarray(BYTE_ORDER_MARK.length);
      if (!this.#chooseFormat(bytes, false)) return;
    }
    if (this.#json !== null) for (const piece of this.#json.push(bytes)) yield this.#fromJson(piece);
    if (this.#yaml !== null) for (const piece of this.#yaml.push(bytes)) yield* this.#fromYaml(piece);
  }

  /** The documents at the end of the stream. */
  *end(): Generator<SourceDocument> {
    if (this.#beginning !== null) {
      const beginning = this.#beginning;
      this.#chooseFormat(beginning, true);
      yield* this.push(beginning);
    }
    if (this.#json !== null) for (const piece of this.#json.end()) yield this.#fromJson(piece);
    if (this.#yaml !== null) for (const piece of this.#yaml.end()) yield* this.#fromYaml(piece);
  }

  /** Returns whether the format is known now. */
  #chooseFormat(bytes: Uint8Array, isEnd: boolean): boolean {
    const first = bytes.find((byte) => byte > 0x20);
    if (first === undefined && !isEnd) return false;
    this.#beginning = null;
    const isJson =
      /\.(ndjson|jsonl|json)$/i.test(this.#file) ||
      (!/\.ya?ml$/i.test(this.#file) && first !== undefined && isBracket(first));
    if (isJson) this.#json = new JsonCutter(this.#file, this.#wholeMaxBytes);
    else this.#yaml = new YamlCutter(this.#file, this.#wholeMaxBytes);
    return true;
  }

  #fromJson(piece: JsonPiece): SourceDocument {
    const { part, line, endByte } = piece;
    return { part, line, endByte, value: parseJsonPiece(piece, this.#file, this.#shared) };
  }

  *#fromYaml(piece: SourcePiece): Generator<SourceDocument> {
    const { part, endByte } = piece;
    const json = part === 'document' ? this.#jsonInYaml(piece) : null;
    if (json !== null) {
      yield* json;
      return;
    }
    const decoded = parseYamlPiece(piece, this.#file, this.#strings);
    if (decoded !== null) yield { part, endByte, ...decoded };
  }

  /** The documents of a piece that is JSON although it is in a YAML file; null when it is not. */
  #jsonInYaml({ bytes, line, endByte }: SourcePiece): SourceDocument[] | null {
    const from = bytes[0] === 0x2d ? bytes.indexOf(0x0a) + 1 : 0;
    const first = bytes.subarray(from).find((byte) => byte > 0x20);
    if (first === undefined || !isBracket(first)) return null;
    const cutter = new JsonCutter(this.#file, Number.POSITIVE_INFINITY);
    try {
      const pieces = [...cutter.push(bytes.subarray(from)), ...cutter.end()];
      const above = line - 1 + (from > 0 ? 1 : 0);
      return pieces.map((piece) => ({ ...this.#fromJson({ ...piece, line: piece.line + above }), endByte }));
    } catch {
      return null;
    }
  }
}

function isBracket(byte: number): boolean {
  return byte === OPEN_BRACE || byte === OPEN_BRACKET;
}
