import { goLog } from '../../lib/go-log.ts';
import type { SharedMemory } from '../../memory/shared-memory.ts';

/** The logarithms of 2, 3, 4, ... as upstream computes them, for kernels that score by numbers of domains. */
export class Logarithms {
  readonly #memory: SharedMemory;
  #values: Float64Array<SharedArrayBuffer> | null = null;

  constructor(memory: SharedMemory) {
    this.#memory = memory;
  }

  /** Returns the address of the logarithms for up to so many domains, which stand at the numbers of domains. */
  upTo(domains: number): number {
    const known = this.#values;
    if (known !== null && known.length > domains) return known.byteOffset;
    const length = Math.max(domains + 1, (known?.length ?? 0) * 2);
    const pointer = this.#memory.allocate(length * Float64Array.BYTES_PER_ELEMENT, 'logarithms');
    const values = new Float64Array(this.#memory.memory.buffer, pointer, length);
    for (let i = 0; i < length; i++) values[i] = goLog(i + 2);
    if (known !== null) this.#memory.free(known.byteOffset, known.byteLength);
    this.#values = values;
    return pointer;
  }
}
