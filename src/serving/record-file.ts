import { createWriteStream, openSync, type WriteStream } from 'node:fs';
import { fileErrorReason } from '../lib/file-errors.ts';
import { ServeError } from './serve-options.ts';

/** A file of lines that only its owner may read, since secrets are among what clients send. */
export class RecordFile {
  readonly #stream: WriteStream;
  #error: Error | undefined;

  /** @throws ServeError `FileNotWritable` */
  constructor(name: string) {
    try {
      this.#stream = createWriteStream(name, { fd: openSync(name, 'w', 0o600) });
    } catch (error) {
      throw new ServeError('FileNotWritable', `${name}: ${fileErrorReason(error, 'written')}`);
    }
    this.#stream.on('error', (error) => {
      this.#error = new ServeError('FileNotWritable', `${name}: ${fileErrorReason(error, 'written')}`);
    });
  }

  write(line: string): void {
    if (this.#error === undefined) this.#stream.write(`${line}\n`);
  }

  /** @throws ServeError `FileNotWritable`, when a line could not be written */
  async close(): Promise<void> {
    await new Promise<void>((resolve) => {
      if (this.#error === undefined) this.#stream.end(resolve);
      else resolve();
    });
    if (this.#error !== undefined) throw this.#error;
  }
}
