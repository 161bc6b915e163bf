const FIRST_BYTES = 64 * 2 ** 10;

/**
 * The part of a stream of bytes that is still needed. Chunks are added at the end, and what was used is released at the
 * beginning. However small the chunks are, a byte is copied a few times at most.
 */
export class ByteWindow {
  #bytes = Buffer.allocUnsafe(FIRST_BYTES);
  #start = 0;
  #end = 0;
  /** The place in the stream of the first byte of the memory. */
  #base = 0;

  /** The memory of the window. It is valid until the next `append`. */
  get bytes(): Buffer {
    return this.#bytes;
  }

  get start(): number {
    return this.#start;
  }

  get end(): number {
    return this.#end;
  }

  /** The place in the stream of an index. */
  offsetOf(index: number): number {
    return this.#base + index;
  }

  /** Adds a chunk. Returns the number by which all indexes have become smaller. */
  append(chunk: Uint8Array): number {
    const length = this.#end - this.#start;
    const moved = this.#end + chunk.length <= this.#bytes.length ? 0 : this.#makeRoom(length, length + chunk.length);
    this.#bytes.set(chunk, this.#end);
    this.#end += chunk.length;
    return moved;
  }

  /** Releases the bytes before an index. */
  release(index: number): void {
    this.#start = index;
  }

  #makeRoom(length: number, needed: number): number {
    // Moving down into a memory of twice the size or more pays for itself; otherwise bytes would move again and again.
    const bytes = needed * 2 <= this.#bytes.length ? this.#bytes : Buffer.allocUnsafe(needed * 2);
    this.#bytes.copy(bytes, 0, this.#start, this.#end);
    const moved = this.#start;
    this.#bytes = bytes;
    this.#base += moved;
    this.#start = 0;
    this.#end = length;
    return moved;
  }
}
