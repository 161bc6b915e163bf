import type { EngineName } from '../../../src/engine/cycle/engine.ts';
import { type Difference, differences } from '../differences.ts';
import type { GangAttempt, GangCase } from './gang-case.ts';
import { GangRig } from './gang-rig.ts';

/** Plays the steps, and stops at the first that comes out differently. */
export function checkGang(recorded: GangCase, engine: EngineName): Difference[] {
  const rig = new GangRig(recorded, engine);
  for (const [i, { expect, ...step }] of recorded.steps.entries()) {
    const got = rig.run({ ...step, expect });
    const attempts = got.attempts.map((attempt, k) => withoutUnrecorded(attempt, expect.attempts[k]));
    const found = differences(`steps[${i}]`, expect, { ...got, attempts });
    if (found.length > 0) return found;
  }
  return [];
}

/** Some scenarios do not say which pods were tried where. */
function withoutUnrecorded({ tries, ...attempt }: GangAttempt, expected: GangAttempt | undefined): GangAttempt {
  return tries === undefined || expected?.tries === undefined ? attempt : { ...attempt, tries };
}
