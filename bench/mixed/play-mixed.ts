import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { RealClock } from '../../src/lib/clock.ts';
import { differences } from '../../test/parity/differences.ts';
import { type NewScheduler, playScript } from '../../test/parity/script/play-script.ts';
import type { ScriptCase } from '../../test/parity/script/script-case.ts';

/** How fast the scripts of a file are decided, each by a fresh scheduler. */
export interface MixedRate {
  readonly scripts: number;
  /** The attempts that were asked; pods that are on a node already are not. */
  readonly decisions: number;
  /** Decisions per second of the first round, in which the code is not compiled yet. */
  readonly coldPerSecond: number;
  /** The median of the rounds after it. */
  readonly perSecond: number;
}

export interface MixedOptions {
  /** Rounds after the first. */
  readonly rounds: number;
  /** Makes each script's scheduler. */
  readonly newScheduler: NewScheduler;
}

const CLOCK = new RealClock();

/** The lines of a gzip NDJSON file, one script each. */
export function readScripts(path: string): string[] {
  return gunzipSync(readFileSync(path))
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '');
}

/**
 * Plays the scripts in several rounds, and checks every answer of each. Every round parses them anew, so that nothing
 * that is kept for an object speeds up the next round. Only playing is timed.
 */
export function playMixed(lines: readonly string[], { rounds, newScheduler }: MixedOptions): MixedRate {
  const seconds: number[] = [];
  let decisions = 0;
  for (let round = 0; round <= rounds; round++) {
    let millis = 0;
    decisions = 0;
    for (const line of lines) {
      const script = JSON.parse(line) as ScriptCase;
      const start = CLOCK.nowMillis();
      const answers = playScript(script, { newScheduler });
      millis += CLOCK.nowMillis() - start;
      const expected = script.events.flatMap((event) => (event.t === 'schedule' ? [event.expect] : []));
      const [found] = differences(`${script.name}: attempt `, expected, answers);
      if (found !== undefined) {
        const { field, expected: wanted, got } = found;
        throw new Error(`${field}: expected ${JSON.stringify(wanted)}, got ${JSON.stringify(got)}`);
      }
      decisions += expected.filter((answer) => !('skipped' in answer)).length;
    }
    seconds.push(millis / 1000);
  }
  const [cold = 0, ...warm] = seconds;
  warm.sort((a, b) => a - b);
  const perSecond = decisions / (warm[warm.length >> 1] ?? cold);
  return { scripts: lines.length, decisions, coldPerSecond: decisions / cold, perSecond };
}
