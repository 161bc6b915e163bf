import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { CodedError } from '../../lib/errors.ts';
import { fileErrorReason } from '../../lib/file-errors.ts';
import type { ReadableFile } from '../../sweep/line-reader.ts';

/** Files beyond this number are opened for each read, since a process may not have many open at once. */
const OPEN_FILES_MAX = 500;

/** Files that are read piece by piece. @throws CodedError `FileNotReadable` */
export function readableFiles(names: readonly string[]): ReadableFile[] {
  return names.map((name, i) => readableFile(name, i < OPEN_FILES_MAX));
}

function readableFile(name: string, staysOpen: boolean): ReadableFile {
  const reading = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw new CodedError('FileNotReadable', `${name}: ${fileErrorReason(error, 'read')}`);
    }
  };
  const file = reading(() => openSync(name, 'r'));
  const sizeBytes = reading(() => fstatSync(file).size);
  if (!staysOpen) closeSync(file);
  const read = (from: number, target: Uint8Array, fromByte: number): number => {
    let count = 0;
    while (count < target.length) {
      const more = readSync(from, target, count, target.length - count, fromByte + count);
      if (more === 0) break;
      count += more;
    }
    return count;
  };
  return {
    ...{ name, sizeBytes },
    read: (target, fromByte) =>
      reading(() => {
        if (staysOpen) return read(file, target, fromByte);
        const again = openSync(name, 'r');
        try {
          return read(again, target, fromByte);
        } finally {
          closeSync(again);
        }
      }),
  };
}
