import type { EventRecorder } from '../../../src/client/events/event-recorder.ts';
import type { Observation } from './job-case.ts';

interface RecordedEvent {
  readonly type: string;
  readonly reason: string;
  readonly message: string;
}

/** Events about pods; those about the Job itself are recorded apart. */
const POD_REASONS = new Set(['SuccessfulCreate', 'FailedCreate', 'SuccessfulDelete', 'FailedDelete']);
const POD_EVENTS_MAX = 40;

export class JobEvents implements EventRecorder {
  #events: RecordedEvent[] = [];

  event(_subject: object, type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.#events.push({ type, reason, message });
  }

  /** What came since the last time. */
  take(): Observation {
    const events = this.#events;
    this.#events = [];
    const podEvents = events.filter(({ reason }) => POD_REASONS.has(reason));
    const others = events.filter(({ reason }) => !POD_REASONS.has(reason));
    const areMany = podEvents.length > POD_EVENTS_MAX;
    const shown = folded([...(areMany ? [] : podEvents.toSorted(byReasonAndMessage)), ...others]);
    return {
      ...(areMany && { podEventsCount: podEvents.length }),
      ...(shown.length > 0 && { events: shown }),
    };
  }
}

function byReasonAndMessage(a: RecordedEvent, b: RecordedEvent): number {
  const [left, right] = [`${a.reason} ${a.message}`, `${b.reason} ${b.message}`];
  return left === right ? 0 : left < right ? -1 : 1;
}

/** Equal events as one, with their number. */
function folded(events: readonly RecordedEvent[]): object[] {
  const counts = new Map<string, { event: RecordedEvent; count: number }>();
  for (const event of events) {
    const id = JSON.stringify(event);
    const known = counts.get(id);
    if (known === undefined) counts.set(id, { event, count: 1 });
    else known.count++;
  }
  return [...counts.values()].map(({ event, count }) => (count > 1 ? { ...event, count } : event));
}
