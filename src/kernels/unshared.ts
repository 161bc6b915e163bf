import { CodedError } from '../lib/errors.ts';

const HEADER_BYTES = 8;
const IMPORT_SECTION = 2;
const MEMORY_IMPORT = 2;
/** Flags of a memory's limits: it has a maximum, and is shared. */
const SHARED_WITH_MAXIMUM = 0b11;
const WITH_MAXIMUM = 0b01;

/**
 * The kernels for memory that is not shared: a copy of the module whose only import is declared without the flag
 * "shared". Everything else means the same on one thread.
 *
 * Runtimes without SharedArrayBuffer, such as pages that are not isolated from other origins, need it.
 */
export function unsharedKernels(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const module = new Uint8Array(bytes);
  const reader = new Reader(module, HEADER_BYTES);
  while (!reader.isAtEnd) {
    const section = reader.byte();
    const size = reader.number();
    if (section !== IMPORT_SECTION) reader.skip(size);
    else return withoutFlag(module, reader);
  }
  throw notKernels();
}

function withoutFlag(module: Uint8Array<ArrayBuffer>, reader: Reader): Uint8Array<ArrayBuffer> {
  const count = reader.number();
  reader.skip(reader.number());
  reader.skip(reader.number());
  const kind = reader.byte();
  const flags = reader.position;
  if (count !== 1 || kind !== MEMORY_IMPORT || module[flags] !== SHARED_WITH_MAXIMUM) throw notKernels();
  module[flags] = WITH_MAXIMUM;
  return module;
}

function notKernels(): CodedError<'Invalid'> {
  return new CodedError('Invalid', 'kernels: these bytes are not a kernel module of Berth');
}

/** Reads the numbers of a WebAssembly module. */
class Reader {
  readonly #bytes: Uint8Array;
  position: number;

  constructor(bytes: Uint8Array, position: number) {
    this.#bytes = bytes;
    this.position = position;
  }

  get isAtEnd(): boolean {
    return this.position >= this.#bytes.length;
  }

  byte(): number {
    return this.#bytes[this.position++] ?? 0;
  }

  /** An unsigned LEB128 number. */
  number(): number {
    for (let value = 0, shift = 1; ; shift *= 128) {
      const byte = this.byte();
      value += (byte & 0x7f) * shift;
      if (byte < 0x80) return value;
    }
  }

  skip(bytes: number): void {
    this.position += bytes;
  }
}
