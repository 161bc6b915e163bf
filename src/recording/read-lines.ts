import { CodedError } from '../lib/errors.ts';
import { LineSplitter } from '../lib/line-splitter.ts';
import { decompressed } from '../manifests/decompress.ts';
import { RECORDING_FORMAT, RECORDING_VERSION, type RecordedLine, type RecordingHeader } from './recording-lines.ts';

/**
 * The lines of a file of JSON, compressed or not. A program that writes such a file may be killed, so its last line may
 * be cut off, and is left out then; `mayBeCutOff`: its compressed data may be, too.
 *
 * @throws CodedError `NotARecording` with file and line; `InvalidSyntax` for damaged data
 */
export async function* jsonLines(
  chunks: AsyncIterable<Uint8Array>,
  file: string,
  mayBeCutOff: boolean,
): AsyncGenerator<unknown> {
  const lines = new LineSplitter();
  let number = 0;
  for await (const chunk of decompressed(chunks, file, { mayBeCutOff })) {
    for (const line of lines.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength))) {
      number++;
      try {
        yield JSON.parse(line);
      } catch {
        throw notARecording(file, `line ${number} is not JSON`);
      }
    }
  }
}

/** Whether a first line is that of a recording. @throws CodedError `NotARecording` for one of another version */
export function isHeader(line: unknown, file: string): line is RecordingHeader {
  const { format, version } = (line ?? {}) as Partial<Record<'format' | 'version', unknown>>;
  if (format !== RECORDING_FORMAT) return false;
  if (version === RECORDING_VERSION) return true;
  throw notARecording(file, `has version ${version}, not ${RECORDING_VERSION}`);
}

/**
 * The lines of a recording; none of a file that is empty.
 *
 * @throws CodedError `NotARecording`; `InvalidSyntax` for damaged data
 */
export async function* recordedLines(
  chunks: AsyncIterable<Uint8Array>,
  file: string,
  mayBeCutOff: boolean,
): AsyncGenerator<RecordingHeader | RecordedLine> {
  let isFirst = true;
  for await (const line of jsonLines(chunks, file, mayBeCutOff)) {
    if (isFirst && !isHeader(line, file)) throw notARecording(file, 'was not written by berth record');
    isFirst = false;
    yield line as RecordingHeader | RecordedLine;
  }
}

export function notARecording(file: string, reason: string): CodedError<'NotARecording'> {
  return new CodedError('NotARecording', `${file}: ${reason}`);
}
