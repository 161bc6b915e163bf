import type { EventLoop, Timer } from '../../lib/event-loop.ts';

export interface Ticker {
  /** Whether it has ended. Throws the error of a tick, which ends the ticker. */
  isOver(): boolean;
  stop(): void;
}

/** Calls `tick` at regular intervals, first after one interval, until it is stopped or `tick` returns `over`. */
export function startTicker(loop: EventLoop, intervalMillis: number, tick: () => 'again' | 'over'): Ticker {
  let nextMillis = loop.nowMillis();
  let timer: Timer | undefined;
  let failure: { readonly error: unknown } | undefined;
  // A late tick does not delay the following ones.
  const schedule = (): void => {
    nextMillis += intervalMillis;
    timer = loop.after(nextMillis - loop.nowMillis(), () => {
      try {
        if (tick() === 'over') timer = undefined;
        else schedule();
      } catch (error) {
        failure = { error };
        timer = undefined;
      }
    });
  };
  schedule();
  return {
    isOver() {
      if (failure !== undefined) throw failure.error;
      return timer === undefined;
    },
    stop() {
      timer?.cancel();
      timer = undefined;
    },
  };
}
