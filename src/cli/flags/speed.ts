import { InvalidArgumentError, Option } from 'commander';
import type { Pace } from '../../lib/paced-event-loop.ts';
import { isPace, SPEED_MAX } from '../../serving/serve-options.ts';

/** How fast the time of a served cluster passes. */
export function speedOption(): Option {
  const what = 'seconds of the cluster in a second; max: to the next task at once; paused: until berth clock steps it';
  return new Option('--speed <speed>', what).argParser(speedOf).default(1);
}

/** @throws InvalidArgumentError */
function speedOf(text: string): Pace {
  const speed = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : text;
  if (isPace(speed)) return speed;
  throw new InvalidArgumentError(`Expected a number above 0, up to ${SPEED_MAX}, or max, or paused.`);
}
