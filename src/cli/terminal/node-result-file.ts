import { type FileHandle, open } from 'node:fs/promises';
import { CodedError } from '../../lib/errors.ts';
import type { ResultFile } from '../../sweep/result-file.ts';
import type { FoundLine } from '../../sweep/sweep-lines.ts';
import { errorCode, fileErrorReason } from './file-errors.ts';

const LINE_FEED = 0x0a;

/** Opens the file, or creates it. `mustBeNew`: rejects with `FileExists` if the file exists. */
export async function openResultFile(name: string, mustBeNew: boolean): Promise<ResultFile> {
  let handle: FileHandle;
  try {
    // Every write appends to the end, whatever was read before.
    handle = await open(name, mustBeNew ? 'ax+' : 'a+');
  } catch (error) {
    if (errorCode(error) === 'EEXIST') {
      throw new CodedError('FileExists', `${name}: exists already; --resume goes on with it`);
    }
    throw new CodedError('FileNotWritable', `${name}: ${fileErrorReason(error, 'written')}`);
  }
  return {
    lines: () => readLines(handle),
    truncate: (bytes) => handle.truncate(bytes),
    async append(text) {
      try {
        await handle.appendFile(text);
        await handle.datasync();
      } catch (error) {
        throw new CodedError('FileNotWritable', `${name}: ${fileErrorReason(error, 'written')}`);
      }
    },
    close: () => handle.close(),
  };
}

async function* readLines(handle: FileHandle): AsyncGenerator<FoundLine> {
  let rest: Buffer = Buffer.alloc(0);
  let start = 0;
  for await (const chunk of handle.createReadStream({ start: 0, autoClose: false }) as AsyncIterable<Buffer>) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let from = 0;
    for (let to = bytes.indexOf(LINE_FEED); to >= 0; to = bytes.indexOf(LINE_FEED, from)) {
      yield { text: bytes.toString('utf8', from, to), isWhole: true, endByte: start + to + 1 };
      from = to + 1;
    }
    rest = bytes.subarray(from);
    start += from;
  }
  if (rest.length > 0) yield { text: rest.toString('utf8'), isWhole: false, endByte: start + rest.length };
}
