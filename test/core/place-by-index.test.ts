import fc from 'fast-check';
import { describe, test } from 'vitest';
import { runs } from '../builders/runs.ts';
import { arbitraryProfile } from './arbitrary-profile.ts';
import { configured } from './configured.ts';
import { expectAlike } from './expect-alike.ts';
import { arbitrarySignatureScript } from './signature-script.ts';

const numRuns = runs(40);

/** Mostly every node is searched: only then the index decides. */
const options = fc.record({
  tieBreak: fc.constantFrom('first' as const, 'first' as const, 'random' as const, 'upstream' as const),
  percentageOfNodesToScore: fc.constantFrom(100, 100, 100, 100, 0, 5, 50),
});

describe('totals that are kept, totals that are computed anew, and the reference, decide alike', () => {
  test('after every step', () => {
    const script = arbitrarySignatureScript({ hasTopology: false, schedulerNames: [undefined] });
    fc.assert(
      fc.property(script, options, fc.boolean(), (life, chosen, isAsked) => expectAlike(life, chosen, isAsked)),
      { numRuns },
    );
  });

  test('where some pods speak of others', () => {
    const script = arbitrarySignatureScript({ hasTopology: true, schedulerNames: [undefined] });
    fc.assert(
      fc.property(script, options, fc.boolean(), (life, chosen, isAsked) => expectAlike(life, chosen, isAsked)),
      { numRuns },
    );
  });

  test('under random profiles, two side by side', () => {
    const schedulerNames = [undefined, 'other', 'other', 'nobody'];
    const script = arbitrarySignatureScript({ hasTopology: true, schedulerNames });
    fc.assert(
      fc.property(script, options, arbitraryProfile, arbitraryProfile, (life, { tieBreak }, profile, other) => {
        const profiles = [
          { ...profile, schedulerName: 'default-scheduler' },
          { ...other, schedulerName: 'other' },
        ];
        const configuration = configured({ percentageOfNodesToScore: 100, profiles });
        expectAlike(life, { tieBreak, configuration }, false);
      }),
      { numRuns },
    );
  });
});
