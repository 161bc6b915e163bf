const NEWLINE = 0x0a;

/** Cuts a stream of bytes into lines, however the chunks fall. */
export class LineSplitter {
  /** The chunks of a line whose end has not come. */
  #open: Buffer[] = [];

  /** Returns the lines that end in the chunk, without their line ends; empty ones are left out. */
  push(chunk: Buffer): string[] {
    const lines: string[] = [];
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      const piece = chunk.subarray(start, end);
      start = end + 1;
      const line = this.#open.length === 0 ? piece.toString() : Buffer.concat([...this.#open, piece]).toString();
      this.#open = [];
      if (line !== '') lines.push(line);
    }
    if (start < chunk.length) this.#open.push(chunk.subarray(start));
    return lines;
  }
}
