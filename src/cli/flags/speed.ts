import { InvalidArgumentError, Option } from 'commander';
import type { Pace } from '../../lib/paced-event-loop.ts';
import { isPace, SPEED_MAX } from '../../serving/serve-options.ts';

/** What a speed must be. */
export const SPEED_RULE = `Expected a number above 0, up to ${SPEED_MAX}, or max, or paused.`;

/** How fast the time of a served cluster passes. */
export function speedOption(): Option {
  const what = 'seconds of the cluster in a second; max: to the next task at once; paused: until berth clock steps it';
  return new Option('--speed <speed>', what)
    .argParser((text) => {
      const pace = paceOf(text);
      if (pace === undefined) throw new InvalidArgumentError(SPEED_RULE);
      return pace;
    })
    .default(1);
}

/** The pace that a text stands for; undefined for a text that is none. */
export function paceOf(text: string): Pace | undefined {
  const speed = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : text;
  return isPace(speed) ? speed : undefined;
}
