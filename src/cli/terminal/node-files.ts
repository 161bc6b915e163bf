import { spawn } from 'node:child_process';
import type { Stats } from 'node:fs';
import { open, readdir, readFile, stat } from 'node:fs/promises';
import { CodedError } from '../../lib/errors.ts';
import { errorCode, fileErrorReason } from '../../lib/file-errors.ts';
import { type FileSource, type OpenFile, shownName } from '../../manifests/file-source.ts';

const CHUNK_BYTES = 2 ** 18;
const URL_NAME = /^https?:\/\//i;
/** The beginning of a name that stands for what `kubectl kustomize` makes of a folder. */
const KUSTOMIZE = 'kustomize:';

/** Called with every file on the disk that is opened; it may refuse it. */
type NoteInput = (name: string, stats: Stats) => void;

/** The files of this machine, standard input (`-`), and what URLs and kustomizations give. */
export function nodeFiles(noteInput: NoteInput): FileSource {
  return {
    async read(name, maxBytes) {
      try {
        const { sizeBytes, chunks } = await opened(name, noteInput);
        if (sizeBytes !== null && sizeBytes > maxBytes) throw tooLarge(name, maxBytes);
        // A regular file is read faster as a whole.
        return sizeBytes !== null && sizeBytes > 0 && name !== '-' && !URL_NAME.test(name)
          ? await readFile(name)
          : await readAll(name, chunks, maxBytes);
      } catch (error) {
        throw readError(name, error);
      }
    },
    async open(name) {
      try {
        const { sizeBytes, chunks } = await opened(name, noteInput);
        return { sizeBytes, chunks: guarded(name, chunks) };
      } catch (error) {
        throw readError(name, error);
      }
    },
  };
}

async function opened(name: string, noteInput: NoteInput): Promise<OpenFile> {
  if (name === '-') return { sizeBytes: null, chunks: process.stdin as AsyncIterable<Buffer> };
  if (URL_NAME.test(name)) return fetched(name);
  if (name.startsWith(KUSTOMIZE)) return { sizeBytes: null, chunks: kustomized(name.slice(KUSTOMIZE.length)) };
  const found = await stat(name);
  if (found.isDirectory()) throw Object.assign(new Error('directory'), { code: 'EISDIR' });
  noteInput(name, found);
  return {
    sizeBytes: found.isFile() ? found.size : null,
    chunks: read(name),
  };
}

/**
 * The chunks of a file, in two memories by turns: to touch fresh memory takes longer than to read into it. While one
 * chunk is used, the next is read.
 */
async function* read(name: string): AsyncGenerator<Buffer> {
  const handle = await open(name);
  const begin = (memory: Buffer) => {
    const reading = handle.read(memory);
    // An error is thrown when the chunk is asked for.
    reading.catch(() => {});
    return reading;
  };
  let [memory, other] = [Buffer.allocUnsafeSlow(CHUNK_BYTES), Buffer.allocUnsafeSlow(CHUNK_BYTES)];
  let reading = begin(memory);
  try {
    for (;;) {
      const { bytesRead } = await reading;
      if (bytesRead === 0) return;
      const chunk = memory.subarray(0, bytesRead);
      [memory, other] = [other, memory];
      reading = begin(memory);
      yield chunk;
    }
  } finally {
    await reading.catch(() => {});
    await handle.close();
  }
}

async function fetched(url: string): Promise<OpenFile> {
  let response: Response;
  try {
    response = await fetch(url);
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const reason = errorCode(cause) || (cause instanceof Error ? cause.message : String(cause));
    throw new CodedError('FileNotReadable', `${url}: cannot be read (${reason})`);
  }
  if (!response.ok || response.body === null) {
    await response.body?.cancel();
    throw new CodedError('FileNotReadable', `${url}: the server answered ${response.status} ${response.statusText}`);
  }
  const length = Number(response.headers.get('content-length') ?? Number.NaN);
  const isEncoded = response.headers.has('content-encoding');
  return { sizeBytes: Number.isInteger(length) && !isEncoded ? length : null, chunks: response.body };
}

async function* kustomized(folder: string): AsyncGenerator<Uint8Array> {
  await readdir(folder).catch((error: unknown) => {
    throw readError(folder, error);
  });
  const kubectl = spawn('kubectl', ['kustomize', folder], { stdio: ['ignore', 'pipe', 'pipe'] });
  let complaint = '';
  kubectl.stderr.on('data', (chunk: Buffer) => {
    complaint += chunk.toString('utf8');
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    kubectl.on('error', reject);
    kubectl.on('close', resolve);
  });
  // Without a listener a failed start would end the process before the chunks have been read.
  ended.catch(() => {});
  yield* kubectl.stdout as AsyncIterable<Buffer>;
  const code = await ended.catch((error: unknown) => {
    const reason = errorCode(error) === 'ENOENT' ? 'kubectl is not there' : String(error);
    throw new CodedError('FileNotReadable', `${folder}: cannot be built by kubectl kustomize: ${reason}`);
  });
  if (code === 0) return;
  const reason = complaint.trim() === '' ? `exit code ${code}` : withoutLogHeader(complaint.trim());
  throw new CodedError('FileNotReadable', `${folder}: cannot be built by kubectl kustomize: ${reason}`);
}

/** What kubectl complains of, in one line, without the time and place of its log. */
function withoutLogHeader(complaint: string): string {
  const line = complaint.replace(/\s*\n\s*/g, ' ');
  const quoted = /^E\d{4} \S+ +\d+ \S+\] "command failed" err=("(?:[^"\\]|\\.)*")$/.exec(line)?.[1];
  return quoted === undefined ? line.replace(/^error: /, '') : String(JSON.parse(quoted));
}

async function* guarded(name: string, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks;
  } catch (error) {
    throw readError(name, error);
  }
}

async function readAll(name: string, chunks: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(name, maxBytes);
    all.push(Buffer.from(chunk));
  }
  return Buffer.concat(all);
}

function readError(name: string, error: unknown): unknown {
  if (error instanceof CodedError) return error;
  return new CodedError('FileNotReadable', `${shownName(name)}: ${fileErrorReason(error, 'read')}`);
}

function tooLarge(name: string, maxBytes: number): CodedError<'FileTooLarge'> {
  const limit = `${Math.floor(maxBytes / 2 ** 20)} MiB`;
  return new CodedError('FileTooLarge', `${shownName(name)}: is larger than ${limit}, the limit of one input`);
}
