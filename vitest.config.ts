import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files of tests that take longest. Begun late, such a file runs on alone while the other core has nothing left. */
const LONGEST = ['parity/parity', 'core/place-by-index', 'core/engines', 'cli/sweep', 'scheduler/faults'];

/** Begins with the files that take longest, in the order of that list. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const place = LONGEST.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
      return place === -1 ? LONGEST.length : place;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/setup.ts'],
    // Modules hold no state, so the files of one thread can share them: on two cores that halves the time.
    pool: 'threads',
    isolate: false,
    // Of two cores vitest would leave one to itself, which needs little.
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    // The longest tests take half a minute on two free cores, and several times that where others use them.
    testTimeout: 180_000,
  },
});
