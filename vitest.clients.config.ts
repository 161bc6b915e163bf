import { existsSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

/** Recordings are not in the repository: without them, no recorded session is played. */
const RECORDED = '../shared/api/kubectl.ndjson.gz';
const isRecorded = existsSync(new URL(RECORDED, import.meta.url));
if (!isRecorded) console.warn(`there is no ${RECORDED}: no recorded session of kubectl is played`);

/** Real client programs against `berth serve` (`npm run test:clients`). */
export default defineConfig({
  test: {
    include: ['test/clients/**/*.check.ts'],
    exclude: isRecorded ? [] : ['test/clients/sessions.check.ts'],
    // Each check starts programs, which take the processors.
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
