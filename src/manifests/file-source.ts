/** The limit of files that are held in memory at once. */
export const FILE_MAX_BYTES = 512 * 2 ** 20;

/** The source of files. Only the commands read the disk; tests pass text. */
export interface FileSource {
  /**
   * The bytes of a file; `-` is standard input.
   *
   * @throws CodedError `FileNotReadable`, or `FileTooLarge` when there are more than `maxBytes`
   */
  read(name: string, maxBytes: number): Promise<Uint8Array>;
  /**
   * Opens a file to be read in chunks, of any size. Absent: the source has its files in memory.
   *
   * @throws CodedError `FileNotReadable`, also while chunks are read
   */
  open?(name: string): Promise<OpenFile>;
}

/** A file that is read piece by piece. */
export interface OpenFile {
  /** Null when it is not known before the end. */
  readonly sizeBytes: number | null;
  /** Each chunk is valid until the next one is asked for. */
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** The name of a file in messages. */
export function shownName(name: string): string {
  return name === '-' ? 'stdin' : name;
}
