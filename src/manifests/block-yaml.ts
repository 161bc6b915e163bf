import { plainValue } from './plain-value.ts';
import { quotedScalar } from './quoted-scalar.ts';
import { DEPTH_MAX } from './value-shape.ts';

/** Returned instead of a value for a text that is left to a complete parser. */
export const BEYOND_BLOCK_YAML = Symbol('beyond block YAML');

class Beyond extends Error {}
/** Thrown inside of this file only. It has no stack of its own, since it can be thrown for every object of a dump. */
const BEYOND = new Beyond();

const TAB = 0x09;
const LINE_FEED = 0x0a;
const SPACE = 0x20;
const DOUBLE_QUOTE = 0x22;
const HASH = 0x23;
const SINGLE_QUOTE = 0x27;
const DASH = 0x2d;
const COLON = 0x3a;
const PIPE = 0x7c;

/** The characters with which a plain scalar does not begin here. A dash may, when no space follows. */
const INDICATORS = new Uint8Array(128).fill(1, 0, 0x21);
for (const char of '?:,[]{}#&*!|>\'"%@`') INDICATORS[char.charCodeAt(0)] = 1;

const KEY_LENGTH_MAX = 1000;

/**
 * Reads the block style in which Kubernetes' tools write YAML: mappings, sequences, plain and quoted scalars, literal
 * blocks, `{}` and `[]`. Every text that has anything else in it (anchors, tags, flow style, comments behind values,
 * duplicate keys, integers beyond 2^53, errors, ...) is `BEYOND_BLOCK_YAML`. It exists since a complete parser takes
 * minutes for the dump of a large cluster.
 *
 * @param keep returns the string that is kept of a scalar, given where it stands in the text
 */
export function readBlockYaml(text: string, keep: (text: string) => string): unknown {
  try {
    return text.includes('\r') ? BEYOND_BLOCK_YAML : new BlockReader(text, keep).document();
  } catch (error) {
    if (error === BEYOND) return BEYOND_BLOCK_YAML;
    throw error;
  }
}

/** An integer that a double does not hold is left to whoever knows what its field wants. */
function whole(value: unknown): unknown {
  if (typeof value === 'bigint') throw BEYOND;
  return value;
}

class BlockReader {
  readonly #text: string;
  readonly #keep: (text: string) => string;
  /** The first character that has not been read. */
  #at = 0;
  /** The column of `#at`, after `#toContent`; -1 at the end of the text. */
  #column = 0;
  #depth = 0;
  #hasBegun = false;

  constructor(text: string, keep: (text: string) => string) {
    this.#text = text;
    this.#keep = keep;
  }

  document(): unknown {
    this.#toContent();
    if (this.#text.startsWith('---', this.#at) && this.#column === 0) {
      this.#at += 3;
      this.#endLine();
      this.#toContent();
    }
    if (this.#column < 0) throw BEYOND;
    const value = this.#block(this.#column);
    if (this.#column >= 0) throw BEYOND;
    return value;
  }

  /** Goes to the next line that is neither blank nor a comment. `#at` is at the beginning of a line. */
  #toContent(): void {
    const text = this.#text;
    for (;;) {
      const lineStart = this.#at;
      let at = lineStart;
      while (text.charCodeAt(at) === SPACE) at++;
      const code = text.charCodeAt(at);
      if (code === LINE_FEED) this.#at = at + 1;
      else if (code === HASH) this.#at = lineEnd(text, at) + 1;
      else if (at >= text.length) {
        this.#at = at;
        this.#column = -1;
        return;
      } else if (code === TAB) throw BEYOND;
      else {
        // A marker at the margin ends the document; a text with something behind it is not for here.
        const isMarker = text.startsWith('...', at) || (this.#hasBegun && text.startsWith('---', at));
        if (isMarker && at === lineStart) throw BEYOND;
        this.#hasBegun = true;
        this.#at = at;
        this.#column = at - lineStart;
        return;
      }
    }
  }

  /** A mapping or sequence, the first entry of which stands here. */
  #block(column: number): unknown {
    if (this.#depth++ > DEPTH_MAX) throw BEYOND;
    const value = this.#isDash() ? this.#sequence(column) : this.#mapping(column);
    this.#depth--;
    return value;
  }

  #isDash(): boolean {
    if (this.#text.charCodeAt(this.#at) !== DASH) return false;
    const next = this.#text.charCodeAt(this.#at + 1);
    return next === SPACE || next === LINE_FEED || Number.isNaN(next);
  }

  #sequence(column: number): unknown[] {
    const items: unknown[] = [];
    do {
      if (!this.#isDash()) throw BEYOND;
      const dash = this.#at;
      this.#at++;
      this.#skipSpaces();
      if (this.#isLineEnd()) items.push(this.#valueOfLines(column, false));
      else {
        const inner = column + this.#at - dash;
        items.push(this.#isDash() || this.#isKey() ? this.#block(inner) : this.#scalar(column));
      }
    } while (this.#column === column && this.#isDash());
    if (this.#column > column) throw BEYOND;
    return items;
  }

  #mapping(column: number): Record<string, unknown> {
    const object: Record<string, unknown> = {};
    do {
      const key = this.#key();
      // Members of every object, such as "constructor", are refused as well; a complete parser knows better.
      if (object[key] !== undefined) throw BEYOND;
      this.#skipSpaces();
      object[key] = this.#isLineEnd() ? this.#valueOfLines(column, true) : this.#scalar(column);
    } while (this.#column === column);
    if (this.#column > column) throw BEYOND;
    return object;
  }

  /** The value that stands on the lines that follow; null when none does. */
  #valueOfLines(column: number, isOfMapping: boolean): unknown {
    this.#endLine();
    this.#toContent();
    if (this.#column > column) return this.#block(this.#column);
    // The items of a mapping's sequence may stand below its key.
    if (isOfMapping && this.#column === column && this.#isDash()) return this.#block(column);
    return null;
  }

  #isKey(): boolean {
    const code = this.#text.charCodeAt(this.#at);
    if (code !== DOUBLE_QUOTE && code !== SINGLE_QUOTE) return this.#plainEnd(true) >= 0;
    const quoted = quotedScalar(this.#text, this.#at, Number.POSITIVE_INFINITY);
    return quoted !== null && this.#text.charCodeAt(quoted.end) === COLON;
  }

  #key(): string {
    const text = this.#text;
    const start = this.#at;
    const code = text.charCodeAt(start);
    if (code === DOUBLE_QUOTE || code === SINGLE_QUOTE) {
      const quoted = quotedScalar(text, start, Number.POSITIVE_INFINITY);
      if (quoted === null || text.charCodeAt(quoted.end) !== COLON || quoted.value === '__proto__') throw BEYOND;
      const after = text.charCodeAt(quoted.end + 1);
      if ((after !== SPACE && after !== LINE_FEED) || quoted.end - start > KEY_LENGTH_MAX) throw BEYOND;
      this.#at = quoted.end + 1;
      return quoted.value;
    }
    const end = this.#plainEnd(true);
    if (end < 0 || end - start > KEY_LENGTH_MAX || text.charCodeAt(end - 1) === SPACE) throw BEYOND;
    const key = text.slice(start, end);
    if (key === '__proto__' || key === '<<' || typeof plainValue(key) !== 'string') throw BEYOND;
    this.#at = end + 1;
    return key;
  }

  /** A value that begins on this line. `column` is that of the mapping or sequence around it. */
  #scalar(column: number): unknown {
    const text = this.#text;
    const code = text.charCodeAt(this.#at);
    if (code === PIPE) return this.#literal(column);
    if (code === DOUBLE_QUOTE || code === SINGLE_QUOTE) {
      const quoted = quotedScalar(text, this.#at, column);
      if (quoted === null) throw BEYOND;
      this.#at = quoted.end;
      this.#endLine();
      this.#toContent();
      return this.#keep(quoted.value);
    }
    const isEmptyObject = text.startsWith('{}', this.#at);
    if (isEmptyObject || text.startsWith('[]', this.#at)) {
      this.#at += 2;
      this.#endLine();
      this.#toContent();
      return isEmptyObject ? {} : [];
    }
    const value = this.#plain(column);
    return typeof value === 'string' ? this.#keep(value) : value;
  }

  #plain(column: number): unknown {
    const text = this.#text;
    const end = this.#plainEnd(false);
    if (end < 0) throw BEYOND;
    let value = text.slice(this.#at, trimmedEnd(text, this.#at, end));
    this.#at = end + 1;
    let blanks = this.#blankLines();
    if (this.#column <= column) return whole(plainValue(value));
    // Deeper lines go on with the scalar. Text of several lines is never a number.
    for (; this.#column > column; blanks = this.#blankLines()) {
      const lineEndAt = this.#plainEnd(false, true);
      if (lineEndAt < 0 || blanks < 0) throw BEYOND;
      value += (blanks === 0 ? ' ' : '\n'.repeat(blanks)) + text.slice(this.#at, trimmedEnd(text, this.#at, lineEndAt));
      this.#at = lineEndAt + 1;
    }
    return value;
  }

  /** Goes to the next content, and returns how many blank lines there were; -1 when there was a comment. */
  #blankLines(): number {
    const start = this.#at;
    this.#toContent();
    const end = this.#column < 0 ? this.#at : this.#at - this.#column;
    let count = 0;
    for (let at = start; at < end; at++) {
      const code = this.#text.charCodeAt(at);
      if (code === LINE_FEED) count++;
      else if (code !== SPACE) return -1;
    }
    return count;
  }

  /**
   * The end of the plain text that stands here: of a key its colon, of a value the end of its line. -1: there is no
   * such text.
   */
  #plainEnd(isKey: boolean, isContinued = false): number {
    const text = this.#text;
    const first = text.charCodeAt(this.#at);
    if (first < 128 && INDICATORS[first] === 1 && !(isContinued && first !== HASH && first > SPACE)) return -1;
    if (first === DASH && this.#isDash() && !isContinued) return -1;
    for (let at = this.#at; ; at++) {
      const code = text.charCodeAt(at);
      if (code === COLON) {
        const next = text.charCodeAt(at + 1);
        if (next === SPACE || next === LINE_FEED || Number.isNaN(next)) return isKey ? at : -1;
      } else if (code === LINE_FEED || Number.isNaN(code)) return isKey ? -1 : at;
      else if (code === HASH && text.charCodeAt(at - 1) === SPACE) return -1;
      else if (code < SPACE) return -1;
    }
  }

  #literal(column: number): string {
    const text = this.#text;
    this.#at++;
    const keepsNoEnd = text.charCodeAt(this.#at) === DASH;
    if (keepsNoEnd) this.#at++;
    this.#endLine();
    const start = this.#at;
    let at = start;
    while (text.charCodeAt(at) === SPACE) at++;
    const indent = at - start;
    const first = text.charCodeAt(at);
    if (indent <= column || first === LINE_FEED || Number.isNaN(first)) throw BEYOND;
    const lines: string[] = [];
    let filled = 0;
    for (at = start; at < text.length; ) {
      let content = at;
      while (text.charCodeAt(content) === SPACE && content - at < indent) content++;
      const end = lineEnd(text, at);
      if (content === end) lines.push('');
      else if (content - at < indent) break;
      else {
        const line = text.slice(content, end);
        // Lines of nothing but spaces count or do not, depending on what follows.
        if (line.trimStart() === '') throw BEYOND;
        lines.push(line);
        filled = lines.length;
      }
      at = end + 1;
    }
    this.#at = Math.min(at, text.length);
    this.#toContent();
    if (this.#column > column) throw BEYOND;
    return this.#keep(lines.slice(0, filled).join('\n') + (keepsNoEnd ? '' : '\n'));
  }

  #skipSpaces(): void {
    while (this.#text.charCodeAt(this.#at) === SPACE) this.#at++;
  }

  #isLineEnd(): boolean {
    return this.#at >= this.#text.length || this.#text.charCodeAt(this.#at) === LINE_FEED;
  }

  /** Goes behind the end of the line, on which nothing else may stand. */
  #endLine(): void {
    this.#skipSpaces();
    if (!this.#isLineEnd()) throw BEYOND;
    this.#at++;
  }
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

function trimmedEnd(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && text.charCodeAt(at - 1) === SPACE) at--;
  return at;
}
