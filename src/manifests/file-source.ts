/** Where manifests come from. Only the commands touch the disk; tests hand over text. */
export interface FileSource {
  /**
   * The bytes of a file, `-` is standard input.
   *
   * @throws CodedError `FileNotReadable`, or `FileTooLarge` when there are more than `maxBytes`
   */
  read(name: string, maxBytes: number): Promise<Uint8Array>;
}

/** How a file is called in messages. */
export function shownName(name: string): string {
  return name === '-' ? 'stdin' : name;
}
