import { decompressed } from '../../manifests/decompress.ts';
import { megabytes } from '../../manifests/source-document.ts';
import { notARecording } from '../../recording/read-lines.ts';
import type { ReadUserTrace } from '../workload/user-trace.ts';
import { checkMsgpack } from './check-msgpack.ts';
import { readSimkubeFile } from './simkube-file.ts';
import { userChanges } from './user-changes.ts';

const FILE_MAX_BYTES = 256 * 2 ** 20;

/**
 * Reads a trace that SimKube has exported, compressed or not: what users did with their objects, and not what became of
 * them. Undefined for a file of another format.
 *
 * @throws CodedError `NotARecording` with file, field and reason; `InvalidSyntax`; `InvalidObject`
 */
export const readSimkubeTrace: ReadUserTrace = async (bytes, file, known) => {
  if (!(await beginsAsMsgpack(bytes, file))) return undefined;
  const whole = await wholeOf(bytes, file);
  checkMsgpack(whole, file);
  // The package is loaded only when there is such a trace.
  const { decode } = await import('@msgpack/msgpack');
  let decoded: unknown;
  try {
    // Keys of version 2 may be lists.
    decoded = decode(whole, { mapKeyConverter: (key) => (typeof key === 'string' ? key : JSON.stringify(key)) });
  } catch (error) {
    throw notARecording(file, `is no MessagePack: ${error instanceof Error ? error.message.split('\n', 1)[0] : error}`);
  }
  return userChanges(readSimkubeFile(decoded, file), file, known);
};

/** Whether the first byte is that of a map or a list, with which no text begins that is JSON. */
async function beginsAsMsgpack(bytes: Uint8Array, file: string): Promise<boolean> {
  for await (const chunk of decompressed(oneChunk(bytes), file, { mayBeCutOff: true })) {
    const [first] = chunk;
    if (first !== undefined) return (first >= 0x80 && first < 0xa0) || (first >= 0xdc && first < 0xe0);
  }
  return false;
}

async function wholeOf(bytes: Uint8Array, file: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let byteLength = 0;
  for await (const chunk of decompressed(oneChunk(bytes), file)) {
    byteLength += chunk.length;
    if (byteLength > FILE_MAX_BYTES) throw notARecording(file, `has more than ${megabytes(FILE_MAX_BYTES)}`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function* oneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
