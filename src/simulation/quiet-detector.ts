import { afterPeriod, type EventLoop } from '../lib/event-loop.ts';

export interface QuietDetectorModules {
  readonly loop: EventLoop;
  readonly lastChangeMillis: () => number;
  /**
   * `planned`: an arrival or a fault is still to come. `expected`: something that runs will end, or a set time will
   * come. `nothing`: only retries and timers of controllers remain.
   */
  readonly outlook: () => 'planned' | 'expected' | 'nothing';
  /** `quietText`: how long nothing has changed. */
  readonly onQuiet: (quietText: string) => void;
}

/**
 * A time that is longer than every back-off of a controller, a scheduler or an agent, and longer than it takes to give
 * up a lost node.
 */
const QUIET_MILLIS = 15 * 60_000;
/** How long after a look that found nothing new the next one comes. */
const LOOK_MILLIS = QUIET_MILLIS / 15;
/** Something that runs longer than this without any change may run for ever. */
const PATIENCE_MILLIS = 30 * 24 * 3_600_000;

/** Calls `onQuiet` when nothing happens any more. There is one timer, however much happens. */
export function detectQuiet({ loop, lastChangeMillis, outlook, onQuiet }: QuietDetectorModules): void {
  const look = (): void => {
    const quietMillis = loop.nowMillis() - lastChangeMillis();
    const expects = outlook();
    const limitMillis = expects === 'nothing' ? QUIET_MILLIS : PATIENCE_MILLIS;
    if (expects !== 'planned' && quietMillis >= limitMillis) onQuiet(expects === 'nothing' ? '15m' : '30 days');
    else if (quietMillis < QUIET_MILLIS - LOOK_MILLIS) loop.after(QUIET_MILLIS - quietMillis, look);
    else {
      const changedMillis = lastChangeMillis();
      const isIdle = (): boolean => outlook() === 'planned' && lastChangeMillis() === changedMillis;
      afterPeriod(loop, look, { periodMillis: LOOK_MILLIS, isIdle });
    }
  };
  loop.after(QUIET_MILLIS, look);
}
