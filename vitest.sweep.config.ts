import { defineConfig } from 'vitest/config';

/** A sweep as an Indexed Job on `berth serve`, whose pods are processes of this machine (`npm run test:sweep`). */
export default defineConfig({
  test: {
    include: ['test/sweep/on-kubernetes/**/*.check.ts'],
    testTimeout: 300_000,
    hookTimeout: 60_000,
  },
});
