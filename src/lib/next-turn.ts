/** Calls back in a later turn of this thread's event loop: what is queued now, messages above all, goes first. */
export function nextTurn(callback: () => void): void {
  setImmediate(callback);
}
