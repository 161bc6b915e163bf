import type { Pod } from '../../src/api/pod.ts';
import type { Explanation, Scheduler } from '../../src/index.ts';
import { type Difference, differences } from '../parity/differences.ts';
import { type AttemptResult, ScriptPlayer } from '../parity/script/play-script.ts';
import type { ScriptCase } from '../parity/script/script-case.ts';
import { newScheduler, type Playing, REFERENCE, type Way } from './ways.ts';

/** Where a way parted from the reference. */
export interface Found {
  readonly way: string;
  readonly differences: readonly Difference[];
}

/** What one way said. */
interface Said {
  readonly results: readonly AttemptResult[];
  /** The explanations of pods before they were scheduled, if the way asks for them. */
  readonly before: readonly Explanation[];
  /** The explanations of some pods at the end. */
  readonly after: readonly Explanation[];
  readonly thrown: string | undefined;
}

/** How many pods are explained at the end. */
const PROBES = 3;

/** The first difference between the reference and another way; undefined: they all agree. */
export function findDifference(script: ScriptCase, playing: Playing, ways: readonly Way[]): Found | undefined {
  const expected = play(script, REFERENCE, playing);
  if (expected.thrown !== undefined) return thrown(REFERENCE, undefined, expected.thrown);
  for (const way of ways) {
    const got = play(script, way, playing);
    const found = got.thrown === undefined ? compare(way, expected, got) : thrown(way, undefined, got.thrown);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What the reference answers to the script's attempts. */
export function referenceResults(script: ScriptCase, playing: Playing): readonly AttemptResult[] {
  return play(script, REFERENCE, playing).results;
}

function play(script: ScriptCase, way: Way, playing: Playing): Said {
  const scheduler = newScheduler(way, script, playing);
  const player = new ScriptPlayer(scheduler);
  const before: Explanation[] = [];
  const after: Explanation[] = [];
  let thrown: string | undefined;
  try {
    if (playing.isAsked && !way.batches) playAsking(player, scheduler, script, before);
    else player.playAll(script.events, way.batches);
    for (const probe of probesOf(script)) after.push(scheduler.explain(probe));
  } catch (error) {
    thrown = error instanceof Error ? (error.stack ?? error.message) : String(error);
  } finally {
    scheduler.close();
  }
  return { results: player.results, before, after, thrown };
}

function playAsking(player: ScriptPlayer, scheduler: Scheduler, script: ScriptCase, before: Explanation[]): void {
  for (const event of script.events) {
    if (event.t !== 'schedule') {
      player.change(event);
      continue;
    }
    before.push(scheduler.explain(event.o));
    player.schedule(event.o);
  }
}

/** The pods of the last attempts. */
function probesOf({ events }: ScriptCase): Pod[] {
  return events.flatMap((event) => (event.t === 'schedule' ? [event.o] : [])).slice(-PROBES);
}

function compare(way: Way, expected: Said, got: Said): Found | undefined {
  for (const [i, result] of expected.results.entries()) {
    const [wanted, is] = way.batches ? [withoutTies(result), withoutTies(got.results[i])] : [result, got.results[i]];
    const explained = way.batches ? [] : differences(`explanation ${i}`, expected.before[i], got.before[i]);
    const found = [...differences(`attempt ${i}`, wanted, is), ...explained];
    if (found.length > 0) return { way: way.name, differences: found };
  }
  const counts = differences('attempts', expected.results.length, got.results.length);
  const found = [...counts, ...differences('at the end: explanation', expected.after, got.after)];
  return found.length > 0 ? { way: way.name, differences: found } : undefined;
}

/** A batch does not count ties. */
function withoutTies(result: AttemptResult | undefined): unknown {
  if (result?.status !== 'scheduled') return result;
  const { ties: _, ...rest } = result;
  return rest;
}

function thrown({ name }: Way, expected: undefined, got: string): Found {
  return { way: name, differences: [{ field: 'exception', expected, got }] };
}
