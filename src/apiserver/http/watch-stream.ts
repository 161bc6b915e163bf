import type { ServerResponse } from 'node:http';
import type { EventLoop } from '../../lib/event-loop.ts';
import type { WatchAnswer } from '../context/context.ts';
import type { Durability } from './durability.ts';
import { EventPresenter, type Presentation } from './present.ts';

/** How long a watch lasts that does not say it itself. */
const TIMEOUT_SECONDS = 1800;

export interface StreamModules {
  readonly timers: EventLoop;
  readonly durability: Durability | undefined;
}

/**
 * Sends the events of a watch as they come, one JSON object a line. While the client does not read, nothing is taken
 * from the source: the history keeps the events, and ends the watch if it falls behind too far.
 */
export function streamEvents(
  { served, source, timeoutSeconds = TIMEOUT_SECONDS }: WatchAnswer,
  presentation: Presentation,
  { timers, durability }: StreamModules,
  response: ServerResponse,
): void {
  const presenter = new EventPresenter(served, presentation, () => presentation.nowMillis);
  response.writeHead(200, { 'Content-Type': 'application/json' });
  response.flushHeaders();
  let isBlocked = false;
  const pump = (): void => {
    while (!isBlocked) {
      const event = source.next();
      if (event === undefined) return;
      isBlocked = !response.write(presenter.line(event));
      if (event.type !== 'ERROR') continue;
      end();
      return;
    }
  };
  const timer = timers.after(timeoutSeconds * 1000, () => end());
  const end = (): void => {
    timer.cancel();
    source.stop();
    response.end();
  };
  // Nobody learns of a write that is not kept; when it cannot be kept, the watch ends.
  const pumpKept = (): void => {
    const settled = durability?.settled();
    if (settled === undefined) pump();
    else settled.then(pump, end);
  };
  response.on('drain', () => {
    isBlocked = false;
    pumpKept();
  });
  response.on('close', () => {
    timer.cancel();
    source.stop();
  });
  // A write wakes the watch in its own middle, so events are taken after it.
  source.onReady(() => timers.soon(pumpKept));
  pump();
}
