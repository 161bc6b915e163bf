import type { FoundLine } from './found-rows.ts';

/** The open result file of a sweep; the commands make one on the disk. */
export interface ResultFile {
  /** The lines of the file, from the beginning. */
  lines(): AsyncIterable<FoundLine>;
  /** Truncates the file to this many bytes. */
  truncate(bytes: number): Promise<void>;
  /** Resolves when the text is on the disk. */
  append(text: string): Promise<void>;
  close(): Promise<void>;
}
