/**
 * A signal that is aborted by any of these; undefined if there is none. The deadline counts from now. It is rounded up,
 * since timers of the platform take whole milliseconds alone.
 */
export function anyAbort(signal: AbortSignal | undefined, deadlineMillis: number | undefined): AbortSignal | undefined {
  if (deadlineMillis === undefined) return signal;
  const deadline = AbortSignal.timeout(Math.ceil(deadlineMillis));
  return signal === undefined ? deadline : AbortSignal.any([signal, deadline]);
}

/** Whether the signal was aborted by its deadline. */
export function isTimeout({ reason }: AbortSignal): boolean {
  return reason instanceof Error && reason.name === 'TimeoutError';
}
