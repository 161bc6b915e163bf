import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/setup.ts'],
    // Modules hold no state, so the files of one thread can share them: on two cores that halves the time.
    pool: 'threads',
    isolate: false,
    // Of two cores vitest would leave one to itself, which needs little.
    maxWorkers: 2,
    testTimeout: 60_000,
  },
});
