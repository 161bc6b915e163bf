import { keyedPrng } from '../../src/lib/keyed-prng.ts';
import { Dice } from '../dst/script/dice.ts';
import { asAnswer } from '../parity/script/play-script.ts';
import type { ScriptCase } from '../parity/script/script-case.ts';
import { type Found, findDifference, referenceResults } from './find-difference.ts';
import { findGangDifference } from './find-gang-difference.ts';
import { findHistory, withoutHistory } from './find-history.ts';
import { drawGangScript } from './script/draw-gang-script.ts';
import { drawScript } from './script/draw-script.ts';
import { shrinkScript } from './shrink.ts';
import { OTHER_WAYS, type Playing, type Way } from './ways.ts';

export interface Failure {
  readonly found: Found;
  readonly script: ScriptCase;
  readonly playing: Playing;
  /** Finds it again, or what it became. */
  readonly find: (script: ScriptCase) => Found | undefined;
  /** Whether pods of the script are in groups, which need a scheduler with a queue. */
  readonly hasGroups?: boolean;
}

export interface SeedResult {
  readonly attempts: number;
  readonly placed: number;
  readonly failure: Failure | undefined;
}

/** Ties are mostly broken as upstream breaks them, which is how scripts of the real scheduler are played. */
function drawPlaying(seed: number): Playing {
  const dice = new Dice(keyedPrng(seed, 'playing'));
  return { tieBreak: dice.pick(['upstream', 'upstream', 'first', 'random']), isAsked: dice.oneIn(6) };
}

/** How many of the ways a seed is played in: more seeds find more than more ways. */
const WAYS_PER_SEED = 4;

/** Plays the seed's script in some of the ways, and on a scheduler that knows the present only. */
export function runSeed(seed: number): SeedResult {
  const script = drawScript(seed);
  const playing = drawPlaying(seed);
  const ways = new Dice(keyedPrng(seed, 'ways')).some(OTHER_WAYS, WAYS_PER_SEED, WAYS_PER_SEED);
  const failure =
    findFailure(script, playing, ways) ?? (seed % GANGS_IN === 0 ? gangFailure(seed, playing) : undefined);
  const results = failure === undefined ? referenceResults(script, playing) : [];
  const placed = results.filter((result) => result?.status === 'scheduled').length;
  return { attempts: results.length, placed, failure };
}

/** One seed in so many has a script of groups as well. */
const GANGS_IN = 4;

function gangFailure(seed: number, playing: Playing): Failure | undefined {
  const script = drawGangScript(seed);
  const found = findGangDifference(script);
  return found && { found, script, playing, find: findGangDifference, hasGroups: true };
}

/** The first difference, and how to find it again. */
export function findFailure(script: ScriptCase, playing: Playing, ways: readonly Way[]): Failure | undefined {
  const found = findDifference(script, playing, ways);
  if (found !== undefined) {
    const way = ways.filter(({ name }) => name === found.way);
    return { found, script, playing, find: (smaller) => findDifference(smaller, playing, way) };
  }
  const present = withoutHistory(script);
  const past = findHistory(present);
  if (past === undefined) return undefined;
  return { found: past, script: present, playing: { tieBreak: 'first', isAsked: true }, find: findHistory };
}

/** The smallest script that was found to differ still, with the answers of the reference. */
export function shrunk({ script, playing, found, find, hasGroups = false }: Failure): {
  readonly script: ScriptCase;
  readonly found: Found;
} {
  const thrown = thrownBy(found);
  const differs = (smaller: ScriptCase): boolean => {
    try {
      const now = find(smaller);
      return now !== undefined && thrownBy(now) === thrown;
    } catch {
      return false;
    }
  };
  const smaller = shrinkScript(script, differs);
  return { script: hasGroups ? smaller : answered(smaller, playing), found: find(smaller) ?? found };
}

/** What was thrown, without the name of an object; undefined: nothing was, but an answer differs. */
function thrownBy({ differences: [first] }: Found): string | undefined {
  if (first?.field !== 'exception') return undefined;
  return /^[^\n]*/.exec(String(first.got))?.[0].replace(/ [\w/-]*\d+:/, '');
}

function answered(script: ScriptCase, playing: Playing): ScriptCase {
  const results = referenceResults(script, playing);
  let attempt = 0;
  const events = script.events.map((event) =>
    event.t === 'schedule' ? { ...event, expect: asAnswer(results[attempt++] ?? null) } : event,
  );
  return { ...script, events };
}
