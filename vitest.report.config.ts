import { defineConfig } from 'vitest/config';

/** The pages of reports in a browser: axe, keyboard, speed, and pictures in build/report/pictures (`npm run test:report`). */
export default defineConfig({
  test: {
    include: ['test/report/**/*.check.ts'],
    globalSetup: ['test/report/prepare.ts'],
    // Each check starts a browser, which takes the processors.
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 300_000,
  },
});
