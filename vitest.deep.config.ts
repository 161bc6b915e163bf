import { defineConfig } from 'vitest/config';

/**
 * The properties that find most, on four times as many inputs as in `npm test`, and on others (`npm run test:deep`).
 */
export default defineConfig({
  test: {
    include: [
      'test/core/{engines,place-by-index,workers,volume-engines,configuration}.test.ts',
      'test/core/extenders/engines.test.ts',
      'test/engine/columns/plain-refusals.test.ts',
      'test/kernels/{follow-tree,signature-index}.test.ts',
      'test/plugins/default-preemption/{preemption-lives,kept-candidates}.test.ts',
      'test/plugins/dynamic-resources/fast-allocation.test.ts',
      'test/scheduler/{fast-path,faults}.test.ts',
      'test/store/bad-input.test.ts',
    ],
    env: { BERTH_DEPTH: '4', FAST_CHECK_SEED: '20261130' },
    setupFiles: ['test/setup.ts'],
    pool: 'threads',
    isolate: false,
    maxWorkers: 2,
    testTimeout: 600_000,
  },
});
