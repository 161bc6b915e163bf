import { defineConfig } from 'vitest/config';

/** Real client programs against `berth serve` (`npm run test:clients`). */
export default defineConfig({
  test: {
    include: ['test/clients/**/*.check.ts'],
    // Each check starts programs, which take the processors.
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
