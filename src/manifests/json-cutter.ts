import { ByteWindow } from './byte-window.ts';
import { manifestError, megabytes } from './source-document.ts';
import { PIECE_MAX_BYTES, type SourcePiece, WHOLE_DOCUMENT_MAX_BYTES } from './source-piece.ts';

/** A piece of a JSON stream, with the number of members of all its objects. */
export interface JsonPiece extends SourcePiece {
  readonly members: number;
}

/** The meaning of a byte outside of strings; 0: part of a number or a word. */
const SPACE = 1;
const LINE_FEED = 2;
const QUOTE = 3;
const OPEN = 4;
const CLOSE = 5;
const COMMA = 6;
const COLON = 7;

const MEANING = new Uint8Array(256);
for (const char of ' \t\r') MEANING[char.charCodeAt(0)] = SPACE;
for (const char of '{[') MEANING[char.charCodeAt(0)] = OPEN;
for (const char of '}]') MEANING[char.charCodeAt(0)] = CLOSE;
MEANING[0x0a] = LINE_FEED;
MEANING[0x22] = QUOTE;
MEANING[0x2c] = COMMA;
MEANING[0x3a] = COLON;

const QUOTE_BYTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const ITEMS = Buffer.from('"items"');
/** The depth inside the list of items of a document. */
const ITEMS_DEPTH = 2;

/** Where something begins in the window, and how many members were seen before it. */
interface Begin {
  index: number;
  readonly line: number;
  readonly column: number;
  readonly members: number;
}

/**
 * Cuts a stream of JSON documents, one behind the other or one a line, into pieces. It follows only brackets and
 * strings; whether a piece is JSON is for its parser to say. The items of a document of more than `wholeMaxBytes`
 * become pieces of their own as soon as they have been read.
 *
 * Colons outside of strings are counted, since a valid document has one for each member: a piece whose value has fewer
 * members had duplicate keys.
 */
export class JsonCutter {
  readonly #file: string;
  readonly #wholeMaxBytes: number;
  readonly #window = new ByteWindow();
  /** May be one behind the end, when the window ends with a backslash in a string. */
  #at = 0;
  #line = 1;
  #lineStart = 0;
  #members = 0;
  #depth = 0;
  #isInString = false;
  #stringStart = 0;
  #isItemsKey = false;
  #isInItems = false;
  /** Behind the opening bracket of the list of items. */
  #itemsIndex = 0;
  #document: Begin | null = null;
  #item: Begin | null = null;
  /** The last byte in the list of items was a comma, so that an item has to follow. */
  #isItemDue = false;
  #found: JsonPiece[] = [];
  /** The items of a document that may still turn out to be a small one. */
  #held: { readonly item: Begin; end: number; readonly members: number }[] = [];
  /** The parts of a large document outside of its items; null while it is small. */
  #rest: Buffer[] | null = null;
  #itemMembers = 0;

  constructor(file: string, wholeMaxBytes: number = WHOLE_DOCUMENT_MAX_BYTES) {
    this.#file = file;
    this.#wholeMaxBytes = wholeMaxBytes;
  }

  /** The pieces that end in the chunk. Their bytes are valid until the next call. */
  push(chunk: Uint8Array): JsonPiece[] {
    this.#moveBack(this.#window.append(chunk));
    this.#found = [];
    const { bytes, end } = this.#window;
    while (this.#at < end) {
      if (this.#isInString) this.#skipString(bytes, end);
      else this.#skipTokens(bytes, end);
    }
    this.#releaseUsed();
    return this.#found;
  }

  /** What is left: a number or a word, or a document that ends too early. */
  end(): JsonPiece[] {
    this.#found = [];
    if (this.#document === null) return [];
    if (this.#rest === null) return [this.#piece('document', this.#document, this.#window.end, this.#members)];
    if (this.#item !== null) return [this.#piece('item', this.#item, this.#window.end, this.#members)];
    throw manifestError('InvalidSyntax', `${this.#file}:${this.#line}: malformed JSON: it ends inside of a document`);
  }

  #skipString(bytes: Buffer, end: number): void {
    let at = this.#at;
    while (at < end) {
      const byte = bytes[at++];
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE_BYTE) {
        this.#isInString = false;
        if (this.#depth === 1) this.#isItemsKey = ITEMS.equals(bytes.subarray(this.#stringStart, at));
        break;
      }
    }
    this.#at = at;
  }

  /** Goes to the next string, or to the end. */
  #skipTokens(bytes: Buffer, end: number): void {
    let at = this.#at;
    while (at < end) {
      if (this.#depth > ITEMS_DEPTH) {
        while (at < end && (MEANING[bytes[at] as number] as number) <= SPACE) at++;
        if (at >= end) break;
      }
      const meaning = MEANING[bytes[at] as number] as number;
      if (this.#depth <= ITEMS_DEPTH && meaning !== SPACE) this.#begin(at, meaning);
      at++;
      if (meaning === LINE_FEED) {
        this.#line++;
        this.#lineStart = at;
      } else if (meaning === QUOTE) {
        this.#isInString = true;
        this.#stringStart = at - 1;
        break;
      } else if (meaning === COLON) this.#members++;
      else if (meaning === OPEN) this.#open(bytes[at - 1] as number, at);
      else if (meaning === CLOSE) this.#close(at);
      else if (meaning === COMMA) this.#comma(at);
    }
    this.#at = at;
  }

  /** Notes that a document or an item begins, if one does. */
  #begin(at: number, meaning: number): void {
    if (meaning === LINE_FEED) {
      // A number or a word outside of brackets ends with its line.
      if (this.#depth === 0 && this.#document !== null) this.#endDocument(at);
      return;
    }
    this.#document ??= this.#beginning(at);
    if (this.#depth !== ITEMS_DEPTH || !this.#isInItems || this.#item !== null) return;
    if (meaning !== CLOSE || this.#isItemDue) this.#item = this.#beginning(at);
  }

  #beginning(index: number): Begin {
    return { index, line: this.#line, column: index - this.#lineStart + 1, members: this.#members };
  }

  #open(byte: number, after: number): void {
    this.#depth++;
    if (this.#depth !== ITEMS_DEPTH) return;
    this.#isInItems = this.#isItemsKey && byte === OPEN_BRACKET;
    this.#isItemsKey = false;
    this.#isItemDue = false;
    if (!this.#isInItems) return;
    this.#held = [];
    this.#itemsIndex = after;
    if (this.#rest !== null) this.#cutRest(after);
  }

  #comma(after: number): void {
    if (this.#depth === 1) this.#isItemsKey = false;
    if (this.#depth !== ITEMS_DEPTH || !this.#isInItems) return;
    this.#endItem(after - 1);
    this.#isItemDue = true;
  }

  #close(after: number): void {
    if (this.#depth === ITEMS_DEPTH && this.#isInItems) {
      if (this.#item !== null) this.#endItem(after - 1);
      this.#isInItems = false;
      if (this.#rest !== null && this.#document !== null) this.#document.index = after - 1;
    }
    if (this.#depth > 0) this.#depth--;
    if (this.#depth === 0) this.#endDocument(after);
  }

  #endItem(end: number): void {
    const item = this.#item ?? this.#beginning(end);
    this.#item = null;
    if (this.#rest === null) this.#held.push({ item, end, members: this.#members });
    else this.#foundItem(item, end, this.#members);
  }

  #foundItem(item: Begin, end: number, membersUntil: number): void {
    const piece = this.#piece('item', item, end, membersUntil);
    this.#itemMembers += piece.members;
    this.#found.push(piece);
  }

  #endDocument(end: number): void {
    const document = this.#document as Begin;
    if (this.#rest === null) this.#found.push(this.#piece('document', document, end, this.#members));
    else {
      this.#cutRest(end);
      const piece = this.#piece('rest', document, end, this.#members - this.#itemMembers);
      this.#found.push({ ...piece, bytes: Buffer.concat(this.#rest) });
    }
    this.#document = null;
    this.#item = null;
    this.#isInItems = false;
    this.#isItemsKey = false;
    this.#held = [];
    this.#rest = null;
    this.#itemMembers = 0;
  }

  /** Copies the part of a large document that lies between its items and an index. */
  #cutRest(end: number): void {
    const { bytes } = this.#window;
    this.#rest?.push(Buffer.from(bytes.subarray((this.#document as Begin).index, end)));
  }

  /** Releases what has become pieces. A document that has grown large is taken apart from here on. */
  #releaseUsed(): void {
    const { end, start } = this.#window;
    if (this.#document === null) {
      this.#window.release(end);
      return;
    }
    if (this.#rest === null && this.#isInItems && end - start > this.#wholeMaxBytes) this.#takeApart();
    const isBetweenItems = this.#rest !== null && this.#isInItems;
    const needed = isBetweenItems ? (this.#item?.index ?? end) : this.#document.index;
    if (end - needed > PIECE_MAX_BYTES) {
      const limit = megabytes(PIECE_MAX_BYTES);
      const place = `${this.#file}:${(this.#item ?? this.#document).line}`;
      throw manifestError('DocumentTooLarge', `${place}: one object of more than ${limit}, which is the limit`);
    }
    this.#window.release(needed);
  }

  /** The held items become pieces, and what was before them is kept as the beginning of the rest. */
  #takeApart(): void {
    this.#rest = [];
    this.#cutRest(this.#itemsIndex);
    for (const { item, end, members } of this.#held) this.#foundItem(item, end, members);
    this.#held = [];
  }

  #piece(part: SourcePiece['part'], begin: Begin, end: number, membersUntil: number): JsonPiece {
    return {
      part,
      bytes: this.#window.bytes.subarray(begin.index, end),
      line: begin.line,
      column: begin.column,
      endByte: this.#window.offsetOf(end),
      members: membersUntil - begin.members,
    };
  }

  /** The window has moved its bytes down. */
  #moveBack(by: number): void {
    if (by === 0) return;
    this.#at -= by;
    this.#lineStart -= by;
    this.#stringStart -= by;
    this.#itemsIndex -= by;
    if (this.#document !== null) this.#document.index -= by;
    if (this.#item !== null) this.#item.index -= by;
    for (const held of this.#held) {
      held.item.index -= by;
      held.end -= by;
    }
  }
}
