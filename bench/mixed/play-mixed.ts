import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { isSettled } from '../../src/benchmark/warm-up.ts';
import { collectYoungGarbage } from '../../src/cli/terminal/garbage-collection.ts';
import type { Scheduler } from '../../src/index.ts';
import { RealClock } from '../../src/lib/clock.ts';
import { differences } from '../../test/parity/differences.ts';
import {
  applyChange,
  asAnswer,
  type NewScheduler,
  scriptOptions,
  validated,
} from '../../test/parity/script/play-script.ts';
import type { Answer, ScriptCase, ScriptEvent } from '../../test/parity/script/script-case.ts';
import { callsOf } from './script-calls.ts';

/** How fast the scripts of a file are decided, each by a fresh scheduler. */
export interface MixedRate {
  readonly scripts: number;
  /** The attempts that were asked; pods that are on a node already are not. */
  readonly decisions: number;
  /** Decisions per second of the first round, in which the code is not compiled yet. */
  readonly coldPerSecond: number;
  /** The median of the rounds that are measured. */
  readonly perSecond: number;
  /** The best of these rounds, which the load of the machine has slowed down least. */
  readonly bestPerSecond: number;
}

export interface MixedOptions {
  /** The rounds that are measured, after the first and those of the warm-up; 0 for the first alone. */
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

/** A file of long rounds is not warm by the number of its rounds then, but it has made as many decisions. */
const WARM_UP_SECONDS = 40;

/**
 * Plays the scripts in several rounds, and checks every answer of each. Rounds are measured once they become no faster,
 * because compilers need more decisions than a file of large clusters has. Every round parses the scripts anew, so that
 * nothing that is kept for an object speeds up the next round. Only playing is timed.
 */
export function playMixed(lines: readonly string[], { rounds, newScheduler }: MixedOptions): MixedRate {
  const cold = playRound(lines, newScheduler);
  const times: number[] = [];
  const sum = (): number => times.reduce((all, seconds) => all + seconds, 0);
  while (rounds > 0 && !isSettled(times) && sum() < WARM_UP_SECONDS) {
    times.push(playRound(lines, newScheduler).seconds);
  }
  const measured = Array.from({ length: rounds }, () => playRound(lines, newScheduler).seconds).sort((a, b) => a - b);
  const { decisions, seconds } = cold;
  const perSecond = decisions / (measured[measured.length >> 1] ?? seconds);
  const bestPerSecond = decisions / (measured[0] ?? seconds);
  return { scripts: lines.length, decisions, coldPerSecond: decisions / seconds, perSecond, bestPerSecond };
}

function playRound(lines: readonly string[], newScheduler: NewScheduler): { decisions: number; seconds: number } {
  let [decisions, millis] = [0, 0];
  for (const line of lines) {
    const script = JSON.parse(line) as ScriptCase;
    const calls = callsOf(script);
    const expected = calls.flatMap((call) => (call.t === 'schedule' ? [call.expect] : []));
    // Otherwise what the parser has made is copied while the script is played.
    collectYoungGarbage();
    const start = CLOCK.nowMillis();
    const answers = validated((validate) => answersTo(calls, newScheduler({ validate, ...scriptOptions(script) })));
    millis += CLOCK.nowMillis() - start;
    const [found] = differences(`${script.name}: attempt `, expected, answers);
    if (found !== undefined) {
      const { field, expected: wanted, got } = found;
      throw new Error(`${field}: expected ${JSON.stringify(wanted)}, got ${JSON.stringify(got)}`);
    }
    decisions += expected.length;
  }
  return { decisions, seconds: millis / 1000 };
}

/** Makes the calls, and reads what is decided and why. */
function answersTo(calls: readonly ScriptEvent[], scheduler: Scheduler): Answer[] {
  const answers: Answer[] = [];
  try {
    for (const call of calls) {
      if (call.t === 'schedule') answers.push(asAnswer(scheduler.schedule(call.o)));
      else applyChange(scheduler, call);
    }
  } finally {
    scheduler[Symbol.dispose]();
  }
  return answers;
}
