/**
 * Somebody has read or written what is not theirs in the kernels' memory. No coded error: nobody may take it for an
 * answer.
 */
export class MemoryFault extends Error {
  override readonly name = 'MemoryFault';
}
