import { defineConfig } from 'vitest/config';

/**
 * What `npm test` is too slow for and needs no program (`npm run test:long`): the properties that find most, on four
 * times as many inputs, and on others; recordings by scalar kernels; clusters of 65,600 nodes; faults of an API server;
 * threads of sweeps that are killed.
 */
export default defineConfig({
  test: {
    include: [
      'test/parity/parity.test.ts',
      'test/cluster/mixed-jobs.test.ts',
      'test/core/{engines,place-by-index,workers,volume-engines,configuration}.test.ts',
      'test/core/many-nodes.check.ts',
      'test/core/extenders/engines.test.ts',
      'test/engine/columns/plain-refusals.test.ts',
      'test/kernels/{follow-tree,signature-index}.test.ts',
      'test/live/faults.check.ts',
      'test/plugins/default-preemption/{preemption-lives,kept-candidates}.test.ts',
      'test/plugins/dynamic-resources/fast-allocation.test.ts',
      'test/scheduler/{fast-path,faults}.test.ts',
      'test/store/bad-input.test.ts',
      'test/sweep/simulation-pool.check.ts',
    ],
    env: { BERTH_DEPTH: '4', FAST_CHECK_SEED: '20261130' },
    setupFiles: ['test/setup.ts'],
    pool: 'threads',
    isolate: false,
    maxWorkers: 2,
    testTimeout: 600_000,
  },
});
