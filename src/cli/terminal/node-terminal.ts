import { closeSync, openSync, writeFileSync } from 'node:fs';
import { getHeapStatistics } from 'node:v8';
import { CodedError } from '../../lib/errors.ts';
import { errorCode, fileErrorReason } from './file-errors.ts';
import { findFiles } from './find-files.ts';
import { heapMeter } from './heap-meter.ts';
import { nodeFiles } from './node-files.ts';
import { openResultFile } from './node-result-file.ts';
import { OutputClosed, type OutputFile, type Terminal } from './terminal.ts';

/** The terminal of this process. */
export function nodeTerminal(): Terminal {
  // A broken pipe is also reported as an event; without a listener, it would end the process with a stack trace.
  process.stdout.on('error', () => {});
  return {
    print: (text) =>
      new Promise((resolve, reject) => {
        process.stdout.write(text, (error) => {
          if (error === null || error === undefined) resolve();
          else reject(errorCode(error) === 'EPIPE' ? new OutputClosed() : error);
        });
      }),
    log: (line) => {
      process.stderr.write(`${line}\n`);
    },
    drawsProgress: process.stderr.isTTY === true,
    columns: process.stdout.isTTY === true ? process.stdout.columns : undefined,
    files: nodeFiles,
    findFiles,
    createFile,
    openResultFile,
    onInterrupt(listener) {
      process.on('SIGINT', listener);
      return () => process.off('SIGINT', listener);
    },
    heap: heapMeter(),
    roughHeapBytes: () => getHeapStatistics().used_heap_size,
  };
}

function createFile(name: string): OutputFile {
  const writing = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw new CodedError('FileNotWritable', `${name}: ${fileErrorReason(error, 'written')}`);
    }
  };
  const file = writing(() => openSync(name, 'w'));
  return {
    // The whole text is written, however many system calls that takes.
    write: (content) => writing(() => writeFileSync(file, content)),
    close: () => writing(() => closeSync(file)),
  };
}
