/** What keeps the writes of a server on disk. */
export interface Durability {
  /** Resolves when all writes so far are kept, undefined if they are; rejects when they cannot be. */
  settled(): Promise<void> | undefined;
}
