import { defineConfig } from 'vitest/config';

/** The commands of README.md and docs/, run as a reader runs them, against the outputs shown (`npm run test:pages`). */
export default defineConfig({
  test: {
    include: ['test/cli/pages.check.ts'],
    testTimeout: 120_000,
  },
});
