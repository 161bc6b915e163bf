import { closeSync, openSync, writeFileSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { CodedError } from '../../lib/errors.ts';
import { type FileSource, shownName } from '../../manifests/file-source.ts';
import { errorCode, fileErrorReason } from './file-errors.ts';
import { heapMeter } from './heap-meter.ts';
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
    files: nodeFiles,
    createFile,
    openResultFile,
    onInterrupt(listener) {
      process.on('SIGINT', listener);
      return () => process.off('SIGINT', listener);
    },
    heap: heapMeter(),
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

const nodeFiles: FileSource = {
  async read(name, maxBytes) {
    try {
      if (name === '-') return await readStdin(maxBytes);
      const { size } = await stat(name);
      if (size > maxBytes) throw tooLarge(name, maxBytes);
      return await readFile(name);
    } catch (error) {
      if (error instanceof CodedError) throw error;
      throw new CodedError('FileNotReadable', `${shownName(name)}: ${fileErrorReason(error, 'read')}`);
    }
  },
};

async function readStdin(maxBytes: number): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge('-', maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function tooLarge(name: string, maxBytes: number): CodedError<'FileTooLarge'> {
  const limit = `${Math.floor(maxBytes / 2 ** 20)} MiB`;
  return new CodedError('FileTooLarge', `${shownName(name)}: is larger than ${limit}, the limit of one input`);
}
