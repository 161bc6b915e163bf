export const PAGE_BYTES = 65_536;
/** 4 GiB, the address space of 32-bit WebAssembly. Reserved address space costs nothing until it is used. */
export const MAX_PAGES = 65_536;
/** 512 MiB, enough for hundreds of thousands of nodes. */
const UNSHARED_PAGES = 8192;
/** 16 MiB. */
const LEAST_PAGES = 256;

/** 1 MiB, enough for a cluster of a hundred nodes; each growth takes as long as a decision. */
const FIRST_PAGES = 16;

/** Memory that several threads can share. It grows in place, so that views of it stay valid. */
export function newSharedMemory(): WebAssembly.Memory {
  return new WebAssembly.Memory({ initial: FIRST_PAGES, maximum: MAX_PAGES, shared: true });
}

/**
 * Memory of one thread, for runtimes without SharedArrayBuffer. Growing it would end all views of it, so it has its
 * full size from the start; pages that are never written cost address space only. Where not even that is to be had,
 * the memory is smaller.
 */
export function newUnsharedMemory(pages = UNSHARED_PAGES): WebAssembly.Memory {
  try {
    return new WebAssembly.Memory({ initial: pages, maximum: MAX_PAGES, shared: false });
  } catch (error) {
    if (!(error instanceof RangeError) || pages <= LEAST_PAGES) throw error;
    return newUnsharedMemory(pages / 2);
  }
}

/** Whether the memory can grow while there are views of it. */
export function growsInPlace({ buffer }: WebAssembly.Memory): boolean {
  // The class has no name of its own where it is switched off, as in most browsers.
  return Object.prototype.toString.call(buffer) === '[object SharedArrayBuffer]';
}
