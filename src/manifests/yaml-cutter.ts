import { ByteWindow } from './byte-window.ts';
import { manifestError, megabytes } from './source-document.ts';
import { PIECE_MAX_BYTES, type SourcePiece, WHOLE_DOCUMENT_MAX_BYTES } from './source-piece.ts';

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const HASH = 0x23;
const PERCENT = 0x25;
const DASH = 0x2d;
const DOT = 0x2e;
const ITEMS = Buffer.from('items:');
const EMPTY_ITEMS = Buffer.from('items: []\n');

interface Line {
  readonly index: number;
  readonly line: number;
}

/**
 * Where a document stands that may be taken apart: before the line `items:`, behind it, inside of the list, or where
 * nothing is taken apart (any more).
 */
type Place = 'start' | 'before' | 'expecting' | 'items' | 'whole';

/**
 * Cuts a stream of YAML at the markers of its documents, and large documents at the items of their list `items:`. Both
 * cuts are exact: a line that begins with a marker is one even inside of a block scalar, and everything that belongs to
 * an item of a block sequence is indented by more than its dash. Anchors of one item are unknown in the others.
 */
export class YamlCutter {
  readonly #file: string;
  readonly #wholeMaxBytes: number;
  readonly #window = new ByteWindow();
  /** The first line that has not been read, or not to its end. */
  #at = 0;
  /** Up to here there is no line feed behind `#at`. */
  #scanned = 0;
  #line = 1;
  #document: Line = { index: 0, line: 1 };
  #place: Place = 'start';
  #dashColumn = 0;
  #itemsIndex = 0;
  /** The beginnings of the items of a document that is not taken apart yet. */
  #items: Line[] = [];
  /** The parts of a large document outside of its items; null while it is small. */
  #rest: Buffer[] | null = null;
  #found: SourcePiece[] = [];

  constructor(file: string, wholeMaxBytes: number = WHOLE_DOCUMENT_MAX_BYTES) {
    this.#file = file;
    this.#wholeMaxBytes = wholeMaxBytes;
  }

  /** The pieces that end in the chunk. Their bytes are valid until the next call. */
  push(chunk: Uint8Array): SourcePiece[] {
    this.#moveBack(this.#window.append(chunk));
    this.#found = [];
    const { bytes, end } = this.#window;
    for (;;) {
      let feed = this.#scanned;
      while (feed < end && bytes[feed] !== LINE_FEED) feed++;
      this.#scanned = feed;
      if (feed === end) break;
      this.#readLine(bytes, this.#at, feed);
      this.#scanned = this.#at = feed + 1;
      this.#line++;
    }
    this.#releaseUsed();
    return this.#found;
  }

  /** The pieces at the end of the stream. */
  end(): SourcePiece[] {
    this.#found = [];
    const { bytes, end } = this.#window;
    if (this.#at < end) this.#readLine(bytes, this.#at, end);
    if (this.#document.index < end || this.#rest !== null) this.#endDocument(end);
    return this.#found;
  }

  #readLine(bytes: Buffer, start: number, end: number): void {
    if (isMarker(bytes, start, end, DASH)) {
      if (this.#document.index < start || this.#rest !== null) this.#endDocument(start);
      this.#document = { index: start, line: this.#line };
      this.#place = isEmpty(bytes, start + 3, end) ? 'start' : 'whole';
    } else if (isMarker(bytes, start, end, DOT)) {
      const next = Math.min(end + 1, this.#window.end);
      this.#endDocument(next);
      this.#document = { index: next, line: this.#line + 1 };
    } else if (this.#place === 'items') this.#readItemLine(bytes, start, end);
    else if (this.#place === 'expecting') this.#expectItem(bytes, start, end);
    else if (this.#place !== 'whole' && !isEmpty(bytes, start, end)) this.#readTopLine(bytes, start, end);
  }

  /** A line of the mapping around the list, of which only those at the margin matter. */
  #readTopLine(bytes: Buffer, start: number, end: number): void {
    const first = bytes[start] as number;
    if (this.#place === 'start' && first !== PERCENT) this.#place = isLetter(first) ? 'before' : 'whole';
    if (this.#place !== 'before' || first !== ITEMS[0] || end - start < ITEMS.length) return;
    if (!ITEMS.equals(bytes.subarray(start, start + ITEMS.length))) return;
    if (!isEmpty(bytes, start + ITEMS.length, end)) return;
    this.#place = 'expecting';
    this.#itemsIndex = start;
  }

  #expectItem(bytes: Buffer, start: number, end: number): void {
    if (isEmpty(bytes, start, end)) return;
    const column = indentOf(bytes, start, end);
    this.#place = isDash(bytes, start + column, end) ? 'items' : 'before';
    this.#dashColumn = column;
    this.#items = [{ index: start, line: this.#line }];
  }

  #readItemLine(bytes: Buffer, start: number, end: number): void {
    const column = indentOf(bytes, start, end);
    if (column > this.#dashColumn || isEmpty(bytes, start, end)) return;
    const isItem = column === this.#dashColumn && isDash(bytes, start + column, end);
    if (this.#rest !== null) this.#foundItem(start);
    if (isItem) this.#items.push({ index: start, line: this.#line });
    else {
      this.#place = 'whole';
      if (this.#rest !== null) this.#document = { ...this.#document, index: start };
    }
  }

  /** Makes a piece of the oldest open item, which ends here. */
  #foundItem(end: number): void {
    const item = this.#items.shift() as Line;
    this.#found.push(this.#piece('item', item, end));
  }

  #endDocument(end: number): void {
    if (this.#rest === null) this.#found.push(this.#piece('document', this.#document, end));
    else {
      if (this.#place === 'items') this.#foundItem(end);
      else this.#rest.push(Buffer.from(this.#window.bytes.subarray(this.#document.index, end)));
      this.#found.push({ ...this.#piece('rest', this.#document, end), bytes: Buffer.concat(this.#rest) });
    }
    this.#document = { index: end, line: this.#line };
    this.#place = 'start';
    this.#items = [];
    this.#rest = null;
  }

  /** Releases what has become pieces. A document that has grown large is taken apart from here on. */
  #releaseUsed(): void {
    const { bytes, end } = this.#window;
    const isLarge = end - this.#document.index > this.#wholeMaxBytes;
    if (this.#rest === null && this.#place === 'items' && isLarge) {
      this.#rest = [Buffer.from(bytes.subarray(this.#document.index, this.#itemsIndex)), EMPTY_ITEMS];
      const items = this.#items;
      for (let i = 0; i + 1 < items.length; i++) {
        this.#found.push(this.#piece('item', items[i] as Line, (items[i + 1] as Line).index));
      }
      this.#items = items.slice(-1);
    }
    const isApart = this.#rest !== null && this.#place === 'items';
    const { index: needed, line } = isApart ? (this.#items[0] as Line) : this.#document;
    if (end - needed > PIECE_MAX_BYTES) {
      const limit = megabytes(PIECE_MAX_BYTES);
      throw manifestError('DocumentTooLarge', `${this.#file}:${line}: one object of more than ${limit}, the limit`);
    }
    this.#window.release(needed);
  }

  #piece(part: SourcePiece['part'], { index, line }: Line, end: number): SourcePiece {
    const bytes = this.#window.bytes.subarray(index, end);
    return { part, bytes, line, column: 1, endByte: this.#window.offsetOf(end) };
  }

  /** The window has moved its bytes down. */
  #moveBack(by: number): void {
    if (by === 0) return;
    this.#at -= by;
    this.#scanned -= by;
    this.#itemsIndex -= by;
    this.#document = { ...this.#document, index: this.#document.index - by };
    this.#items = this.#items.map(({ index, line }) => ({ index: index - by, line }));
  }
}

/** Whether there is `---` or `...` at the start of a line, followed by white space or the end. */
function isMarker(bytes: Buffer, start: number, end: number, char: number): boolean {
  if (bytes[start] !== char || end - start < 3 || bytes[start + 1] !== char || bytes[start + 2] !== char) return false;
  return end - start === 3 || isSpace(bytes[start + 3] as number);
}

function isSpace(byte: number): boolean {
  return byte === SPACE || byte === TAB || byte === CARRIAGE_RETURN;
}

/** Whether nothing or only a comment stands on the line. */
function isEmpty(bytes: Buffer, start: number, end: number): boolean {
  let at = start;
  while (at < end && isSpace(bytes[at] as number)) at++;
  return at === end || bytes[at] === HASH;
}

function indentOf(bytes: Buffer, start: number, end: number): number {
  let at = start;
  while (at < end && bytes[at] === SPACE) at++;
  return at - start;
}

function isDash(bytes: Buffer, at: number, end: number): boolean {
  return at < end && bytes[at] === DASH && (at + 1 === end || isSpace(bytes[at + 1] as number));
}

function isLetter(byte: number): boolean {
  return (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a);
}
