import { whole } from '../../lib/shown-count.ts';
import { DEPTH_MAX } from '../../manifests/value-shape.ts';
import { notARecording } from '../../recording/read-lines.ts';

/** More values might not fit into the memory of a process as objects. */
const VALUES_MAX = 20_000_000;

/**
 * Checks data in MessagePack before they are decoded: a decoder makes room for as many items as a list says that it
 * has, so a few bytes could ask for more memory than there is. Only values that JSON has are let through.
 *
 * @throws CodedError `NotARecording` for data that are cut off, too deep, too many, or followed by others
 */
export function checkMsgpack(bytes: Uint8Array, file: string, valuesMax = VALUES_MAX): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  /** How many values each open list or map still lacks. */
  const lacking: number[] = [];
  /** How many values are lacking as a whole: each has at least one byte. */
  let due = 1;
  let at = 0;
  for (let count = 0; due > 0; count++) {
    if (at + due > bytes.length) throw notARecording(file, `is cut off: byte ${bytes.length} is not the last one`);
    if (count === valuesMax) throw notARecording(file, `holds more than ${whole(valuesMax)} values`);
    const header = headerAt(view, at);
    if (header === undefined) throw notARecording(file, `byte ${at} begins no value that a trace may have`);
    at += header.byteLength;
    due += header.itemCount - 1;
    if (lacking.length > 0) lacking[lacking.length - 1] = (lacking.at(-1) as number) - 1;
    if (header.itemCount > 0) lacking.push(header.itemCount);
    if (lacking.length > DEPTH_MAX) throw notARecording(file, 'is nested too deeply');
    while (lacking.at(-1) === 0) lacking.pop();
  }
  if (at > bytes.length) throw notARecording(file, `is cut off: byte ${bytes.length} is not the last one`);
  if (at < bytes.length) throw notARecording(file, `goes on behind its end, which is at byte ${at}`);
}

/** How many bytes a value takes without its items, and how many items follow; keys of a map are items. */
interface Header {
  readonly byteLength: number;
  readonly itemCount: number;
}

/** The bytes behind the first one, from nil (0xc0) to int 64 (0xd3); -1: no value, or one that JSON has not. */
const PLAIN_BYTES = [0, -1, 0, 0, -1, -1, -1, -1, -1, -1, 4, 8, 1, 2, 4, 8, 1, 2, 4, 8];

/** The header of the value at this byte; undefined for one that JSON has not. */
function headerAt(view: DataView, at: number): Header | undefined {
  const first = view.getUint8(at);
  if (first < 0x80 || first >= 0xe0) return { byteLength: 1, itemCount: 0 };
  if (first < 0x90) return { byteLength: 1, itemCount: (first & 0xf) * 2 };
  if (first < 0xa0) return { byteLength: 1, itemCount: first & 0xf };
  if (first < 0xc0) return { byteLength: 1 + (first & 0x1f), itemCount: 0 };
  const plain = PLAIN_BYTES[first - 0xc0];
  if (plain !== undefined) return plain < 0 ? undefined : { byteLength: 1 + plain, itemCount: 0 };
  if (first < 0xd9) return undefined;
  if (first < 0xdc) {
    const lengthBytes = 1 << (first - 0xd9);
    return { byteLength: 1 + lengthBytes + lengthAt(view, at + 1, lengthBytes), itemCount: 0 };
  }
  const lengthBytes = first % 2 === 0 ? 2 : 4;
  const length = lengthAt(view, at + 1, lengthBytes);
  return { byteLength: 1 + lengthBytes, itemCount: first < 0xde ? length : length * 2 };
}

/** The length in so many bytes; 0 where these are cut off, so that the value ends behind the data. */
function lengthAt(view: DataView, at: number, lengthBytes: number): number {
  if (at + lengthBytes > view.byteLength) return 0;
  if (lengthBytes === 1) return view.getUint8(at);
  return lengthBytes === 2 ? view.getUint16(at) : view.getUint32(at);
}
