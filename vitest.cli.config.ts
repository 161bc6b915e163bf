import { defineConfig } from 'vitest/config';

/** The built command in processes of its own, as users start it (`npm run test:cli`). */
export default defineConfig({
  test: {
    include: ['test/cli/*.check.ts'],
    // The commands of documents have a script of their own.
    exclude: ['test/cli/pages.check.ts'],
    // Of two cores vitest would leave one to itself, which needs little.
    maxWorkers: 2,
    testTimeout: 180_000,
  },
});
