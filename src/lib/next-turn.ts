/** Calls back in a later turn of this thread's event loop, after everything that is queued now, messages above all. */
export function nextTurn(callback: () => void): void {
  setImmediate(callback);
}
