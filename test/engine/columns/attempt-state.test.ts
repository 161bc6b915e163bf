import { expect, test } from 'vitest';
import { attemptState } from '../../../src/engine/columns/attempt-state.ts';
import { stateKey } from '../../../src/framework/cycle-state.ts';
import type { FilterPlugin, PreFilterPlugin } from '../../../src/framework/plugin.ts';
import { PodInfo, podRequirements } from '../../../src/framework/pod-info.ts';
import { skip } from '../../../src/framework/status.ts';
import { EngineColumns } from '../../builders/engine-columns.ts';
import { makePod } from '../../builders/make-pod.ts';

const KEY = stateKey<number>('counted');

/** Counts in PreFilter, as the plugins of topology rules do. */
const counting: FilterPlugin & PreFilterPlugin = {
  name: 'Counting',
  filterReads: 'nodePods',
  preFilter: (state) => {
    state.write(KEY, 3);
    return null;
  },
  filter: () => null,
};
const idle: FilterPlugin & PreFilterPlugin = {
  name: 'Idle',
  filterReads: 'nodePods',
  preFilter: () => skip('Idle'),
  filter: () => null,
};
const known: FilterPlugin = { name: 'Known', filterReads: 'nodePods', filter: () => null };

test('all plugins prepare, and filters that accept every node are left out as in the attempt', () => {
  const world = new EngineColumns({ plugins: [counting, idle, known] });
  const pod = makePod('p', {});
  const signature = world.signatureOf(pod);
  signature.state.skipFilter.add(known.name);
  const stateOf = (attemptFilters: readonly string[]) => {
    const info = new PodInfo(pod, podRequirements(pod), '');
    return attemptState(world.framework, world.cluster, info, {
      ...signature,
      attemptFilters: new Set(attemptFilters),
    });
  };
  const skipped = (attemptFilters: readonly string[]) =>
    ['Counting', 'Idle', 'Known'].filter((name) => stateOf(attemptFilters).skipFilter.has(name));
  expect(stateOf([]).read(KEY)).toBe(3);
  expect(skipped([])).toEqual(['Idle']);
  expect(skipped(['Known'])).toEqual(['Idle', 'Known']);
});
