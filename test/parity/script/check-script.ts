import type { EngineName } from '../../../src/index.ts';
import { type Difference, differences } from '../differences.ts';
import { type PlayOptions, playScript } from './play-script.ts';
import type { Answer, ScriptCase } from './script-case.ts';

const WAYS: readonly PlayOptions[] = [
  { index: true, batches: false },
  { index: true, batches: true },
  { index: false, batches: false },
  { index: false, batches: true },
];

/** Plays the script in every way in which the engine can be asked: one pod by one or in batches, indexed or not. */
export function checkScript(script: ScriptCase, engine: EngineName): Difference[] {
  const expected = script.events.flatMap((event) => (event.t === 'schedule' ? [event.expect] : []));
  // The reference engine keeps no index.
  const ways = engine === 'reference' ? WAYS.filter(({ index }) => index) : WAYS;
  return ways.flatMap((way) => {
    const label = `${way.index ? '' : 'without index, '}${way.batches ? 'in batches' : 'one by one'}`;
    return firstDifferences(label, expected, playScript(script, { ...way, engine }));
  });
}

/** Compares up to the first wrong answer: after it the cluster is another, and nothing can be compared. */
function firstDifferences(label: string, expected: readonly Answer[], got: readonly Answer[]): Difference[] {
  for (const [i, answer] of expected.entries()) {
    const found = differences(`${label}: attempt ${i}`, answer, got[i]);
    if (found.length > 0) return found;
  }
  return differences(`${label}: attempts`, expected.length, got.length);
}
