import { defineConfig } from 'vitest/config';

/** The checks of the package as it is published (`npm run test:package`). */
export default defineConfig({
  test: {
    include: ['test/package/**/*.check.ts'],
    globalSetup: ['test/package/prepare.ts'],
    // Each check starts compilers, bundlers or other runtimes, which take the processors.
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 300_000,
  },
});
