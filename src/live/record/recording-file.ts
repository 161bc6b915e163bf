import { closeSync, openSync, writeSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { CodedError } from '../../lib/errors.ts';
import { fileErrorReason } from '../../lib/file-errors.ts';

/** Text is compressed in pieces that can each be read without the following ones. */
const PIECE_LENGTH = 1 << 20;

/**
 * A file of lines that grows by whole compressed pieces, so that a process that is killed leaves a file that can be
 * read. Only its owner may read it: objects of a cluster may hold secrets.
 */
export class RecordingFile {
  readonly #name: string;
  readonly #file: number;
  #piece = '';

  /** `mode`: `a` goes on with a file, `w` writes it anew. @throws CodedError `FileNotWritable` */
  constructor(name: string, mode: 'a' | 'w') {
    this.#name = name;
    this.#file = this.#checked(() => openSync(name, mode, 0o600));
  }

  /** @throws CodedError `FileNotWritable` */
  write(line: object): void {
    this.#piece += `${JSON.stringify(line)}\n`;
    if (this.#piece.length >= PIECE_LENGTH) this.flush();
  }

  /** Puts into the file what was written so far. @throws CodedError `FileNotWritable` */
  flush(): void {
    if (this.#piece === '') return;
    const bytes = gzipSync(this.#piece);
    this.#piece = '';
    this.#checked(() => {
      for (let start = 0; start < bytes.length; ) start += writeSync(this.#file, bytes, start);
    });
  }

  /** @throws CodedError `FileNotWritable` */
  close(): void {
    try {
      this.flush();
    } finally {
      closeSync(this.#file);
    }
  }

  #checked<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw new CodedError('FileNotWritable', `${this.#name}: ${fileErrorReason(error, 'written')}`);
    }
  }
}
