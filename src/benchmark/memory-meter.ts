/** How much memory is in use; tests hand in a fake. */
export interface MemoryMeter {
  /** Of the JavaScript heap and of typed arrays, after garbage has been collected; not of the kernels' memory. */
  usedBytes(): number;
  /** The heap cannot grow above this. */
  readonly heapLimitBytes: number;
}
