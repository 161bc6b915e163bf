import type { FoundLine } from './sweep-lines.ts';

/** The file that a sweep writes, open; the commands make one on the disk. */
export interface ResultFile {
  /** What is in it, from the beginning. */
  lines(): AsyncIterable<FoundLine>;
  /** Cuts it off behind so many bytes. */
  truncate(bytes: number): Promise<void>;
  /** Resolves when the text is on the disk. */
  append(text: string): Promise<void>;
  close(): Promise<void>;
}
