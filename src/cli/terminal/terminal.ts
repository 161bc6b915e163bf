import type { MemoryMeter } from '../../benchmark/memory-meter.ts';
import type { FileSource } from '../../manifests/file-source.ts';
import type { ResultFile } from '../../sweep/result-file.ts';
import type { UrlObjects } from './url-objects.ts';

/** The signals by which users, and machines, end a command. */
export type InterruptSignal = 'SIGINT' | 'SIGTERM';

/** The outside world as a command sees it; tests pass their own. */
export interface Terminal {
  /** Writes results, and waits if the reader is slower. Rejects with `OutputClosed` when the reader has gone. */
  print(text: string): Promise<void>;
  /** Writes one line for people to standard error. */
  log(line: string): void;
  /** Whether standard error is a terminal, so that progress may be drawn on it. */
  readonly drawsProgress: boolean;
  /** Where no progress is drawn: the time after which, again and again, a line reports it. */
  readonly progressLineMillis: number;
  /** The columns of standard output, if that is a terminal. */
  readonly columns: number | undefined;
  readonly files: FileSource;
  /**
   * The files that a name stands for: itself, the manifests of a folder (with `isRecursive` also of those inside), what
   * a pattern matches. Rejects with `FileNotReadable`.
   */
  findFiles(name: string, isRecursive: boolean): Promise<string[]>;
  /**
   * Creates the file, or replaces it when it is closed. Throws `FileNotWritable`, `OutputIsInput`, or `OutputTwice`.
   */
  createFile(name: string): OutputFile;
  /** Creates a folder, and those around it, unless it is there. Throws `FileNotWritable`. */
  createFolder(name: string): void;
  /** Notes a file that others write. Throws `OutputIsInput`, or `OutputTwice`. */
  noteOutput(name: string): void;
  /** Removes the files that were created and never closed. */
  discardUnfinished(): void;
  /**
   * Opens a file for results. Rejects with `FileNotWritable`, or with `FileExists` when it exists although it must be
   * new.
   */
  openResultFile(name: string, mustBeNew: boolean): Promise<ResultFile>;
  /** Objects under URLs. */
  readonly objects: UrlObjects;
  /** Calls back once, on Ctrl-C or SIGTERM, which then does not end the process. Returns a function that stops this. */
  onInterrupt(listener: () => void): () => void;
  /** Asks a person a question; absent where there is none. */
  ask?(question: string): Promise<string>;
  /** The first signal that a listener of `onInterrupt` was called for. */
  readonly interruptedBy: InterruptSignal | undefined;
  readonly heap: MemoryMeter;
  /** Collects all garbage. V8 then also discards code that it compiled for objects that are gone. */
  collectGarbage(): void;
  /** Collects young garbage, and makes old what is still used of it. */
  collectYoungGarbage(): void;
  /** The bytes of the JavaScript heap in use, garbage included; it takes no time. */
  roughHeapBytes(): number;
}

/** A file that is written from beginning to end, synchronously, since decisions do not return to the event loop. */
export interface OutputFile {
  /** Throws `FileNotWritable`. */
  write(content: string | Uint8Array): void;
  close(): void;
}

/** The reader of the output has gone (`| head`), so there is nothing left to do, and nothing to report. */
export class OutputClosed extends Error {
  override readonly name = 'OutputClosed';
}
