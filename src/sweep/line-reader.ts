/** A file that is read piece by piece. */
export interface ReadableFile {
  readonly name: string;
  readonly sizeBytes: number;
  /** Fills the target with the bytes from `fromByte` on; returns how many there were. */
  read(target: Uint8Array, fromByte: number): number;
}

const LINE_FEED = 0x0a;

/** Reads a file line by line with a buffer of its own, without making a string or an object for a line. */
export class LineReader {
  readonly file: ReadableFile;
  /** The bytes that were read last; the line is those from `start` to `end`. */
  buffer: Buffer;
  start = 0;
  /** The end of the line, without its line feed. */
  end = -1;
  #filled = 0;
  /** The number of bytes of the file that were read into the buffer. */
  #readBytes = 0;

  constructor(file: ReadableFile, bufferBytes: number) {
    this.file = file;
    this.buffer = Buffer.allocUnsafe(Math.max(1, bufferBytes));
  }

  /** Goes on to the next line. Returns false when there is no other one that ends with a line feed. */
  next(): boolean {
    this.start = this.end + 1;
    let from = this.start;
    for (;;) {
      const found = from < this.#filled ? this.buffer.indexOf(LINE_FEED, from) : -1;
      if (found >= 0 && found < this.#filled) {
        this.end = found;
        return true;
      }
      from = this.#filled - this.start;
      if (!this.#fill()) return false;
    }
  }

  /** Whether bytes are left behind the current line. */
  get hasRest(): boolean {
    return this.end + 1 < this.#filled || this.#readBytes < this.file.sizeBytes;
  }

  /** Keeps what belongs to the line, moves it to the front, and reads on behind it. */
  #fill(): boolean {
    const kept = this.#filled - this.start;
    const target = kept === this.buffer.length ? Buffer.allocUnsafe(this.buffer.length * 2) : this.buffer;
    this.buffer.copy(target, 0, this.start, this.#filled);
    this.buffer = target;
    this.start = 0;
    this.end = -1;
    const count = this.file.read(target.subarray(kept), this.#readBytes);
    this.#readBytes += count;
    this.#filled = kept + count;
    return count > 0;
  }
}
