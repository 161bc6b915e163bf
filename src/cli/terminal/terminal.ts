import type { MemoryMeter } from '../../benchmark/memory-meter.ts';
import type { FileSource } from '../../manifests/file-source.ts';
import type { ResultFile } from '../../sweep/result-file.ts';

/** Everything that a command may touch of the outside world; tests hand in their own. */
export interface Terminal {
  /** Writes results; waits where the reader is slower. Rejects with `OutputClosed` when nobody reads any more. */
  print(text: string): Promise<void>;
  /** One line for a human, on standard error. */
  tell(line: string): void;
  /** Whether standard error is a terminal, so that progress may be drawn on it. */
  readonly drawsProgress: boolean;
  readonly files: FileSource;
  /** Makes the file anew. Throws `FileNotWritable`. */
  createFile(name: string): OutputFile;
  /** Opens a file for results. Rejects with `FileNotWritable`; with `FileExists` when it is there but `mustBeNew`. */
  openResultFile(name: string, mustBeNew: boolean): Promise<ResultFile>;
  /** Calls back for Ctrl-C, which does not end the process meanwhile. Returns how to stop that. */
  onInterrupt(listener: () => void): () => void;
  readonly heap: MemoryMeter;
}

/** Written from beginning to end, without waiting: decisions do not return to the event loop. */
export interface OutputFile {
  /** Throws `FileNotWritable`. */
  write(content: string | Uint8Array): void;
  close(): void;
}

/** The reader of our output has gone (`| head`): there is nothing left to do, and nothing to complain of. */
export class OutputClosed extends Error {
  override readonly name = 'OutputClosed';
}
