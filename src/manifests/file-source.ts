/** The source of files. Only the commands read the disk; tests pass text. */
export interface FileSource {
  /**
   * The bytes of a file; `-` is standard input.
   *
   * @throws CodedError `FileNotReadable`, or `FileTooLarge` when there are more than `maxBytes`
   */
  read(name: string, maxBytes: number): Promise<Uint8Array>;
}

/** The name of a file in messages. */
export function shownName(name: string): string {
  return name === '-' ? 'stdin' : name;
}
