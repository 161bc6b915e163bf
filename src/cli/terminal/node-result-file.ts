import { type FileHandle, open, stat } from 'node:fs/promises';
import { CodedError } from '../../lib/errors.ts';
import { errorCode, fileErrorReason } from '../../lib/file-errors.ts';
import type { FoundLine } from '../../sweep/found-rows.ts';
import type { ResultFile } from '../../sweep/result-file.ts';

const LINE_FEED = 0x0a;

/** Opens the file, or creates it. `mustBeNew`: rejects with `FileExists` if the file exists. */
export async function openResultFile(name: string, mustBeNew: boolean): Promise<ResultFile> {
  let handle: FileHandle;
  try {
    // Every write appends to the end, whatever was read before.
    handle = await open(name, mustBeNew ? 'ax+' : 'a+');
  } catch (error) {
    if (errorCode(error) === 'EEXIST') throw await existingError(name);
    const reason = name === '' ? 'the name of an output is empty' : `${name}: ${fileErrorReason(error, 'written')}`;
    throw new CodedError('FileNotWritable', reason);
  }
  if (!(await handle.stat()).isFile()) {
    await handle.close();
    throw new CodedError('FileNotWritable', noFile(name));
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

/** Why a name that there is already cannot be the one of a new file. */
async function existingError(name: string): Promise<CodedError<'FileExists' | 'FileNotWritable'>> {
  const stats = await stat(name).catch(() => undefined);
  if (stats === undefined) return new CodedError('FileNotWritable', `${name}: is a link to a file that does not exist`);
  if (stats.isDirectory()) return new CodedError('FileNotWritable', `${name}: is a directory, not a file`);
  if (!stats.isFile()) return new CodedError('FileNotWritable', noFile(name));
  return new CodedError('FileExists', `${name}: exists already; --resume goes on with it`);
}

function noFile(name: string): string {
  return `${name}: is a device or a pipe, and --resume needs a file`;
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
