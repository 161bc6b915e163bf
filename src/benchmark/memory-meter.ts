/** Measures memory use; tests pass a fake. */
export interface MemoryMeter {
  /**
   * The bytes of the JavaScript heap and of typed arrays in use after a garbage collection, without the kernels'
   * memory.
   */
  usedBytes(): number;
  /** The limit of the heap. */
  readonly heapLimitBytes: number;
}
