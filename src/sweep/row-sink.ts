/** Where finished tables are written. */
export interface ByteSink {
  write(content: string | Uint8Array): void;
  close(): void;
}

/** Takes rows in order, as JSON lines without their line feeds. */
export interface RowSink {
  append(lines: readonly string[]): void;
  /** Completes the table. */
  close(): void;
}
