import type { TraceEvent } from './cluster-trace.ts';

/** An event as a file has it. */
export interface FoundEvent extends TraceEvent {
  /** The version that the write gave to the object, or that of the list that found the change; '' if unknown. */
  readonly version: string;
}

/**
 * The events in the order in which they happened, with the times at which they can have happened at the latest. Each
 * resource is recorded by a watch of its own, so that the order of lines is not that of the writes; versions are, since
 * one counter numbers the writes to all resources. Nothing can have happened later than a later write was seen.
 */
export function inOrder(found: readonly FoundEvent[]): TraceEvent[] {
  const versions = found.map(({ version }) => Number(version || Number.NaN));
  const isNumbered = versions.every((version) => Number.isSafeInteger(version));
  const order = found.map((_, i) => i);
  if (isNumbered) order.sort((a, b) => (versions[a] as number) - (versions[b] as number) || a - b);
  else order.sort((a, b) => (found[a] as FoundEvent).atMillis - (found[b] as FoundEvent).atMillis || a - b);
  const events: TraceEvent[] = [];
  let latestMillis = Number.POSITIVE_INFINITY;
  for (const i of order.reverse()) {
    const { atMillis, type, resource, object } = found[i] as FoundEvent;
    latestMillis = Math.min(latestMillis, atMillis);
    events.push({ atMillis: latestMillis, type, resource, object });
  }
  return events.reverse();
}
