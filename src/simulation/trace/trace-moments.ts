import type { Moment, TraceEvent } from './cluster-trace.ts';

/** Changes that are further apart than this are not put together, although no decision lies between them. */
const TOGETHER_MILLIS = 50;

/**
 * Puts together the changes between two decisions of the cluster's scheduler, so that a scheduler that is faster does
 * not decide between them either. `attemptOf` says of each event whose attempt it is the trace of.
 */
export function momentsOf(
  events: readonly TraceEvent[],
  attemptOf: (event: TraceEvent) => string | undefined,
): Moment[] {
  const moments: Moment[] = [];
  let open: TraceEvent[] = [];
  const close = (): void => {
    const last = open.at(-1);
    if (last !== undefined) moments.push({ atMillis: last.atMillis, events: open });
    open = [];
  };
  for (const event of events) {
    const attempt = attemptOf(event);
    if (attempt !== undefined) {
      close();
      moments.push({ atMillis: event.atMillis, attempt, events: [event] });
      continue;
    }
    if (event.atMillis - (open[0]?.atMillis ?? event.atMillis) > TOGETHER_MILLIS) close();
    open.push(event);
  }
  close();
  return moments;
}
