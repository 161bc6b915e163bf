import type { EventLoop } from '../lib/event-loop.ts';

export interface SettlingModules {
  readonly loop: EventLoop;
  readonly lastChangeMillis: () => number;
  /**
   * `planned`: somebody has announced that he will do something. `expected`: something that runs will end, or a time
   * that is set will come. `nothing`: no more than what retries and timers of controllers may bring.
   */
  readonly outlook: () => 'planned' | 'expected' | 'nothing';
  readonly onSettled: () => void;
}

/** Above every back-off of a controller, a scheduler or an agent, and above what a lost node takes to be given up. */
const QUIET_MILLIS = 15 * 60_000;
/** Whatever runs longer than this without news may run for ever. */
const PATIENCE_MILLIS = 30 * 24 * 3_600_000;

/** Notices when nothing happens any more. One timer, however much happens. */
export class Settling {
  readonly #modules: SettlingModules;

  constructor(modules: SettlingModules) {
    this.#modules = modules;
  }

  start(): void {
    this.#lookAfter(QUIET_MILLIS);
  }

  #lookAfter(delayMillis: number): void {
    this.#modules.loop.after(delayMillis, () => this.#look());
  }

  #look(): void {
    const { loop, lastChangeMillis, outlook, onSettled } = this.#modules;
    const quietMillis = loop.nowMillis() - lastChangeMillis();
    const expects = outlook();
    const limitMillis = expects === 'nothing' ? QUIET_MILLIS : PATIENCE_MILLIS;
    if (expects !== 'planned' && quietMillis >= limitMillis) onSettled();
    else this.#lookAfter(Math.max(QUIET_MILLIS - quietMillis, QUIET_MILLIS / 15));
  }
}
